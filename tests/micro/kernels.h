/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of the microbenchmarks, in PTX text: chains of an operation, a chase of pointers, streams. No result is dead and
 * no chain can be folded, so that a compiler of PTX leaves them as they are. */
#ifndef MICRO_KERNELS_H
#define MICRO_KERNELS_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MICRO_HEADER ".version 7.0\n.target sm_70\n.address_size 64\n"

/* One link of a chain; "@" is the chain, and "|" lies between operations of which each needs the one before. `keep` takes the
 * result into %k. */
struct operation {
  const char *name, *link, *keep;
  int operations, bytes; /* a link; read by one operation of a lane, 0: none */
  unsigned lanes;        /* for the latency: more than a line's or bank's worth would measure the rate */
};

#define KEEP_INT "xor.b32 %k, %k, %x@;"
#define KEEP_LONG "mov.b64 {%i, %j}, %l@; xor.b32 %k, %k, %i;"
enum { SHARED_LOAD = 4, OPERATIONS = 6, SEGMENTS = 8, SEGMENT = 16 };
static const struct operation operations[OPERATIONS] = {
  {"add.s32", "add.s32 %x@, %x@, %y@;|add.s32 %y@, %y@, %x@;", KEEP_INT, 2, 0, 32},
  {"fma.f32", "fma.rn.f32 %f@, %f@, %f8, %f9;", "mov.b32 %i, %f@; xor.b32 %k, %k, %i;", 1, 0, 32},
  {"fma.f64", "fma.rn.f64 %d@, %d@, %d8, %d9;", "mov.b64 {%i, %j}, %d@; xor.b32 %k, %k, %j;", 1, 0, 32},
  {"rcp.f32", "rcp.approx.ftz.f32 %f@, %f@;", "mov.b32 %i, %f@; xor.b32 %k, %k, %i;", 1, 0, 32},
  {"ld.shared", "ld.shared.u32 %x@, [%x@];", KEEP_INT, 1, 4, 1},
  {"ld.global (L1)", "ld.global.ca.u64 %l@, [%l@];", KEEP_LONG, 1, 8, 1},
};

/* out: 16 words a warp, its clock before each segment and after the last. Words of `tile` and of `in` hold their own addresses. Chains
 * load from addresses of their own, or a compiler would make one of them: in the same bank, and in the lines of another warp. */
static const char chain_begin[] = MICRO_HEADER
  ".visible .entry chain(.param .u64 out, .param .u64 in, .param .u32 stride)\n{\n"
  ".reg .pred %q; .reg .b32 %x<9>, %y<9>, %k, %i, %j, %t, %n, %s, %b; .reg .f32 %f<10>; .reg .f64 %d<10>;\n"
  ".reg .b32 %c<9>; .reg .b64 %l<8>, %to, %out, %own; .shared .align 16 .b8 tile[9216];\n"
  "ld.param.u64 %out, [out]; ld.param.u64 %own, [in]; ld.param.u32 %s, [stride];\n"
  "mov.u32 %t, %tid.x; mov.u32 %n, %ntid.x; mov.u32 %b, tile; mov.u32 %i, %t; mov.u32 %k, 0;\n"
  "FILL: shl.b32 %j, %i, 2; add.u32 %j, %j, %b; st.shared.u32 [%j], %j;\n"
  "add.u32 %i, %i, %n; setp.lt.u32 %q, %i, 2304; @%q bra FILL;\n"
  "mul.lo.u32 %i, %t, %s; and.b32 %i, %i, 2047; shl.b32 %i, %i, 2; add.u32 %i, %i, %b;\n"
  "mov.f32 %f8, 0f3F000000; mov.f32 %f9, 0f3F800000;\n"
  "mov.f64 %d8, 0d3FE0000000000000; mov.f64 %d9, 0d3FF0000000000000;\n";
static const char chain_start[] =
  "mad.lo.u32 %x@, @, 128, %i; mad.lo.u32 %j, @, 32, %t; and.b32 %j, %j, 1023; mul.wide.u32 %to, %j, 8; add.u64 %l@, %own, %to;\n"
  "add.u32 %y@, %t, @; cvt.rn.f32.u32 %f@, %y@; cvt.rn.f64.u32 %d@, %y@;\n";
static const char chain_end[] =
  "mul.wide.u32 %own, %t, 8; add.u64 %own, %out, %own;\n"
  "st.global.u32 [%own+2048], %k; and.b32 %i, %t, 31; setp.ne.u32 %q, %i, 0; @%q bra END;\n"
  "shl.b32 %i, %t, 1; cvt.u64.u32 %own, %i; add.u64 %out, %out, %own;\n";

/* Appends `link`, up to "|", for a chain. */
static inline char *append_chain(char *to, const char *link, int chain) {
  for (; *link && *link != '|'; link++) {
    if (*link == '@') to += sprintf(to, "%d", chain);
    else *to++ = *link;
  }
  *to++ = '\n';
  *to = 0;
  return to;
}

