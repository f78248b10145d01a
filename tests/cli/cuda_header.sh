#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# cuda_header.sh BUILD_DIR: names, values and layouts of our cuda.h are those of NVIDIA's, where that is installed. Each
# enumerator of our header becomes a line of a probe that is compiled against both; so do the structures' members, and the
# calls must have the same types.
. tests/kit/shell.sh
ours=$headers theirs=${CUDA_HOME:-/usr/local/cuda}/include
[ -f "$theirs/cuda.h" ] || skip "no NVIDIA cuda.h in $theirs (CUDA_HOME)"
cd "$work"

gcc -E -P -I"$ours" "$ours/cuda.h" >ours.i
# every enumerator; the last of an enumeration (..._MAX, NUM_...) counts what a version of the header knows
grep -oE '\bCUD?A?_[A-Z0-9a-z_]+ *= *\(?' ours.i | grep -oE '^CU[A-Za-z0-9_]+' | sort -u |
  grep -vE '_(MAX|NUM_OPTIONS|NUM_INPUT_TYPES)$' >enumerators
[ "$(wc -l <enumerators)" -gt 400 ] || fail "only $(wc -l <enumerators) enumerators found"
macros='CU_MEMHOSTALLOC_PORTABLE CU_MEMHOSTALLOC_DEVICEMAP CU_MEMHOSTALLOC_WRITECOMBINED CU_MEMHOSTREGISTER_PORTABLE
CU_MEMHOSTREGISTER_DEVICEMAP CU_MEMHOSTREGISTER_IOMEMORY CU_MEMHOSTREGISTER_READ_ONLY CU_DEVICE_CPU CU_DEVICE_INVALID
CU_TRSA_OVERRIDE_FORMAT CU_TRSF_READ_AS_INTEGER CU_TRSF_NORMALIZED_COORDINATES CU_TRSF_SRGB CUDA_ARRAY3D_LAYERED
CUDA_ARRAY3D_SURFACE_LDST CUDA_ARRAY3D_CUBEMAP CUDA_ARRAY3D_TEXTURE_GATHER'
pointers='CU_LAUNCH_PARAM_END CU_LAUNCH_PARAM_BUFFER_POINTER CU_LAUNCH_PARAM_BUFFER_SIZE CU_STREAM_LEGACY CU_STREAM_PER_THREAD'
members='CUlaunchConfig.gridDimX CUlaunchConfig.blockDimZ CUlaunchConfig.sharedMemBytes CUlaunchConfig.hStream CUlaunchConfig.attrs
CUlaunchConfig.numAttrs CUlaunchAttribute.id CUlaunchAttribute.value CUDA_MEMCPY2D.srcPitch CUDA_MEMCPY2D.dstXInBytes
CUDA_MEMCPY2D.Height CUDA_MEMCPY3D.srcLOD CUDA_MEMCPY3D.srcHeight CUDA_MEMCPY3D.dstXInBytes CUDA_MEMCPY3D.dstArray
CUDA_MEMCPY3D.Depth CUmemPoolProps.location CUmemPoolProps.maxSize CUmemAllocationProp.location CUmemAllocationProp.allocFlags CUmemPoolProps.usage CUmemAccessDesc.flags CUmemLocation.id
CUDA_KERNEL_NODE_PARAMS.kernelParams CUDA_KERNEL_NODE_PARAMS.ctx CUDA_MEMSET_NODE_PARAMS.width CUDA_HOST_NODE_PARAMS.userData
CUgraphEdgeData.reserved CUgraphExecUpdateResultInfo.errorFromNode CUctxCreateParams.numExecAffinityParams CUctxCreateParams.cigParams CUexecAffinityParam.param CUdevprop.clockRate
CUdevprop.textureAlign CUaccessPolicyWindow.hitRatio CUaccessPolicyWindow.missProp CUDA_RESOURCE_DESC.flags
CUDA_TEXTURE_DESC.borderColor CUDA_ARRAY3D_DESCRIPTOR.Flags CUDA_ARRAY_DESCRIPTOR.NumChannels CUuuid.bytes'
{
  echo '#include <cuda.h>'
  echo '#include <stddef.h>'
  echo '#include <stdio.h>'
  echo 'int main(void) {'
  while read -r name; do echo "printf(\"$name %lld\\n\", (long long)$name);"; done <enumerators
  for name in $macros; do echo "printf(\"$name %lld\\n\", (long long)$name);"; done
  for name in $pointers; do echo "printf(\"$name %p\\n\", (void *)$name);"; done
  for member in $members; do
    type=${member%.*} field=${member#*.}
    echo "printf(\"$member %zu %zu %zu\\n\", sizeof($type), offsetof($type, $field), sizeof((($type *)0)->$field));"
  done
  echo 'return 0; }'
} >probe.c
gcc -w -I"$ours" probe.c -o with_ours
gcc -w -I"$theirs" probe.c -o with_theirs 2>log || { head -20 log; fail "NVIDIA's header lacks a name of ours"; }
./with_ours >ours.txt
./with_theirs >theirs.txt
diff ours.txt theirs.txt >difference || fail_showing difference "our cuda.h (<) and NVIDIA's (>) differ"

mkdir planted
cp "$ours"/*.h planted/
sed -i 's/CU_JIT_WALL_TIME = 2/CU_JIT_WALL_TIME = 3/; s/size_t srcLOD;/int srcLOD;/' planted/*.h
gcc -w -Iplanted probe.c -o with_planted
./with_planted | diff - theirs.txt >difference && fail "a planted difference is not seen"
grep -q CU_JIT_WALL_TIME difference && grep -q srcLOD difference || fail "a planted difference is not seen"

# types of the calls: a declaration of ours after NVIDIA's is an error where they differ. Deprecated calls and those that
# CUDA 13 renamed are left out.
grep -oE '^CUresult cu[A-Za-z0-9_]+\(.*\);' ours.i | sed -E 's/cigParams//' |
  grep -vE ' (cuCtxCreate_v[23]|cuDeviceGetUuid|cuMemAdvise|cuMemPrefetchAsync|cuEventElapsedTime|cuGraphAddDependencies|cuGraphNodeGetDependencies|cuGraphRemoveDependencies|cuGraphGetEdges|cuGraphAddNode|cuGraphNodeGetDependentNodes)\(' >calls
[ "$(wc -l <calls)" -gt 200 ] || fail "only $(wc -l <calls) calls found"
{ echo '#include <cuda.h>'; cat calls; } >types.c
sed -i 's/const CUDA_RESOURCE_VIEW_DESC \*/const CUDA_RESOURCE_VIEW_DESC */' types.c
gcc -w -fsyntax-only -I"$theirs" types.c 2>log || { grep -E 'error|note' log | head -20; fail "a call has another type in NVIDIA's header"; }

# what NVIDIA's header maps a name to must be exported
grep -oE '^#define cu[A-Z][A-Za-z0-9]+ +cu[A-Za-z0-9_]+' "$theirs/cuda.h" | awk '{ print $2, $3 }' | while read -r plain versioned; do
  grep -qE "^CUresult $plain(_v[0-9])?\(" calls || continue
  echo "$versioned"
done | grep -v ptsz | sort -u >wanted
nm -D --defined-only "$build/lib/tandem/libcuda.so.1" | awk '{ print $3 }' | sort -u >exported
missing=$(comm -23 wanted exported)
[ -z "$missing" ] || fail "libcuda.so.1 lacks $missing"
# and so must every call that it declares for some program, served or refused
for program in -DDEFAULT -DCUDA_API_PER_THREAD_DEFAULT_STREAM -D__CUDA_API_VERSION_INTERNAL; do
  gcc -E -P $program -I"$theirs" -x c "$theirs/cuda.h" | grep -oE '\bcu[A-Z][A-Za-z0-9_]*\(' | tr -d '('
done | sort -u >declared
[ "$(wc -l <declared)" -gt 500 ] || fail "only $(wc -l <declared) calls in NVIDIA's header"
missing=$(comm -23 declared exported)
[ -z "$missing" ] || fail "libcuda.so.1 lacks $missing"
[ "$(wc -l <wanted)" -gt 20 ] || fail "only $(wc -l <wanted) versioned names found"
echo "$(wc -l <enumerators) enumerators, $(wc -w <<<"$members") members, $(wc -l <calls) calls, $(wc -l <wanted) versioned names agree"
