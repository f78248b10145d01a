# SPDX-License-Identifier: Apache-2.0
# Libraries from the bottom up; a folder is a library. The order is the one that tests/law/include_graph.sh enforces.

add_library(tandem_options INTERFACE)
target_compile_features(tandem_options INTERFACE c_std_11)
target_compile_options(
  tandem_options
  INTERFACE $<$<COMPILE_LANGUAGE:C>:-std=gnu11
            -Wall
            -Wextra
            -Werror
            -Wshadow
            -Wstrict-prototypes
            -Wno-format-truncation # snprintf cuts long names on purpose
            -ffp-contract=off # the same bits on every host
            -fvisibility=hidden
            -fno-math-errno>)
target_compile_options(tandem_options INTERFACE -fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=) # an installed program names no folder of the build
target_compile_definitions(tandem_options INTERFACE _GNU_SOURCE)
target_include_directories(tandem_options INTERFACE ${CMAKE_SOURCE_DIR}/csim ${CMAKE_SOURCE_DIR}/dpi ${TANDEM_GENERATED})
if(TANDEM_SANITIZE)
  # with sanitizers GCC also warns of variables that are set: its manual says so, and the release build has the warning
  target_compile_options(tandem_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -g
                                                  -fno-omit-frame-pointer -Wno-error=maybe-uninitialized)
  target_link_options(tandem_options INTERFACE -fsanitize=address,undefined)
endif()
if(TANDEM_COVERAGE)
  target_compile_options(tandem_options INTERFACE --coverage -g)
  target_link_options(tandem_options INTERFACE --coverage)
endif()

# folder_library(NAME FOLDER... [EXTRA file...])
function(folder_library name)
  cmake_parse_arguments(arg "" "" "FOLDERS;EXTRA;LINK" ${ARGN})
  set(sources ${arg_EXTRA})
  foreach(folder ${arg_FOLDERS})
    file(GLOB found CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.c)
    list(APPEND sources ${found})
  endforeach()
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC tandem_options ${arg_LINK})
endfunction()

set(generated_c ${TANDEM_GENERATED}/block_all.c ${TANDEM_GENERATED}/workload_all.c)
set(families)
foreach(block ${TANDEM_BLOCKS})
  list(APPEND generated_c ${TANDEM_GENERATED}/${block}_desc.c)
  list(APPEND families csim/blocks/${${block}_FAMILY})
endforeach()
foreach(probe ${TANDEM_PROBES})
  list(APPEND generated_c ${TANDEM_GENERATED}/${probe}_probe.c)
endforeach()
list(REMOVE_DUPLICATES families)

folder_library(tandem_base FOLDERS csim/base LINK ${TANDEM_YAML} ${TANDEM_JANSSON})
target_compile_definitions(tandem_base PRIVATE TANDEM_VERSION="${PROJECT_VERSION}")
folder_library(tandem_config FOLDERS csim/config LINK tandem_base)
folder_library(tandem_device FOLDERS csim/device LINK tandem_base)
folder_library(tandem_block FOLDERS csim/block LINK tandem_base)
folder_library(tandem_models FOLDERS ${families} EXTRA ${generated_c} LINK tandem_block)
target_link_libraries(tandem_block PUBLIC tandem_models) # the descriptors name the models, the handle names the list
folder_library(tandem_ptx FOLDERS csim/ptx LINK tandem_device m)
folder_library(tandem_memory FOLDERS csim/mem csim/noc csim/dram LINK tandem_config tandem_block)
folder_library(tandem_core FOLDERS csim/core LINK tandem_memory tandem_ptx)
file(GLOB systems LIST_DIRECTORIES true RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/csim/systems/*) # a folder for each proposal
list(FILTER systems EXCLUDE REGEX "\\.[a-z]+$")
# Routines that a proposal brings along (csim/systems/S/NAME.ptx) are texts of the program: S_NAME_text.
file(GLOB routines CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/csim/systems/*/*.ptx)
set(texts "/* generated from the .ptx files of csim/systems */\n")
foreach(routine ${routines})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${routine})
  string(REGEX REPLACE "^.*/([a-z0-9_]+)/([a-z0-9_]+)\\.ptx$" "\\1_\\2_text" symbol ${routine})
  file(READ ${routine} text)
  string(REPLACE "\n" "\\n\"\n  \"" text "${text}")
  string(APPEND texts "extern const char ${symbol}[];\nconst char ${symbol}[] =\n  \"${text}\";\n")
endforeach()
file(CONFIGURE OUTPUT ${TANDEM_GENERATED}/routine_texts.c CONTENT "${texts}" @ONLY)
folder_library(tandem_systems FOLDERS csim/systems ${systems} EXTRA ${TANDEM_GENERATED}/routine_texts.c LINK tandem_core tandem_models)
target_include_directories(tandem_systems PRIVATE ${CMAKE_SOURCE_DIR}/csim/cuda/include) # what host programs include
target_link_options(tandem_systems INTERFACE -Wl,-u,systems_join) # a constructor: nothing refers to it
folder_library(tandem_gpu FOLDERS csim/gpu LINK tandem_systems)
folder_library(tandem_netlist FOLDERS csim/netlist LINK tandem_base ${TANDEM_JANSSON})
folder_library(tandem_dpi FOLDERS dpi LINK tandem_models tandem_netlist ${TANDEM_JANSSON} ${CMAKE_DL_LIBS})
set_property(
  SOURCE ${CMAKE_SOURCE_DIR}/dpi/registry.c
  PROPERTY COMPILE_DEFINITIONS TANDEM_VERILATOR_VERSION="${TANDEM_VERILATOR_VERSION}")
