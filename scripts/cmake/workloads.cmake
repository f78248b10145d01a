# SPDX-License-Identifier: Apache-2.0
# Workloads: kernel.cu compiled to PTX once a version, embedded in the host program, linked against libcuda.so.1.

set(TANDEM_CUDA_FLAGS
    -x cuda
    --cuda-device-only
    --cuda-gpu-arch=sm_70
    -nocudainc
    -nocudalib
    -Xclang -target-feature -Xclang +ptx75
    -Wno-unknown-cuda-version
    -O3
    -S)
# The lines of the source, for tandem analyse; they change no instruction. Names of files are relative, so that the PTX does not
# depend on where the tree lies.
set(TANDEM_LINE_FLAGS -gline-tables-only -fdebug-prefix-map=${CMAKE_SOURCE_DIR}/= -fdebug-compilation-dir=.)
set(device_headers ${CMAKE_SOURCE_DIR}/csim/cuda/include)
file(GLOB device_header_files CONFIGURE_DEPENDS ${device_headers}/*.h ${CMAKE_SOURCE_DIR}/testbench/workloads/*.h)

set(line_rows)
foreach(workload ${TANDEM_WORKLOADS})
  set(source ${CMAKE_SOURCE_DIR}/testbench/workloads/${workload})
  set(dir ${CMAKE_BINARY_DIR}/ptx/${workload})
  file(GLOB own_headers CONFIGURE_DEPENDS ${source}/*.h)
  file(MAKE_DIRECTORY ${dir})
  set(texts)
  set(pairs)
  foreach(version ${${workload}_VERSIONS})
    string(TOUPPER ${version} upper)
    add_custom_command(
      OUTPUT ${dir}/${version}.ptx
      COMMAND ${TANDEM_CLANG} ${TANDEM_CUDA_FLAGS} ${TANDEM_LINE_FLAGS} -I${device_headers} -DTANDEM_VERSION_${upper} ${source}/kernel.cu -o
              ${dir}/${version}.ptx
      DEPENDS ${source}/kernel.cu ${own_headers} ${device_header_files}
      COMMENT "PTX of ${workload}:${version}")
    list(APPEND texts ${dir}/${version}.ptx)
    list(APPEND pairs ${version}=${dir}/${version}.ptx)
  endforeach()
  add_custom_command(
    OUTPUT ${dir}/${workload}_ptx.h
    COMMAND ${TANDEM_PYTHON} ${CMAKE_SOURCE_DIR}/scripts/gen/workloads.py --ptx ${dir} ${workload} ${pairs}
    DEPENDS ${texts} ${CMAKE_SOURCE_DIR}/scripts/gen/workloads.py)
  add_custom_command(
    OUTPUT ${dir}/lines.inc
    COMMAND ${TANDEM_PYTHON} ${CMAKE_SOURCE_DIR}/scripts/gen/source_lines.py ${dir}/lines.inc ${CMAKE_SOURCE_DIR}/testbench/workloads
            ${workload} ${${workload}_VERSIONS} -- ${TANDEM_CLANG} ${TANDEM_CUDA_FLAGS} -I${device_headers} ${source}/kernel.cu
    DEPENDS ${source}/kernel.cu ${own_headers} ${device_header_files} ${CMAKE_SOURCE_DIR}/scripts/gen/source_lines.py
    COMMENT "Lines of ${workload}")
  list(APPEND line_rows ${dir}/lines.inc)
  add_executable(workload_${workload} ${source}/host.c ${dir}/${workload}_ptx.h)
  set_target_properties(workload_${workload} PROPERTIES OUTPUT_NAME ${workload} RUNTIME_OUTPUT_DIRECTORY
                                                                                ${CMAKE_BINARY_DIR}/lib/tandem/workloads)
  target_include_directories(
    workload_${workload} PRIVATE ${dir} ${TANDEM_GENERATED} ${CMAKE_SOURCE_DIR}/testbench/workloads
                                 ${CMAKE_SOURCE_DIR}/csim/cuda/include)
  target_compile_options(workload_${workload} PRIVATE -std=gnu11 -Wall -Wextra -Werror)
  target_link_libraries(workload_${workload} PRIVATE cuda m)
  if(TANDEM_SANITIZE)
    target_link_options(workload_${workload} PRIVATE -fsanitize=address,undefined)
  endif()
endforeach()

# workload_lines of csim/config/workload_table.h
set(lines_c ${TANDEM_GENERATED}/workload_lines.c)
list(TRANSFORM line_rows REPLACE "(.+)" "#include \"\\1\"\n" OUTPUT_VARIABLE line_includes)
string(CONCAT lines_text "/* Generated. */\n#include \"config/workload_table.h\"\n\n#include <stddef.h>\n\n"
              "const struct workload_lines workload_lines[] = {\n" ${line_includes} "{NULL, NULL, 0, 0},\n};\n")
file(CONFIGURE OUTPUT ${lines_c} CONTENT "${lines_text}" @ONLY)
set_source_files_properties(${lines_c} PROPERTIES OBJECT_DEPENDS "${line_rows}")
target_sources(tandem PRIVATE ${lines_c})
