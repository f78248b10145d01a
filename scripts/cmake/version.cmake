# SPDX-License-Identifier: Apache-2.0
# cmake -DVERSION=V -DSOURCE=DIR -DOUT=FILE -P version.cmake: "V (commit)" into FILE; V alone outside a git tree.
execute_process(
  COMMAND git -C ${SOURCE} describe --always --dirty
  OUTPUT_VARIABLE commit
  RESULT_VARIABLE status
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
set(text "${VERSION}\n")
if(status STREQUAL "0")
  set(text "${VERSION} (${commit})\n")
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "${text}" @ONLY)