folder_library(tandem_run FOLDERS csim/run LINK tandem_gpu tandem_dpi ${TANDEM_JANSSON} ${TANDEM_SQLITE})
folder_library(tandem_cuda FOLDERS csim/cuda LINK tandem_run ${TANDEM_LZ4} ${TANDEM_ZSTD})
target_include_directories(tandem_cuda PRIVATE ${CMAKE_SOURCE_DIR}/csim/cuda/include)

# libcuda.so.1: the driver API over the simulator. In a folder that neither loader nor linker searches: a real driver stays in use.
add_library(cuda SHARED ${TANDEM_GENERATED}/libcuda.c)
file(WRITE ${TANDEM_GENERATED}/libcuda.c "/* the shared library is the archive, whole */\n")
set_target_properties(cuda PROPERTIES SOVERSION 1 VERSION 1 LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/tandem)
target_include_directories(cuda INTERFACE $<INSTALL_INTERFACE:include/tandem>)
target_link_libraries(cuda PRIVATE tandem_options -Wl,--whole-archive tandem_cuda tandem_run -Wl,--no-whole-archive -Wl,--no-undefined
                      ${CMAKE_SOURCE_DIR}/csim/cuda/per_thread.ld)
set_property(TARGET cuda PROPERTY LINK_DEPENDS ${CMAKE_SOURCE_DIR}/csim/cuda/per_thread.ld)

# libcudart.so.12 and .13: the runtime API over the driver API, each with the version node and the structures of NVIDIA's library of
# that name; and what redirects a program's own static runtime to them. Beside libcuda.so.1.
file(GLOB runtime CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/csim/cudart/rt_*.c)
foreach(version 12 13)
  configure_file(csim/cudart/libcudart.map.in ${TANDEM_GENERATED}/libcudart.${version}.map @ONLY)
  add_library(cudart${version} SHARED ${runtime})
  set_target_properties(
    cudart${version} PROPERTIES PREFIX "" OUTPUT_NAME libcudart.so SUFFIX .${version} NO_SONAME ON
                                LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/tandem BUILD_RPATH "\$ORIGIN" INSTALL_RPATH "\$ORIGIN"
                                LINK_DEPENDS ${TANDEM_GENERATED}/libcudart.${version}.map)
  target_compile_definitions(cudart${version} PRIVATE TANDEM_CUDART=${version})
  target_include_directories(cudart${version} PRIVATE ${CMAKE_SOURCE_DIR}/csim/cuda/include)
  target_link_options(cudart${version} PRIVATE -Wl,-soname,libcudart.so.${version}
                                               -Wl,--version-script,${TANDEM_GENERATED}/libcudart.${version}.map)
  target_link_libraries(cudart${version} PRIVATE tandem_options cuda)
endforeach()
add_library(static_cudart SHARED ${CMAKE_SOURCE_DIR}/csim/cudart/redirect.c)
set_target_properties(
  static_cudart PROPERTIES OUTPUT_NAME tandem-static-cudart LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/tandem
                           BUILD_RPATH "\$ORIGIN" INSTALL_RPATH "\$ORIGIN")
target_link_options(static_cudart PRIVATE -Wl,-z,initfirst -Wl,--no-as-needed)
target_link_libraries(static_cudart PRIVATE tandem_options cudart12 cudart13)

file(GLOB drivers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/testbench/*/*_drive.c ${CMAKE_SOURCE_DIR}/testbench/*/*_cover.c)
folder_library(tandem_blocktest FOLDERS csim/blocktest EXTRA ${drivers} ${TANDEM_GENERATED}/block_drivers.c ${TANDEM_GENERATED}/block_covers.c LINK tandem_dpi)
folder_library(tandem_study FOLDERS csim/study LINK tandem_dpi tandem_memory)
folder_library(tandem_bench FOLDERS csim/bench LINK tandem_blocktest tandem_study tandem_run m)
folder_library(tandem_report FOLDERS csim/report LINK tandem_run)
folder_library(tandem_synth FOLDERS csim/synth LINK tandem_dpi tandem_models ${TANDEM_JANSSON} ${TANDEM_ZLIB})
folder_library(tandem_measure FOLDERS csim/measure LINK tandem_synth m)
folder_library(tandem_claims FOLDERS csim/claims LINK tandem_measure)
folder_library(tandem_experiment FOLDERS csim/experiment LINK tandem_measure ${TANDEM_SQLITE})
file(GLOB cli CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/csim/cli/*.c)
add_executable(tandem ${cli})
target_link_libraries(tandem PRIVATE tandem_bench tandem_report tandem_claims tandem_experiment)
target_compile_definitions(tandem PRIVATE TANDEM_VERSION="${PROJECT_VERSION}")
add_dependencies(tandem cuda cudart12 cudart13 static_cudart)

# Verilated models of every parameter set of the manifest, kept in the cache that the program itself uses
add_executable(tandem_verilate ${CMAKE_SOURCE_DIR}/csim/cli/verilate/main.c)
set_target_properties(tandem_verilate PROPERTIES OUTPUT_NAME tandem-verilate)
target_link_libraries(tandem_verilate PRIVATE tandem_dpi)
add_custom_target(
  verilated ALL
  COMMAND tandem_verilate
  COMMENT "Verilating what changed"
  DEPENDS tandem_verilate
  USES_TERMINAL)
