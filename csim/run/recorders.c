/* SPDX-License-Identifier: Apache-2.0 */
#include "run/recorders.h"

#define TELL(what, ...)                                                    \
  for (unsigned i = 0; i < 2; i++) {                                       \
    const struct mem_recorder *r = ((struct recorders *)context)->part[i]; \
    if (r->what) r->what(r->context, __VA_ARGS__);                         \
  }

static void on_l1(void *context, uint32_t sm, const struct l1_record *a) { TELL(l1, sm, a) }
static void on_l2(void *context, uint32_t slice, const struct l2_record *a) { TELL(l2, slice, a) }
static void on_fill(void *context, uint32_t unit, const struct fill_record *f) { TELL(fill, unit, f) }
static void on_request(void *context, const struct packet_record *p) { TELL(request, p) }
static void on_reply(void *context, const struct packet_record *p) { TELL(reply, p) }
static void on_request_grant(void *context, const struct grant_record *g) { TELL(request_grant, g) }
static void on_reply_grant(void *context, const struct grant_record *g) { TELL(reply_grant, g) }

const struct mem_recorder *recorders_join(struct recorders *r, const struct mem_recorder *a,
                                          const struct mem_recorder *b) {
  if (!a || !b) return a ? a : b;
  r->part[0] = a;
  r->part[1] = b;
  r->both = (struct mem_recorder){.context = r,
                                  .l1 = on_l1,
                                  .request = on_request,
                                  .reply = on_reply,
                                  .request_grant = on_request_grant,
                                  .reply_grant = on_reply_grant,
                                  .fill = on_fill,
                                  .l2 = on_l2};
  return &r->both;
}
