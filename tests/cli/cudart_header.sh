#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: cuda
# cudart_header.sh BUILD_DIR: names, version nodes, values and layouts of our runtime library are those of NVIDIA's, where that is
# installed. Of its library only the table of names is read.
. tests/kit/shell.sh
theirs=${CUDA_HOME:-/usr/local/cuda}
[ -f "$theirs/include/cuda_runtime_api.h" ] || skip "no NVIDIA cuda_runtime_api.h in $theirs/include (CUDA_HOME)"
cd "$work"
major=$(sed -n 's/^#define CUDART_VERSION *\([0-9]*\)[0-9]\{3\}$/\1/p' "$theirs/include/cuda_runtime_api.h")
[ "$major" = 12 ] || [ "$major" = 13 ] || skip "NVIDIA's runtime is version $major"
ours=$build/lib/tandem/libcudart.so.$major

names() { nm -D --defined-only "$1" | awk '$2 == "T" { print $3 }' | sort -u; }
names "$ours" >ours.names
library=$(find -L "$theirs/lib" "$theirs/lib64" -name "libcudart.so.$major" 2>/dev/null | head -n 1)
if [ -n "$library" ]; then
  names "$library" >theirs.names
  [ "$(wc -l <theirs.names)" -gt 300 ] || fail "only $(wc -l <theirs.names) names in $library"
  missing=$(comm -13 ours.names theirs.names)
  [ -z "$missing" ] || fail "libcudart.so.$major lacks $missing"
fi
# every declared call has an exported function
grep -oE '\bcuda[A-Z][A-Za-z0-9]*\(' "$theirs/include/cuda_runtime_api.h" | tr -d '(' | sort -u >mentioned
gcc -E -P -I"$theirs/include" -x c "$theirs/include/cuda_runtime_api.h" >header.i
grep -oE '\b(cuda[A-Z][A-Za-z0-9]*)\(' header.i | tr -d '(' | sort -u | comm -12 - mentioned >declared
[ "$(wc -l <declared)" -gt 200 ] || fail "only $(wc -l <declared) calls in the header"
missing=$(sed "s/@.*//" ours.names | sort -u | comm -13 - declared)
[ -z "$missing" ] || fail "libcudart.so.$major lacks $missing"

