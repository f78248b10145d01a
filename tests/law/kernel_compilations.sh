#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# label: nightly
# timeout: 900
# kernel_compilations.sh BUILD_DIR: the results do not depend on who compiled the kernels. Every workload, at its test sizes, from
# PTX that clang makes without optimisation and for another architecture, and from nvcc's where there is one.
set -eu
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
clang=$(cached TANDEM_CLANG) python=$(cached TANDEM_PYTHON) cc=$(cached CMAKE_C_COMPILER)
headers=csim/cuda/include list=$build/generated/workloads.cmake
front=(-x cuda --cuda-device-only -nocudainc -nocudalib -Xclang -target-feature -Xclang +ptx75 -Wno-unknown-cuda-version -S)
listed() { sed -n "s/^set($1_$2 \(.*\))\$/\1/p" "$list"; } # listed WORKLOAD VERSIONS|TESTS

compile() { # compile HOW SOURCE VERSION OUT
  local flags=("-I$headers" "-DTANDEM_VERSION_${3^^}" "$2" -o "$4")
  case $1 in
    plain) "$clang" "${front[@]}" --cuda-gpu-arch=sm_70 -O0 "${flags[@]}" ;;
    sm_86) "$clang" "${front[@]}" --cuda-gpu-arch=sm_86 -O1 "${flags[@]}" ;;
    nvcc) nvcc -rdc=true -ptx "${flags[@]}" ;;
  esac >"$work/compiler" 2>&1 || { cat "$work/compiler"; echo "$1 does not compile $2 version $3"; exit 1; }
}
build_host() { # build_host HOW WORKLOAD SOURCE: leaves $work/WORKLOAD
  local version pairs=()
  for version in $(listed "$2" VERSIONS); do
    compile "$1" "$3" "$version" "$work/$version.ptx"
    pairs+=("$version=$work/$version.ptx")
  done
  "$python" scripts/gen/workloads.py --ptx "$work" "$2" "${pairs[@]}"
  "$cc" -std=gnu11 -O1 -I"$work" -I"$build/generated" -Itestbench/workloads -I$headers "testbench/workloads/$2/host.c" \
    -o "$work/$2" -L"$build/lib" -lcuda -lm
}
simulate() { # simulate WORKLOAD VERSION ARGS
  local system=()
  "$build/bin/tandem" list systems | grep -q "^$2 " && system=(--system "$2")
  # the registers of these architectures: without bounds a compiler takes more than 32 for CTAs of 1024 threads
  "$build/bin/tandem" run "$work/$1:version=$2,$3" "${system[@]}" --set sm.registers=65536 --out "$work/run" >"$work/log" 2>&1
}

ways=(plain sm_86)
if command -v nvcc >/dev/null; then ways+=(nvcc); else echo "no nvcc: clang only"; fi
for how in "${ways[@]}"; do
  count=0
  for workload in $(sed -n 's/^set(TANDEM_WORKLOADS \(.*\))$/\1/p' "$list"); do
    build_host "$how" "$workload" "testbench/workloads/$workload/kernel.cu"
    for version in $(listed "$workload" VERSIONS); do
      for args in $(listed "$workload" TESTS); do
        simulate "$workload" "$version" "$args" || { cat "$work/log"; echo "$how: $workload:version=$version,$args fails"; exit 1; }
        count=$((count + 1))
      done
    done
  done
  [ $count -gt 50 ] || { echo "only $count runs"; exit 1; }
  echo "$how: $count runs with the right result"
done

# The check can fail: a kernel that subtracts.
sed 's/a\[i\] + b\[i\]/a[i] - b[i]/' testbench/workloads/vecadd/kernel.cu >"$work/kernel.cu"
build_host plain vecadd "$work/kernel.cu"
if simulate vecadd baseline n=1000 || ! grep -q FAIL "$work/log"; then echo "a wrong kernel passed"; exit 1; fi
