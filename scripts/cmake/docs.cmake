# SPDX-License-Identifier: Apache-2.0
# Generated reference (build/docs/reference), man pages and bash completion (build/share), from the program's own tables.

set(docs_stamp ${CMAKE_BINARY_DIR}/docs/stamp)
add_custom_command(
  OUTPUT ${docs_stamp}
  COMMAND bash ${CMAKE_SOURCE_DIR}/scripts/gen/docs.sh $<TARGET_FILE:tandem> ${CMAKE_BINARY_DIR}
  COMMAND ${CMAKE_COMMAND} -E touch ${docs_stamp}
  DEPENDS tandem ${CMAKE_SOURCE_DIR}/scripts/gen/docs.sh ${CMAKE_SOURCE_DIR}/scripts/gen/verification.py ${CMAKE_SOURCE_DIR}/scripts/gen/cuda_calls.py ${CMAKE_SOURCE_DIR}/csim/cudart/refused.def ${CMAKE_SOURCE_DIR}/csim/cuda/refused.def ${CMAKE_SOURCE_DIR}/configs/verification.json
  COMMENT "Reference, man pages, completion")
add_custom_target(docs ALL DEPENDS ${docs_stamp})
