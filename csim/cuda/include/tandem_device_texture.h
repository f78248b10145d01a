/* SPDX-License-Identifier: Apache-2.0 */
/* Texture fetches of nvcc for clang: tex1Dfetch<T>, tex1D<T>, tex2D<T> of texture objects, T a number or a vector of
 * two or four. The nearest element; coordinates, address modes and what integers become are the texture object's. Part
 * of tandem_device_clang.h. */
#ifndef TANDEM_DEVICE_TEXTURE_H
#define TANDEM_DEVICE_TEXTURE_H

typedef unsigned long long cudaTextureObject_t;

/* Four values of registers of type R; `letter` is the asm constraint, `type` PTX's name. */
template <class R> struct tandem_texel { R x, y, z, w; };
template <class R> struct tandem_fetch;
#define TANDEM_FETCH(R, letter, type)                                                               \
  template <> struct tandem_fetch<R> {                                                              \
    static __device__ __forceinline__ tandem_texel<R> at(cudaTextureObject_t t, int x) {            \
      tandem_texel<R> v;                                                                            \
      asm("tex.1d.v4." type ".s32 {%0, %1, %2, %3}, [%4, {%5}];"                                    \
          : "=" letter(v.x), "=" letter(v.y), "=" letter(v.z), "=" letter(v.w)                      \
          : "l"(t), "r"(x));                                                                        \
      return v;                                                                                     \
    }                                                                                               \
    static __device__ __forceinline__ tandem_texel<R> at(cudaTextureObject_t t, float x) {          \
      tandem_texel<R> v;                                                                            \
      asm("tex.1d.v4." type ".f32 {%0, %1, %2, %3}, [%4, {%5}];"                                    \
          : "=" letter(v.x), "=" letter(v.y), "=" letter(v.z), "=" letter(v.w)                      \
          : "l"(t), "f"(x));                                                                        \
      return v;                                                                                     \
    }                                                                                               \
    static __device__ __forceinline__ tandem_texel<R> at(cudaTextureObject_t t, float x, float y) { \
      tandem_texel<R> v;                                                                            \
      asm("tex.2d.v4." type ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"                                \
          : "=" letter(v.x), "=" letter(v.y), "=" letter(v.z), "=" letter(v.w)                      \
          : "l"(t), "f"(x), "f"(y));                                                                \
      return v;                                                                                     \
    }                                                                                               \
  }
TANDEM_FETCH(float, "f", "f32");
TANDEM_FETCH(int, "r", "s32");
TANDEM_FETCH(unsigned, "r", "u32");
#undef TANDEM_FETCH

/* For each T: the register type, and the conversion from its four values. */
template <class T> struct tandem_element;
#define TANDEM_ELEMENT(T, R, ...)                                                            \
  template <> struct tandem_element<T> {                                                     \
    typedef R reg;                                                                           \
    static __device__ __forceinline__ T of(const tandem_texel<R> &v) { return __VA_ARGS__; } \
  }
TANDEM_ELEMENT(float, float, v.x);
TANDEM_ELEMENT(float2, float, {v.x, v.y});
TANDEM_ELEMENT(float4, float, {v.x, v.y, v.z, v.w});
TANDEM_ELEMENT(int, int, v.x);
TANDEM_ELEMENT(int2, int, {v.x, v.y});
TANDEM_ELEMENT(int4, int, {v.x, v.y, v.z, v.w});
TANDEM_ELEMENT(unsigned, unsigned, v.x);
TANDEM_ELEMENT(uint2, unsigned, {v.x, v.y});
TANDEM_ELEMENT(uint4, unsigned, {v.x, v.y, v.z, v.w});
TANDEM_ELEMENT(signed char, int, (signed char)v.x);
TANDEM_ELEMENT(char, int, (char)v.x);
TANDEM_ELEMENT(short, int, (short)v.x);
TANDEM_ELEMENT(unsigned char, unsigned, (unsigned char)v.x);
TANDEM_ELEMENT(uchar2, unsigned, {(unsigned char)v.x, (unsigned char)v.y});
TANDEM_ELEMENT(uchar4, unsigned, {(unsigned char)v.x, (unsigned char)v.y, (unsigned char)v.z, (unsigned char)v.w});
TANDEM_ELEMENT(unsigned short, unsigned, (unsigned short)v.x);
TANDEM_ELEMENT(ushort2, unsigned, {(unsigned short)v.x, (unsigned short)v.y});
TANDEM_ELEMENT(ushort4, unsigned, {(unsigned short)v.x, (unsigned short)v.y, (unsigned short)v.z, (unsigned short)v.w});
#undef TANDEM_ELEMENT

template <class T> TANDEM_FN T tex1Dfetch(cudaTextureObject_t t, int x) {
  return tandem_element<T>::of(tandem_fetch<typename tandem_element<T>::reg>::at(t, x));
}
template <class T> TANDEM_FN T tex1D(cudaTextureObject_t t, float x) {
  return tandem_element<T>::of(tandem_fetch<typename tandem_element<T>::reg>::at(t, x));
}
template <class T> TANDEM_FN T tex2D(cudaTextureObject_t t, float x, float y) {
  return tandem_element<T>::of(tandem_fetch<typename tandem_element<T>::reg>::at(t, x, y));
}

#endif
