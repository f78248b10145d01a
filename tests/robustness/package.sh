#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# label: nightly
# package.sh BUILD_DIR: cpack (scripts/package) makes a Debian package that dpkg accepts into an empty root, from which Tandem runs the
# tutorial of a block of one's own as it is typed; every library that its programs need is in a package that it depends on.
. tests/kit/shell.sh
. tests/kit/pages.sh
must cpack --config "$build/CPackConfig.cmake" -G DEB -B "$work/made"
package=$(echo "$work"/made/tandem_*.deb)
[ -s "$package" ] || fail "no package in $(ls "$work/made")"
sed 's,build/bin/tandem,tandem,g' docs/tutorials/own-block.md >"$work/page.md"
mkdir "$work/page"
split "$work/page.md" "$work/page"
[ "$(wc -l <"$work/page/commands")" -ge 15 ] || fail "the tutorial has too few commands"
root=$work/root
mkdir -p "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/info" "$root/var/log"
: >"$root/var/lib/dpkg/status"
must dpkg --root="$root" --log=/dev/null --force-not-root --force-depends --force-script-chrootless -i "$package"
dpkg-deb -f "$package" Depends | tr ',' '\n' | sed 's/ (.*//; s/ //g' >"$work/depends"
for file in "$root/usr/bin/tandem" "$root"/usr/lib/tandem/libcuda.so.1 "$root/usr/lib/tandem/workloads/saxpy"; do
  ldd "$file" | awk '/=> \//{ print $3 }' | grep -v "^$root" | while read -r library; do
    owner=$(dpkg -S "*/$(basename "$(realpath "$library")")" | sed "s/:.*//") # by name: /lib may be a link to /usr/lib
    grep -qx "$owner" "$work/depends" || fail "$file needs $library of $owner, which the package does not depend on"
  done
done
cd "$work"
export XDG_CACHE_HOME=$work/cache
unset TANDEM_CACHE
must "$root/usr/bin/tandem" run saxpy:n=4096 -c small --out out
must "$root/usr/bin/tandem" check onehot_index --cycles 1000
"$root/usr/bin/tandem" --version | grep -qx "$("$tandem" --version)" || fail "another version than that of the build"
(PATH=$root/usr/bin:$PATH execute "$work/page") || fail "the tutorial fails from the package"
if command -v man >/dev/null; then must man -M "$root/usr/share/man" tandem-run; fi
must dpkg --root="$root" --log=/dev/null --force-not-root --force-script-chrootless -r tandem
[ ! -e "$root/usr/bin/tandem" ] || fail "the program stays after the removal"
echo "$(basename "$package"), $(stat -c %s "$package") bytes"