# layouts and values
members='cudaDeviceProp.luid cudaDeviceProp.totalGlobalMem cudaDeviceProp.maxGridSize cudaDeviceProp.major cudaDeviceProp.textureAlignment
cudaDeviceProp.multiProcessorCount cudaDeviceProp.maxTexture2D cudaDeviceProp.maxSurface3D cudaDeviceProp.surfaceAlignment
cudaDeviceProp.pciBusID cudaDeviceProp.memoryBusWidth cudaDeviceProp.l2CacheSize cudaDeviceProp.managedMemory
cudaDeviceProp.cooperativeLaunch cudaDeviceProp.sharedMemPerBlockOptin cudaDeviceProp.maxBlocksPerMultiProcessor
cudaDeviceProp.hostRegisterSupported cudaDeviceProp.memoryPoolsSupported cudaDeviceProp.clusterLaunch cudaDeviceProp.reserved
cudaFuncAttributes.localSizeBytes cudaFuncAttributes.numRegs cudaFuncAttributes.preferredShmemCarveout cudaFuncAttributes.reserved
cudaPointerAttributes.device cudaPointerAttributes.hostPointer cudaChannelFormatDesc.f cudaExtent.depth cudaPos.z cudaPitchedPtr.ysize
cudaMemcpy3DParms.srcPtr cudaMemcpy3DParms.dstArray cudaMemcpy3DParms.extent cudaMemcpy3DParms.kind cudaTextureDesc.borderColor
cudaTextureDesc.normalizedCoords cudaTextureDesc.seamlessCubemap'
parts='cudaResourceDesc.res.array.array cudaResourceDesc.res.linear.desc cudaResourceDesc.res.linear.sizeInBytes
cudaResourceDesc.res.pitch2D.width cudaResourceDesc.res.pitch2D.pitchInBytes'
values='cudaErrorInvalidValue cudaErrorMemoryAllocation cudaErrorInitializationError cudaErrorInvalidConfiguration cudaErrorInvalidPitchValue
cudaErrorInvalidSymbol cudaErrorInvalidChannelDescriptor cudaErrorInvalidMemcpyDirection cudaErrorMissingConfiguration
cudaErrorInvalidDeviceFunction cudaErrorInvalidDevice cudaErrorInvalidKernelImage cudaErrorNotSupported cudaMemcpyHostToHost
cudaMemcpyHostToDevice cudaMemcpyDeviceToHost cudaMemcpyDeviceToDevice cudaMemcpyDefault cudaMemoryTypeUnregistered cudaMemoryTypeHost
cudaMemoryTypeDevice cudaMemoryTypeManaged cudaChannelFormatKindSigned cudaChannelFormatKindUnsigned cudaChannelFormatKindFloat
cudaChannelFormatKindNone cudaResourceTypeArray cudaResourceTypeMipmappedArray cudaResourceTypeLinear cudaResourceTypePitch2D
cudaReadModeElementType cudaReadModeNormalizedFloat'
{
  echo '#include "probed.h"'
  echo '#include <stddef.h>'
  echo '#include <stdio.h>'
  echo 'int main(void) {'
  for name in $values; do echo "printf(\"$name %d\\n\", (int)$name);"; done
  for member in $members; do
    type="struct ${member%%.*}" field=${member#*.}
    echo "printf(\"$member %zu %zu %zu\\n\", sizeof($type), offsetof($type, $field), sizeof((($type *)0)->$field));"
  done
  for member in $parts; do # the end of the structure is read by nobody
    type="struct ${member%%.*}" field=${member#*.}
    echo "printf(\"$member %zu %zu\\n\", offsetof($type, $field), sizeof((($type *)0)->$field));"
  done
  echo 'printf("launch %zu %zu %zu\n", offsetof(cudaLaunchConfig_t, dynamicSmemBytes), offsetof(cudaLaunchConfig_t, numAttrs), sizeof(dim3));'
  echo 'return 0; }'
} >probe.c
mkdir with_ours with_theirs
echo '#include <cuda_runtime_api.h>' >with_theirs/probed.h
probe() { gcc -w "-DTANDEM_CUDART=$major" "-I$1" -I"$headers" "${@:2}" probe.c -o probe 2>log || fail_showing log "the probe does not compile with $1"; ./probe; }
cp "$root/csim/cudart/runtime_types.h" with_ours/probed.h
probe with_ours >ours.txt
gcc -w -Iwith_theirs -I"$theirs/include" probe.c -o probe 2>log || fail_showing log "NVIDIA's header lacks a name of ours"
./probe >theirs.txt
diff ours.txt theirs.txt >difference || fail_showing difference "our runtime_types.h (<) and NVIDIA's header (>) differ"
sed -i 's/cudaErrorInvalidSymbol = 13/cudaErrorInvalidSymbol = 14/; s/int srgb/&/; s/struct cudaPos dstPos;/struct cudaPos dstPos, extra;/' with_ours/probed.h
probe with_ours | diff - theirs.txt >difference && fail "a planted difference is not seen"
grep -q cudaErrorInvalidSymbol difference && grep -q cudaMemcpy3DParms difference || fail_showing difference "a planted difference is not seen"

# every error of theirs has its name and number here
cat >errors.c <<'C'
#include <stdio.h>
const char *cudaGetErrorName(int);
const char *cudaGetErrorString(int);
int main(void) {
  int number;
  char name[100];
  while (scanf("%99s %d", name, &number) == 2) printf("%s %d %s\n", cudaGetErrorName(number), number, *cudaGetErrorString(number) ? "text" : "");
}
C
gcc errors.c "$ours" "-Wl,-rpath,$build/lib/tandem" -o errors
grep -oE '\bcuda(Success|Error[A-Za-z0-9]+) *= *[0-9]+' header.i | tr -d '=' | awk '{ print $1, $2 }' | sort -u >wanted
[ "$(wc -l <wanted)" -gt 100 ] || fail "only $(wc -l <wanted) errors in the header"
ASAN_OPTIONS=detect_leaks=0 ./errors <wanted >got
sed 's/$/ text/' wanted | diff - got >difference || fail_showing difference "names of errors differ"
echo "$(wc -l <declared) calls, $(wc -w <<<"$values $members $parts") values and members, $(wc -l <wanted) errors agree"
