// SPDX-License-Identifier: Apache-2.0
// Longest matches of DNA reads in a reference, by its suffix tree, a thread a read: for every position of the read from which
// a match that counts may begin, the length of the longest piece from there on that the reference contains. Tree and reference are in 2D textures, the read in local
// memory; the suffix link of the last node begins the search for the next position. After MUMmerGPU (Schatz, BMC
// Bioinformatics 2007), MUM of Yuan 2009, section 5 (140,000 characters, 50,000 reads of 25, 782 CTAs of 64;
// MUMmer's matches have 20 letters at least).
#include "tandem_device.h"
#include "xmem.h"

#include "atoms.h"

#define WIDTH 1024 // texels of a row of each texture
#define READ_MAX 64

#if defined(TANDEM_VERSION_XMEM)
XMEM_ATOM_TABLE(MUM_ATOMS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_XMEM"
#endif

template <class T> static __device__ __forceinline__ T mum_fetch(cudaTextureObject_t texture, unsigned i) {
  return tex2D<T>(texture, (float)(i % WIDTH) + 0.5f, (float)(i / WIDTH) + 0.5f);
}

static __device__ __forceinline__ unsigned mum_child(uint4 children, unsigned letter) {
  return letter < 2 ? letter ? children.y : children.x : letter == 2 ? children.z : children.w;
}

// reference: four letters a word; children: nodes below, 0: none; edges: where the edge into the node begins in the
// reference, its length, the node's suffix link
extern "C" __global__ void __launch_bounds__(64)
  mum_match(unsigned reads, unsigned length, unsigned starts, const unsigned char *read, cudaTextureObject_t reference,
            cudaTextureObject_t children, cudaTextureObject_t edges, unsigned char *longest) {
  unsigned char letter[READ_MAX];
  unsigned thread = blockIdx.x * 64 + threadIdx.x;
  if (thread >= reads) return;
  for (unsigned i = 0; i < length; i++) letter[i] = read[thread * length + i];
  unsigned node = 0, depth = 0, matched = 0; // depth: letters from the root to `node`; matched: those known to match
  for (unsigned from = 0; from < starts; from++) {
    while (from + depth < length) {
      unsigned child = mum_child(mum_fetch<uint4>(children, node), letter[from + depth]);
      if (!child) break;
      uint4 edge = mum_fetch<uint4>(edges, child);
      unsigned k = matched > depth ? matched - depth : 0;
      while (k < edge.y && from + depth + k < length) {
        unsigned at = edge.x + k;
        if ((mum_fetch<unsigned>(reference, at / 4) >> at % 4 * 8 & 0xff) != letter[from + depth + k]) break;
        k++;
      }
      if (k < edge.y) {
        matched = depth + k;
        break;
      }
      node = child;
      depth += edge.y;
    }
    if (matched < depth) matched = depth;
    longest[thread * starts + from] = (unsigned char)matched;
    node = mum_fetch<uint4>(edges, node).z;
    depth = depth ? depth - 1 : 0;
    matched = matched ? matched - 1 : 0;
  }
}
