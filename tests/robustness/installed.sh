#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: foundation
# installed.sh BUILD_DIR: an installation works by itself, in any place. It is moved after the installing, and the commands run where the
# source tree and the build folder are hidden: those of README.md, a first verilating, a proof, the check of a user's own block and of a new one, a plug-in, and programs built by
# find_package, by pkg-config and by hand. No installed file names the source tree or the build folder.
. tests/kit/shell.sh
. tests/kit/pages.sh
hide=(unshare --mount)
[ "$(id -u)" = 0 ] || hide=(unshare --map-root-user --mount)
"${hide[@]}" true 2>/dev/null || skip "this host allows no mount namespace (${hide[*]})"

must cmake --install "$build" --prefix "$work/first"
mv "$work/first" "$work/prefix"
named() { grep -rlaF -e "$root" -e "$build" "$1" || true; } # named FOLDER: its files that name either
[ -z "$(named "$work/prefix")" ] || fail "these files name the source tree: $(named "$work/prefix")"
pages=$work/prefix/share/doc/tandem/docs # the examples and files that a page refers to are there
for target in $(grep -oE '\]\(\.\./[^)]*' "$pages/own-blocks.md" | cut -c3-); do
  [ -s "$pages/$target" ] || fail "own-blocks.md refers to $target, which is not installed"
done
mkdir "$work/named"
echo "x$build" >"$work/named/file"
[ -n "$(named "$work/named")" ] || fail "a file that names the build folder was not noticed"

# The keys of Verilated libraries hold contents, not places: those of the build serve. That of onehot_index is made anew.
export XDG_CACHE_HOME=$work/cache
unset TANDEM_CACHE
mkdir -p "$work/cache/tandem"
cp -r "$build/rtl" "$work/cache/tandem" 2>/dev/null || true # a row beside this one may remove the folder in which it made a library
rm -f "$work"/cache/tandem/rtl/*/onehot_index-*
libraries() { # libraries: how many, but for blocks outside of the tree
  find "$work/cache/tandem/rtl" -name '*.so' ! -path '*/own/*' ! -name 'token_bucket-*' ! -name 'mine-*' | wc -l
}
before=$(libraries)

cp tests/examples/plugin/throttle.c "$work" # a proposal outside of the tree
cp -r tests/examples/plain "$work/own" # a block outside of the tree
sed 's,build/bin/tandem,tandem,g' README.md >"$work/page.md"
mkdir "$work/page" "$work/program"
split "$work/page.md" "$work/page"
[ "$(wc -l <"$work/page/commands")" -ge 8 ] || fail "README.md has too few commands"
split docs/tutorials/your-cuda-program.md "$work/program" # scale.cu and scale.c
sanitizers=
[ "$(cached TANDEM_SANITIZE)" != ON ] || sanitizers=-fsanitize=address,undefined
clang=$(cached TANDEM_CLANG)
cat >"$work/program/CMakeLists.txt" <<'C'
cmake_minimum_required(VERSION 3.25)
project(scale LANGUAGES C)
find_package(Tandem 0.1 REQUIRED)
add_executable(scale scale.c)
target_link_libraries(scale PRIVATE Tandem::cuda)
tandem_ptx(scale scale.cu)
C

# ---- what follows runs with both folders hidden ----
programs() {
  cd "$work/program"
  CFLAGS=$sanitizers must cmake -S . -B made -DCMAKE_PREFIX_PATH="$work/prefix"
  must cmake --build made
  (cd made && must ./scale && must tandem run ./scale -c small --out out)
  PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig
  export PKG_CONFIG_PATH
  must "$clang" $(pkg-config --variable=ptxflags tandem) scale.cu -o scale.ptx
  must cc $sanitizers scale.c $(pkg-config --cflags --libs tandem) -o scale
  # a driver that is installed stays in use: the library is found only where it is asked for
  ! ldd ./scale | grep -qF "$work" || fail "the loader finds our libcuda.so.1 by itself"
  must tandem run ./scale -c small --out out
  must cc -shared -fPIC $(pkg-config --variable=pluginflags tandem) "$work/throttle.c" -o throttle.so
  must tandem run saxpy:n=64 -c small --plugin ./throttle.so --system throttle --out throttled
  grep -q '"result": "pass"' out/run.json || fail_showing out/run.json "the program of pkg-config does not pass"
  cd ../prefix/lib # a relative path of the library, left by the program or not
  (ln -s "$work/program/scale.ptx" . && LD_LIBRARY_PATH=tandem must "$work/program/scale")
}
without_the_tree() {
  PATH=$work/prefix/bin:$PATH
  [ -z "$(ls "$root")" ] || fail "the source tree is not hidden"
  tandem --version | grep -q "^tandem $version" || fail "not the version: $(tandem --version)"
  (execute "$work/page") || fail "a command of README.md fails"
  must tandem check onehot_index --cycles 1000
  [ "$(find "$work/cache/tandem/rtl" -name 'onehot_index-*.so' | wc -l)" = 1 ] || fail "nothing was verilated"
  must tandem prove onehot_index
  [ -d "$work/cache/tandem/certificates/onehot_index/proof" ] || fail "the proof left no certificate"
  must tandem check token_bucket --manifest "$work/own/blocks.yaml" --cycles 1000
  must tandem new block mine --like fifo --out "$work/mine"
  must tandem check mine --manifest "$work/mine/blocks.yaml" --cycles 1000
  programs
  cp -r "$work/prefix/share/tandem" "$work/other"
  mv "$work/other/configs/gpu/small.yaml" "$work/other/configs/gpu/mine.yaml"
  TANDEM_DATA_DIR=$work/other must tandem run saxpy:n=64 -c mine --out "$work/out"
  refused "$work/none" env TANDEM_DATA_DIR="$work/none" tandem run saxpy:n=64
}
version=$(cached CMAKE_PROJECT_VERSION)
export root build work sanitizers clang version
export -f fail fail_showing must ends_with refused execute programs without_the_tree
"${hide[@]}" bash -c 'set -eu
  cd "$work"
  mount -t tmpfs hidden "$root"
  [ ! -d "$build" ] || mount -t tmpfs hidden "$build"
  without_the_tree'
[ "$(libraries)" = $((before + 1)) ] || fail "$(libraries) Verilated libraries instead of $((before + 1))"
echo "installed: $(find "$work/prefix" -type f | wc -l) files, $(wc -l <"$work/page/commands") commands of README.md"
