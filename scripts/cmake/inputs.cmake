# SPDX-License-Identifier: Apache-2.0
# What the result of a row depends on, for the certificates of nightly rows (tests/kit/certificates.sh): files and folders of
# the source tree, and generated/... of the build folder. Narrow, so that a change makes few rows stale; tests/law/certificates.sh
# says which.

# The program is everything that is compiled into it and that it reads. configs/verification.json is a table of results, which it does
# not read: only the rows that name it depend on it.
file(GLOB configs RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/configs/*)
list(REMOVE_ITEM configs configs/README.md configs/verification.json)
set(program_inputs CMakeLists.txt CMakePresets.json scripts/cmake scripts/gen scripts/synth csim dpi rtl testbench ${configs})
# A run that proves nothing does not read what only proofs read: the laws, and what the models hold for equality.
file(GLOB_RECURSE simulation_inputs RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/testbench/*)
list(FILTER simulation_inputs EXCLUDE REGEX "(_props\\.svh|_equal\\.c|\\.md|\\.pyc)$")
list(APPEND simulation_inputs ${program_inputs})
list(REMOVE_ITEM simulation_inputs testbench)
set(kit_inputs tests/kit/shell.sh) # for rows that source it

# scripts_inputs(OUT SCRIPT...): the generators and every module of scripts/gen that they import
function(scripts_inputs out)
  set(found)
  set(new ${ARGN})
  while(new)
    list(POP_FRONT new name)
    set(file scripts/gen/${name}.py)
    if(NOT file IN_LIST found AND EXISTS ${CMAKE_SOURCE_DIR}/${file})
      list(APPEND found ${file})
      file(STRINGS ${CMAKE_SOURCE_DIR}/${file} lines REGEX "^(import|from) ")
      foreach(line ${lines})
        string(REGEX REPLACE "^(import|from) ([a-z_]+).*" "\\2" module "${line}")
        list(APPEND new ${module})
      endforeach()
    endif()
  endwhile()
  set(${out} ${found} PARENT_SCOPE)
endfunction()
scripts_inputs(proof_scripts plant facts registers counterexample)
scripts_inputs(bench_scripts blocks)
scripts_inputs(lint_scripts facts)
# of dpi/, what a test bench runs: not the recordings that only `tandem run --record` keeps
file(GLOB bench_dpi RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/dpi/*.c ${CMAKE_SOURCE_DIR}/dpi/*.cpp ${CMAKE_SOURCE_DIR}/dpi/*.h
     ${CMAKE_SOURCE_DIR}/dpi/*.sh ${CMAKE_SOURCE_DIR}/dpi/*.vlt)
list(FILTER bench_dpi EXCLUDE REGEX "/keep\\.c$")
set(bench_commands csim/cli/cmd_check.c csim/cli/cmd_drive.c csim/cli/cmd_mutants.c csim/cli/block_arguments.c)

# with_includes(OUT FILE...): sources in C and all of csim and testbench that they include; files that are not there are left out
function(with_includes out)
  set(found)
  set(new ${ARGN})
  while(new)
    list(POP_FRONT new file)
    if(NOT file IN_LIST found AND EXISTS ${CMAKE_SOURCE_DIR}/${file})
      list(APPEND found ${file})
      get_filename_component(folder ${file} DIRECTORY)
      file(STRINGS ${CMAKE_SOURCE_DIR}/${file} lines REGEX "^#include \"")
      foreach(line ${lines})
        string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" name "${line}")
        list(APPEND new ${folder}/${name} csim/${name} testbench/${name})
      endforeach()
    endif()
  endwhile()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# block_inputs(BLOCK): design_inputs, the block's RTL and its row of the manifest; proof_inputs, what a proof over the RTL reads;
# equal_inputs, what the proof that model and RTL are equal reads; bench_inputs, what the block's test bench is made of; synth_inputs,
# what its synthesis reads and the library that runs it
function(block_inputs block)
  set(family ${${block}_FAMILY})
  set(models) # in C, of the block and of what its RTL is made of
  foreach(file ${${block}_RTL})
    get_filename_component(name ${file} NAME_WE)
    file(GLOB model RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/csim/blocks/*/${name}.c)
    list(APPEND models ${model})
  endforeach()
  with_includes(equal_files testbench/${family}/${block}_equal.c ${models})
  with_includes(models ${models})
  set(design ${${block}_RTL} rtl/include generated/${block}_entry.json)
  set(proof ${design} testbench/${family}/${block}_props.svh scripts/prove ${proof_scripts})
  file(GLOB bench_files RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/testbench/${family}/${block}_drive.c
       ${CMAKE_SOURCE_DIR}/testbench/${family}/${block}_cover.c)
  set(design_inputs ${design} PARENT_SCOPE)
  set(proof_inputs ${proof} PARENT_SCOPE)
  set(equal_inputs ${proof} ${equal_files} scripts/equal scripts/gen/emit_c.py PARENT_SCOPE)
  set(bench_inputs ${design} CMakeLists.txt CMakePresets.json scripts/cmake/sources.cmake scripts/cmake/tools.cmake ${bench_scripts}
      ${bench_files} ${kit_inputs} csim/base csim/block csim/blocktest ${bench_commands} ${models} ${bench_dpi} PARENT_SCOPE)
  set(synth_inputs ${design} CMakeLists.txt CMakePresets.json scripts/cmake/sources.cmake scripts/cmake/tools.cmake ${bench_scripts} ${kit_inputs}
      scripts/synth csim/base csim/block csim/netlist csim/synth ${models} ${bench_dpi} PARENT_SCOPE)
endfunction()