/* The text of kernel `chain`: segments of `SEGMENT` links of each of `chains` chains, in turn. Free it. */
static inline char *chain_kernel(const struct operation *op, int chains) {
  char *text = malloc(sizeof chain_begin + sizeof chain_end + 4096 + (size_t)chains * SEGMENTS * SEGMENT * 96),
       *to = text;
  if (!text) abort();
  to += sprintf(to, "%s", chain_begin);
  for (int c = 0; c < chains; c++) to = append_chain(to, chain_start, c);
  to += sprintf(to, "bar.sync 0; mov.u32 %%c0, %%clock;\n");
  for (int s = 1; s <= SEGMENTS; s++) {
    for (int i = 0; i < SEGMENT; i++)
      for (const char *link = op->link; link; link = strchr(link, '|') ? strchr(link, '|') + 1 : NULL)
        for (int c = 0; c < chains; c++) to = append_chain(to, link, c);
    to += sprintf(to, "mov.u32 %%c%d, %%clock;\n", s);
  }
  for (int c = 0; c < chains; c++) to = append_chain(to, op->keep, c);
  to += sprintf(to, "%s", chain_end);
  for (int s = 0; s <= SEGMENTS; s++) to += sprintf(to, "st.global.u32 [%%out+%d], %%c%d;\n", s * 4, s);
  strcpy(to, "END: ret;\n}\n");
  return text;
}

/* Follows pointers for 16 * warm hops, then counts the cycles of 16 * n. A comparison waits for the last pointer. */
#define HOP "ld.global.u64 %at, [%at];\n"
#define HOPS_4 HOP HOP HOP HOP
#define HOPS_16 HOPS_4 HOPS_4 HOPS_4 HOPS_4
static const char chase_kernel[] =
  MICRO_HEADER ".visible .entry chase(.param .u64 out, .param .u64 in, .param .u32 warm, .param .u32 n)\n{\n"
               ".reg .pred %q; .reg .b32 %n; .reg .b64 %at, %from, %to, %out;\n"
               "ld.param.u64 %out, [out]; ld.param.u64 %at, [in]; ld.param.u32 %n, [warm];\n"
               "WARM: sub.u32 %n, %n, 1; setp.ne.u32 %q, %n, 0;\n" HOPS_16 "@%q bra WARM;\n"
               "ld.param.u32 %n, [n]; setp.eq.u64 %q, %at, 0; @%q bra END; mov.u64 %from, %clock64;\n"
               "LOOP: sub.u32 %n, %n, 1; setp.ne.u32 %q, %n, 0;\n" HOPS_16 "@%q bra LOOP;\n"
               "setp.eq.u64 %q, %at, 0; @%q bra END; mov.u64 %to, %clock64;\n"
               "sub.u64 %to, %to, %from; st.global.u64 [%out], %to; END: ret;\n}\n";

/* Thread t of CTA b begins at byte `cta` * b + 4 * t; every step it moves four words, `word` bytes apart, and goes on by `step`
 * bytes; `passes` times the same `steps` steps. */
#define STREAM(name, body)                                                                                        \
  ".visible .entry " name "(.param .u64 out, .param .u64 in, .param .u32 steps, .param .u32 passes,\n"            \
  ".param .u64 cta, .param .u64 word, .param .u64 step)\n{\n"                                                     \
  ".reg .pred %q; .reg .b32 %r<10>, %n, %p, %s; .reg .b64 %out, %in, %o, %i, %w, %v, %c, %b;\n"                   \
  "ld.param.u64 %out, [out]; ld.param.u64 %in, [in]; ld.param.u32 %p, [passes]; ld.param.u32 %s, [steps];\n"      \
  "ld.param.u64 %c, [cta]; ld.param.u64 %w, [word]; ld.param.u64 %v, [step]; mul.lo.u64 %b, %w, 4;\n"             \
  "sub.u64 %v, %v, %b; mov.u32 %r1, %ctaid.x; mov.u32 %r3, %tid.x; cvt.u64.u32 %b, %r1; mul.lo.u64 %c, %c, %b;\n" \
  "mul.wide.u32 %b, %r3, 4; add.u64 %c, %c, %b; add.u64 %out, %out, %c; add.u64 %in, %in, %c; mov.u32 %r9, 1;\n"  \
  "PASS: mov.u64 %o, %out; mov.u64 %i, %in; mov.u32 %n, %s;\n"                                                    \
  "STEP:\n" body "add.u64 %i, %i, %v; add.u64 %o, %o, %v;\n"                                                      \
  "sub.u32 %n, %n, 1; setp.ne.u32 %q, %n, 0; @%q bra STEP;\n"                                                     \
  "sub.u32 %p, %p, 1; setp.ne.u32 %q, %p, 0; @%q bra PASS;\n"                                                     \
  "setp.eq.u32 %q, %r9, 0; @%q st.global.u32 [%out], %r9; ret;\n}\n"
#define LOAD(r) "ld.global.cg.u32 " r ", [%i]; add.u64 %i, %i, %w;\n"
#define STORE(r) "st.global.cg.u32 [%o], " r "; add.u64 %o, %o, %w;\n"
#define LOADS LOAD("%r5") LOAD("%r6") LOAD("%r7") LOAD("%r8")
static const char stream_kernels[] = MICRO_HEADER STREAM("read", LOADS "or.b32 %r5, %r5, %r6; or.b32 %r7, %r7, %r8;\n"
                                                                       "or.b32 %r9, %r9, %r5; or.b32 %r9, %r9, %r7;\n")
  STREAM("write", STORE("%r9") STORE("%r9") STORE("%r9") STORE("%r9"))
    STREAM("copy", LOADS STORE("%r5") STORE("%r6") STORE("%r7") STORE("%r8"));

#endif
