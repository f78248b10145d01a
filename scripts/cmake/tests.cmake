# SPDX-License-Identifier: Apache-2.0
# CTest rows. Labels: gate or nightly, and the slice whose budget a test counts against (tests/budgets.txt): a line
# "slice: NAME" near the top of the test's file, else slice-foundation.

enable_testing()

function(slice_of file out)
  file(STRINGS ${file} line REGEX "slice: [a-z0-9-]+" LIMIT_COUNT 1)
  set(${out} foundation PARENT_SCOPE)
  if(line)
    string(REGEX REPLACE ".*slice: ([a-z0-9-]+).*" "\\1" name "${line}")
    set(${out} ${name} PARENT_SCOPE)
  endif()
endfunction()

file(WRITE ${CMAKE_BINARY_DIR}/rows.txt.new "")

# row(NAME [NIGHTLY] [SLICE S] [INPUTS FILE_OR_FOLDER...] COMMAND ...). The time limit ends rows that hang and no others: a row
# that takes a minute on a quiet host may take half an hour on a slow one.
function(row name)
  cmake_parse_arguments(arg "NIGHTLY" "SLICE" "COMMAND;INPUTS" ${ARGN})
  if(NOT arg_SLICE)
    set(arg_SLICE foundation)
  endif()
  list(POP_FRONT arg_COMMAND program)
  if(TARGET ${program})
    set(program $<TARGET_FILE:${program}>)
  endif()
  add_test(NAME ${name} COMMAND bash tests/kit/row.sh ${CMAKE_BINARY_DIR} ${name} ${program} ${arg_COMMAND}
           WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set(kind gate)
  set(timeout 3600)
  if(arg_NIGHTLY)
    set(kind nightly)
    set(timeout 36000)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${kind};slice-${arg_SLICE}" TIMEOUT ${timeout} SKIP_RETURN_CODE 77
                       ENVIRONMENT TANDEM_CHECK_DRAM=1)
  list(JOIN arg_INPUTS " " inputs)
  file(APPEND ${CMAKE_BINARY_DIR}/rows.txt.new "${name} ${kind} slice-${arg_SLICE} ${inputs}\n")
endfunction()

