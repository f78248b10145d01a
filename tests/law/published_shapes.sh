#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# published_shapes.sh BUILD_DIR: workloads that papers describe have the papers' grids, CTAs, shared accesses and bank conflicts, and
# execute about as many instructions (another compiler: a quarter more or less). Figures: Gou 2011, table 4; Yuan 2009, table 2.1.
. tests/kit/shell.sh
launches() { # launches WORKLOAD OPTION...: leaves them without white space
  workload=$1
  simulate run "$@"
  tr -d ' \n' <"$work/run/run.json" | sed 's/.*"launches":\[\(.*\)/\1/' >"$work/launches"
}
launch() { # launch KERNEL GRID BLOCK: there is one
  grep -q "\"kernel\":\"$1\",\"grid\":\[$2\],\"block\":\[$3\]" "$work/launches" || fail "$workload: no launch of $1 with grid $2, CTA $3"
}
counter() { sed 's/.*\],"sm":{/{/; s/}.*//; s/.*[{,]"'"$1"'":\([0-9]*\).*/\1/' "$work/launches"; } # of all launches
near() { # near PUBLISHED: thread instructions
  local n
  n=$(counter thread_instructions)
  [ $((n * 4)) -ge $(($1 * 3)) ] && [ $((n * 4)) -le $(($1 * 5)) ] || fail "$workload: $n thread instructions, published $1"
  echo "$workload: $n thread instructions, published $1"
}
shared() { # shared WARP_ACCESSES
  [ "$(counter shared_accesses)" = "$1" ] || fail "$workload: $(counter shared_accesses) shared accesses of warps, published $1"
}
# degree HUNDREDTHS [SUBWARPS]: mean cycles of a shared access by eight lanes, of which the launches make SUBWARPS (4 a warp)
degree() {
  local subwarps=${2:-$(($(counter shared_accesses) * 4))} cycles
  cycles=$((subwarps + $(counter shared_conflict_cycles)))
  [ $(((200 * cycles + subwarps) / (2 * subwarps))) = "$1" ] || fail "$workload: $subwarps accesses take $cycles cycles, published $1 of 100 each"
}
paper=(--set sm.simd_width=8 --set shared.lanes=8 --set shared.banks=8) # lanes and banks of Gou 2011, table 3

launches transpose:rows=256,columns=256,tile=16,version=baseline "${paper[@]}"
launch transpose16 16,16,1 16,16,1
near 3538944
shared $((131072 / 32))
degree 450

for inverse in 0 1; do
  name=$([ $inverse = 1 ] && echo idct8x8 || echo dct8x8)
  launches dct8x8:version=baseline,inverse=$inverse "${paper[@]}"
  launch $name 16,32,1 8,4,2
  near $((inverse ? 7405568 : 7274496))
  shared $((1572864 / 32))
  degree 333
  launches dct8x8_short:version=baseline,inverse=$inverse "${paper[@]}"
  launch ${name}_short 16,16,1 8,4,4
  near $((inverse ? 10190848 : 10223616))
  shared $((1048576 / 32))
  degree 275
done

# A CTA: 32 subwarps store, 16, 8, 4, 2, 1, 1, 1, 1 load twice and store, one loads; three launches of 16384 + 64 + 1 CTAs.
launches reduction:version=strided "${paper[@]}"
launch reduction 16384,1,1 256,1,1
near 415170560
degree 307 $(((32 + 3 * 34 + 1) * (16384 + 64 + 1)))

# A thread stores its input and four tables (to decrypt, the inverse S-box too), loads and stores with the first key; each of 9
# rounds takes 4 bytes, 4 table words and a store, the last one 4 bytes, 4 S-box bytes and 4 stores, and a load ends it.
launches aes:version=manavski,blocks=16448 "${paper[@]}"
launch aes_encrypt 257,1,1 256,1,1
shared $((257 * 8 * (5 + 2 + 9 * 9 + 12 + 1)))
launches aes:version=manavski,blocks=16448,decrypt=1 "${paper[@]}"
launch aes_decrypt 257,1,1 256,1,1
shared $((257 * 8 * (6 + 2 + 9 * 9 + 12 + 1)))
launches aes:version=manavski256,blocks=16448 "${paper[@]}"
shared $((257 * 8 * (5 + 2 + 13 * 9 + 12 + 1)))

launches fwt:convolution=0
launch fwt_global 512,1,1 256,1,1
launch fwt_shared 256,1,1 512,1,1

# Lashgar 2018, 5.1.1 and table 4: CTAs of 256 threads; staging by hand adds two stores and two loads of shared memory a thread.
launches matrix_add:version=hand,rows=64,columns=96
launch matrix_add 6,4,1 16,16,1
shared $((6 * 4 * 8 * (2 + 2)))

# Nine loads a thread of a CTA of 16 x 16; by hand 18 x 18 cells, 11 warps of them, are stored, and nine are loaded again.
launches jacobi:version=plain,rows=66,columns=34,iterations=1
launch jacobi 2,4,1 16,16,1
[ "$(counter global_loads)" = $((2 * 4 * 8 * 9)) ] || fail "jacobi: $(counter global_loads) loads of warps, nine each are wanted"
shared 0
launches jacobi:version=hand,rows=66,columns=34,iterations=1
shared $((2 * 4 * (11 + 8 * 9)))
