#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: cuda
# settings.sh BUILD_DIR: options of `tandem run` go before TANDEM_ variables, these before tandem.yaml (docs/settings.md); what a file says
# wrong is refused with its line; processes of one program write into folders of their own.
. tests/kit/shell.sh
. tests/kit/kernels.sh
mkdir "$work/here"
cd "$work/here"
saxpy=(saxpy:n=256)

config() { jq -r ".config.$1" "$2/run.json"; } # config KEY FOLDER
says() { # says WANTED KEY FOLDER
  local got
  got=$(config "$2" "$3")
  [ "$got" = "$1" ] || fail "$2 in $3 is $got, not $1"
}

# ---- who wins ----
cat >tandem.yaml <<'Y'
c: small
set: {sm.count: 2}
seed: 5
histograms: true
out: from_file
Y
must "$tandem" run "${saxpy[@]}"
says small machine from_file
says 2 'parameters."sm.count"' from_file
says 5 seed from_file
[ -f from_file/histograms.csv ] || fail "histograms: true has no effect"
must env TANDEM_SEED=6 "$tandem" run "${saxpy[@]}"
says 6 seed from_file
must env TANDEM_SEED=6 TANDEM_OUT=from_environment "$tandem" run "${saxpy[@]}" --seed 7
says 7 seed from_environment
must "$tandem" run "${saxpy[@]}" --set sm.count=1 -c gtx480 --out from_option
says gtx480 machine from_option
says 1 'parameters."sm.count"' from_option
says 5 seed from_option
must env TANDEM_SEED=6 "$tandem" run "${saxpy[@]}" --options-only -c small --set sm.count=3
says 1 seed tandem-out/saxpy
says 3 'parameters."sm.count"' tandem-out/saxpy
[ ! -f tandem-out/saxpy/histograms.csv ] || fail "--options-only takes the file's histograms"

# the file named by a variable, none, and a program without tandem run
printf 'machine: small\nsystem: d2ma\nset:\n  - sm.count=4\n  - sm.schedulers=1\n' >other.yaml
must env TANDEM_FILE=other.yaml "$tandem" run "${saxpy[@]}" --out named
says 4 'parameters."sm.count"' named
says d2ma system named
says 'saxpy:n=256,version=d2ma' workload named
must env TANDEM_FILE=none "$tandem" run "${saxpy[@]}" -c small --out none
says 1 seed none
rm -rf from_file
must env LD_LIBRARY_PATH="$build/lib/tandem" "$build/lib/tandem/workloads/saxpy" n=256
says 5 seed from_file

# ---- what is wrong ----
wrong() { # wrong WORDS TEXT: tandem.yaml of this text is refused, by tandem run and by a program
  printf "$2" >tandem.yaml
  rm -rf out
  refused "$1" "$tandem" run "${saxpy[@]}" --out out
  [ ! -e out ] || fail "a folder of a run that was refused: $2"
  ! LD_LIBRARY_PATH="$build/lib/tandem" "$build/lib/tandem/workloads/saxpy" n=256 >/dev/null 2>said || fail "the program accepts $2"
  grep -q -e "$1" said || fail_showing said "the program's sentence is not '$1'"
}
wrong "tandem.yaml:2: no key 'sytem'; did you mean system" 'c: small\nsytem: d2ma\n'
wrong 'tandem.yaml:1: seed=abc: not a number' 'seed: abc\n'
wrong 'tandem.yaml:2: lines=maybe: write 1 or 0' 'c: small\nlines: maybe\nout: out\n'
wrong 'tandem.yaml:1: functional: write true or false' 'functional: 3\n'
wrong 'tandem.yaml:2: machine says again' 'c: small\nmachine: gtx480\n'
wrong 'tandem.yaml:1: one value is wanted here' 'seed: [1, 2]\n'
wrong 'tandem.yaml:2: .* is no word' 'set:\n  - sm.count=4 seed=1\n'
wrong "tandem.yaml:1: system: no system 'd2mb'; did you mean d2ma" 'system: d2mb\n'
wrong 'tandem.yaml:1: cache is set by the environment only: TANDEM_CACHE' 'cache: /tmp\n'
wrong 'tandem.yaml:1: engine.*lock' 'engine: {"sm*": lock}\n'
wrong 'tandem.yaml:1' 'c: small: 3\n'
wrong 'KEY: VALUE' '[a, b]\n'
rm tandem.yaml
refused 'missing.yaml' env TANDEM_FILE=missing.yaml "$tandem" run "${saxpy[@]}"

