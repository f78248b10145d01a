#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# rows: elsewhere
# PTX of kernels that several tests launch.

square_ptx() { # a module: thread t of square(out) writes t * t to out[t]
  cat <<'P'
.version 7.0
.target sm_70
.address_size 64
.visible .entry square(.param .u64 out)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.lo.u32 %r2, %r1, %r1;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd1, %rd1, %rd2;
  st.global.u32 [%rd1], %r2;
  ret;
}
P
}
stuck_ptx() { # an entry for a module: both halves of a block of 64 threads wait at a barrier for 96
  cat <<'P'
.visible .entry stuck(.param .u64 out)
{
  .reg .pred %p<2>;
  .reg .b32 %r<2>;
  mov.u32 %r1, %tid.x;
  setp.ge.u32 %p1, %r1, 32;
  @%p1 bra other;
  bar.sync 1, 96;
  ret;
other:
  bar.sync 2, 96;
  ret;
}
P
}