# What unit tests share (tests/kit): benches, rigs, oracles, the contract of a block.
file(GLOB kit CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/kit/*.c)
add_library(tandem_kit STATIC ${kit})
target_link_libraries(tandem_kit PUBLIC tandem_cuda tandem_blocktest tandem_study tandem_report tandem_claims tandem_experiment ${TANDEM_CMOCKA})
target_include_directories(tandem_kit PUBLIC ${CMAKE_SOURCE_DIR}/csim/cuda/include ${CMAKE_SOURCE_DIR}/tests)
target_compile_definitions(tandem_kit PUBLIC TANDEM_CONFIG_DIR="${CMAKE_SOURCE_DIR}/configs")

# Unit tests: tests/unit/<subject>_test.c; of a block B the row is B.unit. With "rows: elsewhere" in the file the rows are
# below.
file(GLOB unit_tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/unit/*_test.c)
foreach(file ${unit_tests})
  get_filename_component(subject ${file} NAME_WE)
  string(REGEX REPLACE "_test$" "" subject ${subject})
  add_executable(${subject}_test ${file})
  set_target_properties(${subject}_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_link_libraries(${subject}_test PRIVATE tandem_kit)
  slice_of(${file} slice)
  file(STRINGS ${file} elsewhere REGEX "rows: elsewhere")
  if(NOT elsewhere)
    row(${subject}.unit SLICE ${slice} COMMAND ${subject}_test)
  endif()
endforeach()

# The corpus of the fuzzer (tests/fuzz/run.sh), replayed in this build.
file(GLOB fuzz_corpus CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/fuzz/corpus/*)
add_executable(ptx_fuzz_replay ${CMAKE_SOURCE_DIR}/tests/fuzz/ptx_fuzz.c ${CMAKE_SOURCE_DIR}/tests/fuzz/replay.c)
set_target_properties(ptx_fuzz_replay PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
target_link_libraries(ptx_fuzz_replay PRIVATE tandem_ptx)
row(ptx_corpus.robustness SLICE gpu-model COMMAND ptx_fuzz_replay ${fuzz_corpus})

row(contract.unit COMMAND contract_test)

# A block's rows (style: ctest -R <block> is the whole story of one block).
# family, or block, -> slice
set(slice_of_d2ma d2ma)
set(slice_of_elastic elastic)
set(slice_of_alloc yuan)
set(slice_of_memctl yuan)
set(slice_of_xmem xmem)
set(slice_of_teleport teleport)
set(slice_of_ldesc ldesc)
set(slice_of_caba caba)
set(slice_of_zorua zorua)
# their proofs of equality came with them; those of older families are the desk's
set(families_with_equal teleport ldesc caba zorua)
set(slow_synth bdi_dec bdi_enc caba_awc caba_aws md_cache xmem_amu_core teleport_range teleport_tags teleport_table lfu_victim map_table coordinator set_mover) # a minute or more a netlist
set(slow_state teleport_tags caba_awc) # Yosys takes a minute or more for their sizes
# What the gate runs of these blocks: lockstep, the idle check and the contract. Lint of every size, netlist checks, replay in Icarus, proofs
# and mutants take minutes together, more than the slice has, and run at night.
set(night_blocks bdi_enc coordinator zorua_manager teleport_range teleport_tags teleport_table teleport_ctrl teleport_buffer)
set(tandem $<TARGET_FILE:tandem>)
foreach(block ${TANDEM_BLOCKS})
  set(slice foundation)
  foreach(name ${${block}_FAMILY} ${block})
    if(DEFINED slice_of_${name})
      set(slice ${slice_of_${name}})
    endif()
  endforeach()
  # the parts of a composite block have rows of their own, so the composite itself is checked at night
  set(parts)
  if(${block}_PARTS)
    set(parts NIGHTLY)
  endif()
  set(whole ${parts})
  if(${block} IN_LIST slow_synth)
    set(whole NIGHTLY)
  endif()
  set(family ${${block}_FAMILY})
  block_inputs(${block})
  set(common SLICE ${slice})
  set(night)
  if(${block} IN_LIST night_blocks)
    set(night NIGHTLY)
  endif()
  set(heavy ${common} ${night})
  row(${block}.lint ${heavy} INPUTS ${design_inputs} ${lint_scripts} rtl/lint tests/kit/elaborate.sh scripts/lint COMMAND bash scripts/lint rtl --quick ${block})
  row(${block}.ports ${heavy} INPUTS ${design_inputs} ${bench_scripts} ${kit_inputs} tests/kit/elaborate.sh tests/law/block_ports.sh
      COMMAND bash tests/law/block_ports.sh ${CMAKE_BINARY_DIR} ${block})
  set(state ${parts})
  if(${block} IN_LIST slow_state OR night)
    set(state NIGHTLY)
  endif()
  row(${block}.state ${common} ${state} INPUTS ${proof_inputs} COMMAND bash scripts/prove --state ${block})
  row(${block}.contract ${common} COMMAND contract_test ${block})
  row(${block}.late ${heavy} INPUTS ${proof_inputs} COMMAND bash scripts/prove --late ${block})
  row(${block}.idle ${common} COMMAND ${tandem} check ${block} --idle --sweep --cycles 300000)
  row(${block}.cosim ${common} COMMAND ${tandem} check ${block} --sweep --cycles 1000000)
  file(GLOB regressions CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/testbench/${${block}_FAMILY}/regressions/${block}/*.csv)
  foreach(file ${regressions}) # tandem check --shrink --save
    get_filename_component(name ${file} NAME_WE)
    row(${block}.regression.${name} ${common} COMMAND ${tandem} replay ${file})
  endforeach()
  row(${block}.replay ${heavy} INPUTS ${bench_inputs} tests/law/block_replay.sh
      COMMAND bash tests/law/block_replay.sh ${CMAKE_BINARY_DIR} ${block} 600)
  row(${block}.replay_long ${common} NIGHTLY INPUTS ${bench_inputs} tests/law/block_replay.sh
      COMMAND bash tests/law/block_replay.sh ${CMAKE_BINARY_DIR} ${block} 6000)
  row(${block}.prove ${heavy} INPUTS ${proof_inputs} COMMAND bash scripts/prove ${block})
  set_tests_properties(${block}.prove PROPERTIES ENVIRONMENT TANDEM_BUILD=${CMAKE_BINARY_DIR}) # where it leaves its certificate
  row(${block}.prove_long ${common} NIGHTLY INPUTS ${proof_inputs} COMMAND bash scripts/prove --nightly ${block})
  file(STRINGS ${CMAKE_SOURCE_DIR}/testbench/${family}/${block}_props.svh equal_sets REGEX "^// equal(-bounded)?:")
  file(STRINGS ${CMAKE_SOURCE_DIR}/testbench/${family}/${block}_props.svh equal-nightly_sets REGEX "^// equal-nightly:")
  set(equal_slice desk)
  if(${family} IN_LIST families_with_equal)
    set(equal_slice ${slice})
  endif()
  if(equal_sets)
    row(${block}.equal SLICE ${equal_slice} ${night} INPUTS ${equal_inputs} COMMAND bash scripts/prove --equal ${block})
    row(${block}.equal_mutants SLICE ${equal_slice} NIGHTLY INPUTS ${equal_inputs} ${kit_inputs} tests/law/equal_mutants.sh
        COMMAND bash tests/law/equal_mutants.sh ${CMAKE_BINARY_DIR} ${block})
    set_tests_properties(${block}.equal PROPERTIES ENVIRONMENT TANDEM_BUILD=${CMAKE_BINARY_DIR})
  endif()
  if(equal-nightly_sets)
    row(${block}.equal_long SLICE desk NIGHTLY INPUTS ${equal_inputs} COMMAND bash scripts/prove --equal --nightly ${block})
    if(TEST ${block}.equal_long)
      set_tests_properties(${block}.equal_long PROPERTIES ENVIRONMENT TANDEM_BUILD=${CMAKE_BINARY_DIR})
    endif()
  endif()
  if(NOT family STREQUAL prim) # of a few gates all netlists have the same area
    row(${block}.synth SLICE area ${whole} INPUTS ${synth_inputs} tests/unit/synth_netlists_test.c
        COMMAND synth_netlists_test ${block})
  endif()
  row(${block}.mutants ${heavy} ${parts} INPUTS ${bench_inputs} COMMAND ${tandem} mutants ${block})
  row(${block}.prove_mutants ${common} NIGHTLY INPUTS ${proof_inputs} ${kit_inputs} tests/law/proof_mutants.sh
      COMMAND bash tests/law/proof_mutants.sh ${CMAKE_BINARY_DIR} ${block})
  row(${block}.cosim_long ${common} NIGHTLY INPUTS ${bench_inputs} COMMAND ${tandem} check ${block} --sweep --cycles 10000000)
endforeach()

# What checks, replays and runs of the GPU reach of the RTL, a row for each family.
set(families)
foreach(block ${TANDEM_BLOCKS})
  list(APPEND families ${${block}_FAMILY})
endforeach()
list(REMOVE_DUPLICATES families)
foreach(family ${families})
  row(${family}.coverage SLICE desk NIGHTLY INPUTS ${simulation_inputs} ${kit_inputs} tests/law/block_coverage.sh
      COMMAND bash tests/law/block_coverage.sh ${CMAKE_BINARY_DIR} ${family})
endforeach()

row(c.lint SLICE gpu-model COMMAND bash scripts/lint c --quick)
row(c.lint_long SLICE gpu-model NIGHTLY INPUTS ${program_inputs} tests .clang-tidy .clang-format scripts/lint COMMAND bash scripts/lint c)
row(rtl.lint_all SLICE gpu-model NIGHTLY INPUTS rtl configs/blocks.yaml ${lint_scripts} tests/kit/elaborate.sh scripts/lint COMMAND bash scripts/lint rtl)
row(shell.lint COMMAND bash scripts/lint shell)

# Workloads: every version at every test size under every engine, the same statistics; the gate takes an eighth of the GPU configurations
# for each, nightly rows take all.
set(which 0)
foreach(workload ${TANDEM_WORKLOADS})
  math(EXPR which "${which} + 1")
  list(JOIN ${workload}_VERSIONS " " versions)
  list(JOIN ${workload}_TESTS " " arguments)
  set(command bash tests/law/workload_engines.sh ${CMAKE_BINARY_DIR} ${workload} "${versions}" "${arguments}")
  row(${workload}.engines SLICE gpu-model COMMAND ${command} ${which})
  row(${workload}.engines_long SLICE gpu-model NIGHTLY INPUTS ${simulation_inputs} ${kit_inputs} tests/law/workload_engines.sh COMMAND ${command})
endforeach()

# Experiments in their quick form; tests of claims find their runs.
file(GLOB experiments CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/configs/experiments/*.yaml)
foreach(file ${experiments})
  get_filename_component(name ${file} NAME_WE)
  slice_of(${file} slice)
  row(${name}.experiment SLICE ${slice} COMMAND bash tests/law/experiment.sh ${CMAKE_BINARY_DIR} ${name})
  list(APPEND experiment_rows ${name}.experiment)
endforeach()

# Shell tests: tests/{law,cli,robustness}/<name>.sh BUILD_DIR. A line "# label: nightly" in the file counts; a file with
# "# rows: elsewhere" is called by the rows above. A nightly one depends on the program, itself, and what it names of tests and
# scripts; on the laws of proofs and the models' side of equality only where its text has a word of what reads them.
file(GLOB shell_tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/law/*.sh ${CMAKE_SOURCE_DIR}/tests/cli/*.sh
     ${CMAKE_SOURCE_DIR}/tests/robustness/*.sh)
foreach(file ${shell_tests})
  file(STRINGS ${file} elsewhere REGEX "^# rows: elsewhere")
  file(STRINGS ${file} nightly REGEX "^# label: nightly")
  if(elsewhere)
    continue()
  endif()
  get_filename_component(name ${file} NAME_WE)
  get_filename_component(kind ${file} DIRECTORY)
  get_filename_component(kind ${kind} NAME)
  slice_of(${file} slice)
  set(options SLICE ${slice})
  if(nightly)
    file(READ ${file} text)
    string(REGEX MATCHALL "(tests|scripts)/[a-z/]*[a-z_]+(\\.[a-z]+)?|configs/verification\\.json" named "${text}")
    set(inputs ${simulation_inputs})
    if(text MATCHES "prove|--equal|claims|coverage|verification|install|package")
      set(inputs ${program_inputs})
    endif()
    list(APPEND options NIGHTLY INPUTS ${inputs} ${kit_inputs} tests/${kind}/${name}.sh ${named})
  endif()
  row(${name}.${kind} ${options} COMMAND bash ${file} ${CMAKE_BINARY_DIR})
endforeach()
set_tests_properties(claims.law PROPERTIES DEPENDS "${experiment_rows}")
file(RENAME ${CMAKE_BINARY_DIR}/rows.txt.new ${CMAKE_BINARY_DIR}/rows.txt)