# ---- several processes ----
cat >processes.c <<'C'
/* N WAIT: N processes, of which number i launches i times; with WAIT each begins when the one before has ended. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#define CHECK(call) do { CUresult r = call; if (r) { fprintf(stderr, "%s: %d\n", #call, (int)r); exit(1); } } while (0)
static void work(int launches, int begin, int end) {
  CUdevice device; CUcontext context; CUmodule module; CUfunction f; CUdeviceptr memory;
  char c;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuCtxCreate(&context, 0, device));
  CHECK(cuModuleLoad(&module, "kernel.ptx"));
  CHECK(cuModuleGetFunction(&f, module, "square"));
  CHECK(cuMemAlloc(&memory, 256));
  if (begin >= 0 && (write(begin, "x", 1) != 1 || read(end, &c, 1) < 0)) exit(1); /* all are open */
  for (int i = 0; i < launches; i++) CHECK(cuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, 0, (void *[]){&memory}, 0));
  CHECK(cuCtxSynchronize());
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]), one_by_one = argc > 2, begin[2], end[2], bad = 0, status;
  if (pipe(begin) || pipe(end)) return 1;
  for (int i = 1; i <= n; i++) {
    if (!fork()) {
      close(end[1]);
      work(i, one_by_one ? -1 : begin[1], end[0]);
      exit(0);
    }
    if (one_by_one) bad |= wait(&status) < 0 || status;
  }
  char c;
  for (int i = 0; i < n && !one_by_one; i++) bad |= read(begin[0], &c, 1) != 1;
  close(end[1]);
  for (int i = 0; i < n && !one_by_one; i++) bad |= wait(&status) < 0 || status;
  return bad;
}
C
square_ptx >kernel.ptx
host_program processes.c processes
launches() { jq '.statistics.launches | length' "$@" | sort -n | tr '\n' ' '; }
for how in '' wait; do
  rm -rf out
  must "$tandem" run ./processes -c small --out out 3 $how
  [ "$(launches out/run.json out/process.2/run.json out/process.3/run.json)" = "1 2 3 " ] || fail "the processes' launches are $(launches out/*/run.json out/run.json)"
  [ "$(ls -A out | grep -c process)" = 2 ] || fail "$(ls -A out)"
  for n in 2 3; do
    grep -q "process $n of the program: pass; out/process.$n" "$work/log" || fail_showing "$work/log" "no line of process $n"
    [ -f out/process.$n/statistics.csv ] || fail "no statistics of process $n"
  done
done
must "$tandem" run ./processes -c small --out out 1 # an older run's processes do not pass for this one's
[ "$(ls -A out | grep -c process)" = 0 ] || fail "left from an older run: $(ls -A out)"

# without tandem run: those that live at the same time
rm -rf out
export LD_LIBRARY_PATH=$build/lib/tandem TANDEM_MACHINE=small TANDEM_OUT=out
must ./processes 3
[ "$(launches out/run.json out/process.2/run.json out/process.3/run.json)" = "1 2 3 " ] || fail "without tandem run: $(ls -A out)"
must ./processes 2 wait
[ "$(launches out/run.json)" = "2 " ] || fail "the last process is not the one in the folder"
[ -z "$(ls -A out | grep '^\.')" ] || fail "marks stay: $(ls -A out)"
echo "option, environment, file; twelve wrong files; processes at the same time and one after another"
