# SPDX-License-Identifier: Apache-2.0
# `cmake --install`, find_package(Tandem), pkg-config, and the packages of cpack. What lies where: csim/base/place.h. The prefix can
# be moved as a whole.

include(CMakePackageConfigHelpers)
set(share share/tandem)

install(TARGETS tandem RUNTIME DESTINATION bin)
install(TARGETS cuda EXPORT TandemTargets LIBRARY DESTINATION lib/tandem)
install(TARGETS cudart12 cudart13 static_cudart LIBRARY DESTINATION lib/tandem)
foreach(workload ${TANDEM_WORKLOADS})
  set_target_properties(workload_${workload} PROPERTIES INSTALL_RPATH "\$ORIGIN/..")
  install(TARGETS workload_${workload} RUNTIME DESTINATION lib/tandem/workloads)
endforeach()

# what the program reads
install(DIRECTORY configs rtl waves DESTINATION ${share})
install(FILES dpi/verilator_shim.cpp dpi/verilated_traits.sh dpi/verilator_coverage.cpp dpi/coverage.vlt dpi/rtl_model.h dpi/rtl_coverage_ops.h dpi/netlist_replay.cpp dpi/netlist_replay.h DESTINATION ${share}/dpi)
install(DIRECTORY ${TANDEM_GENERATED}/ DESTINATION ${share}/generated FILES_MATCHING PATTERN "*.sv" PATTERN "*.v" PATTERN "*_ports.h" PATTERN "*_model.inc")
install(DIRECTORY scripts/synth scripts/gen scripts/equal scripts/mutants DESTINATION ${share}/scripts PATTERN __pycache__ EXCLUDE)
install(PROGRAMS scripts/prove scripts/setup DESTINATION ${share}/scripts)
install(DIRECTORY testbench DESTINATION ${share} FILES_MATCHING PATTERN "*.svh" PATTERN "*.cu" PATTERN "*.c" PATTERN "*.h")
install(FILES ${TANDEM_DATA}/version DESTINATION ${share})

# the C models, for the proofs that the RTL is equal to them
install(DIRECTORY csim/blocks DESTINATION ${share}/csim FILES_MATCHING PATTERN "*.c" PATTERN "*.h")

# what models of users' own blocks, and proposals in a shared object (core/tandem.h), include
install(DIRECTORY csim/base csim/block csim/config csim/device csim/ptx csim/mem csim/noc csim/dram csim/core
        DESTINATION ${share}/csim FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN "rng.c")

# what users read
install(DIRECTORY ${CMAKE_BINARY_DIR}/share/man ${CMAKE_BINARY_DIR}/share/bash-completion DESTINATION share)
install(FILES README.md LICENSE DESTINATION share/doc/tandem)
install(DIRECTORY docs DESTINATION share/doc/tandem)
install(DIRECTORY ${CMAKE_BINARY_DIR}/docs/reference DESTINATION share/doc/tandem)
install(DIRECTORY tests/examples DESTINATION share/doc/tandem/tests)
foreach(folder configs csim rtl waves) # the pages refer to them as neighbours
  install(CODE "file(CREATE_LINK ../../tandem/${folder} \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share/doc/tandem/${folder}\" SYMBOLIC)")
endforeach()

# what their programs are built with
install(DIRECTORY csim/cuda/include/ DESTINATION include/tandem FILES_MATCHING PATTERN "*.h")
install(EXPORT TandemTargets NAMESPACE Tandem:: DESTINATION lib/cmake/Tandem)
list(JOIN TANDEM_CUDA_FLAGS " " TANDEM_CUDA_FLAGS_TEXT)
configure_package_config_file(scripts/package/TandemConfig.cmake.in ${CMAKE_BINARY_DIR}/package/TandemConfig.cmake
                              INSTALL_DESTINATION lib/cmake/Tandem)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/package/TandemConfigVersion.cmake COMPATIBILITY SameMinorVersion)
configure_file(scripts/package/tandem.pc.in ${CMAKE_BINARY_DIR}/package/tandem.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/package/TandemConfig.cmake ${CMAKE_BINARY_DIR}/package/TandemConfigVersion.cmake
        DESTINATION lib/cmake/Tandem)
install(FILES ${CMAKE_BINARY_DIR}/package/tandem.pc DESTINATION lib/pkgconfig)

# cpack: a Debian package and an archive
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME tandem)
set(CPACK_PACKAGE_CONTACT "Tandem <tandem@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "co-simulation of GPU memory-system proposals")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Verilog blocks in a cycle-level C model of a GPU, compared with their C models in every cycle.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/lib/tandem)
# Verilog is compiled at the first use of a block; the others serve single commands, which say what they miss.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "verilator, g++, zlib1g-dev, clang, yosys, opensta, qflow-tech-osu018, z3, gnuplot-nox, gtkwave, python3-yaml")
include(CPack)
