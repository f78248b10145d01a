# SPDX-License-Identifier: Apache-2.0
# The build folder has the layout of an installation (csim/base/place.h): share/tandem with links into the source tree.

set(TANDEM_DATA ${CMAKE_BINARY_DIR}/share/tandem)
file(MAKE_DIRECTORY ${TANDEM_DATA})
foreach(folder configs csim rtl dpi scripts testbench waves)
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${folder} ${TANDEM_DATA}/${folder} SYMBOLIC)
endforeach()
file(CREATE_LINK ../../generated ${TANDEM_DATA}/generated SYMBOLIC)
file(CREATE_LINK ../.. ${TANDEM_DATA}/cache SYMBOLIC)

# The version with the commit, which `tandem --version` reads. It is a file, because in the program it would make every commit a new
# program, and results are kept by the program that made them.
add_custom_target(
  version ALL
  COMMAND ${CMAKE_COMMAND} -DVERSION=${PROJECT_VERSION} -DSOURCE=${CMAKE_SOURCE_DIR} -DOUT=${TANDEM_DATA}/version -P
          ${CMAKE_SOURCE_DIR}/scripts/cmake/version.cmake)
