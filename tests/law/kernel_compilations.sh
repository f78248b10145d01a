#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# label: nightly
# kernel_compilations.sh BUILD_DIR: the results do not depend on who compiled the kernels. Every workload, at its test sizes, from
# PTX that clang makes without optimisation and for another architecture, and from nvcc's where there is one.
. tests/kit/shell.sh
python=$(cached TANDEM_PYTHON) cc=$(cached CMAKE_C_COMPILER)

compile() { # compile HOW SOURCE VERSION OUT
  local version=-DTANDEM_VERSION_${3^^}
  case $1 in
    plain) to_ptx "$2" "$4" -O0 "$version" ;;
    sm_86) to_ptx "$2" "$4" -O1 --no-cuda-gpu-arch=sm_70 --cuda-gpu-arch=sm_86 "$version" ;;
    nvcc) nvcc -rdc=true -ptx "-I$headers" "$version" "$2" -o "$4" >"$work/log" 2>&1 ;;
  esac || fail_showing "$work/log" "$1 does not compile $2 version $3"
}
build_host() { # build_host HOW WORKLOAD SOURCE: leaves $work/WORKLOAD
  local version pairs=()
  for version in $(of_workload "$2" VERSIONS); do
    compile "$1" "$3" "$version" "$work/$version.ptx"
    pairs+=("$version=$work/$version.ptx")
  done
  "$python" scripts/gen/workloads.py --ptx "$work" "$2" "${pairs[@]}"
  "$cc" -std=gnu11 -O1 -I"$work" -I"$build/generated" -Itestbench/workloads "-I$headers" "testbench/workloads/$2/host.c" \
    -o "$work/$2" -L"$build/lib/tandem" -lcuda -lm
}
computes() { # computes WORKLOAD VERSION ARGS
  local system
  mapfile -t system < <(system_of "$2")
  # the registers of these architectures: without bounds a compiler takes more than 32 for CTAs of 1024 threads
  "$tandem" run "$work/$1:version=$2,$3" "${system[@]}" --set sm.registers=65536 --out "$work/run" >"$work/log" 2>&1
}

ways=(plain sm_86)
if command -v nvcc >/dev/null; then ways+=(nvcc); else echo "no nvcc: clang only"; fi
for how in "${ways[@]}"; do
  count=0
  for workload in $(each_workload VERSIONS | cut -d' ' -f1); do
    build_host "$how" "$workload" "testbench/workloads/$workload/kernel.cu"
    for version in $(of_workload "$workload" VERSIONS); do
      for args in $(of_workload "$workload" TESTS); do
        computes "$workload" "$version" "$args" || fail_showing "$work/log" "$how: $workload:version=$version,$args fails"
        count=$((count + 1))
      done
    done
  done
  [ $count -gt 50 ] || fail "only $count runs"
  echo "$how: $count runs with the right result"
done

# The check can fail: a kernel that subtracts.
mkdir -p "$work/wrong/vecadd"
cp testbench/workloads/*.h "$work/wrong"
cp testbench/workloads/vecadd/*.h "$work/wrong/vecadd"
sed 's/a\[i\] + b\[i\]/a[i] - b[i]/' testbench/workloads/vecadd/kernel.cu >"$work/wrong/vecadd/kernel.cu"
planted testbench/workloads/vecadd/kernel.cu "$work/wrong/vecadd/kernel.cu" "a kernel that subtracts"
build_host plain vecadd "$work/wrong/vecadd/kernel.cu"
! computes vecadd baseline n=1000 && grep -q FAIL "$work/log" || fail "a wrong kernel passed"
