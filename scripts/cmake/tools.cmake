# SPDX-License-Identifier: Apache-2.0
# Tools that the build needs, each missing one named with its mend; generators run at configure time.

function(require_program variable sentence)
  find_program(${variable} NAMES ${ARGN})
  if(NOT ${variable})
    list(JOIN ARGN " or " names)
    message(FATAL_ERROR "${names} is missing (${sentence}); run scripts/setup")
  endif()
endfunction()

require_program(TANDEM_VERILATOR "RTL engines" verilator)
require_program(TANDEM_CLANG "workload kernels" clang-14 clang)
# The distribution's Python, because that is where the packaged YAML module lives.
find_program(TANDEM_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
if(NOT TANDEM_PYTHON)
  require_program(TANDEM_PYTHON "generators" python3)
endif()
find_library(TANDEM_YAML yaml)
find_library(TANDEM_JANSSON jansson)
find_library(TANDEM_CMOCKA cmocka)
find_library(TANDEM_ZLIB z)
find_library(TANDEM_LZ4 lz4)
find_library(TANDEM_ZSTD zstd)
find_library(TANDEM_SQLITE sqlite3)
foreach(library YAML JANSSON CMOCKA ZLIB LZ4 ZSTD SQLITE)
  if(NOT TANDEM_${library})
    message(FATAL_ERROR "the library ${library} is missing; run scripts/setup")
  endif()
endforeach()

execute_process(COMMAND ${TANDEM_VERILATOR} --version OUTPUT_VARIABLE TANDEM_VERILATOR_VERSION
                OUTPUT_STRIP_TRAILING_WHITESPACE)

set(TANDEM_GENERATED ${CMAKE_BINARY_DIR}/generated)
function(generate script)
  execute_process(COMMAND ${TANDEM_PYTHON} ${CMAKE_SOURCE_DIR}/scripts/gen/${script} ${ARGN} RESULT_VARIABLE status)
  if(status)
    message(FATAL_ERROR "scripts/gen/${script} failed")
  endif()
endfunction()
file(GLOB generators CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/scripts/gen/*.py)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${generators} ${CMAKE_SOURCE_DIR}/configs/blocks.yaml
                                                               ${CMAKE_SOURCE_DIR}/configs/workloads.yaml
                                                               ${CMAKE_SOURCE_DIR}/csim/config/stalls.def
                                                               ${CMAKE_SOURCE_DIR}/csim/systems/elastic/stalls.def)
generate(blocks.py ${CMAKE_SOURCE_DIR}/configs/blocks.yaml ${TANDEM_GENERATED})
generate(workloads.py ${CMAKE_SOURCE_DIR}/configs/workloads.yaml ${TANDEM_GENERATED})
include(${TANDEM_GENERATED}/blocks.cmake)
file(GLOB rtl CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/rtl/*/*.v)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${rtl})
foreach(block ${TANDEM_BLOCKS})
  generate(plant.py ${block} --all -o ${TANDEM_GENERATED}/${block}_bugs.v)
endforeach()
include(${TANDEM_GENERATED}/workloads.cmake)
