/* SPDX-License-Identifier: Apache-2.0 */
#include "run/run_access.h"

#include "base/err.h"
#include "base/out_file.h"
#include "mem/recorder.h"
#include "mem/request.h"

#include <inttypes.h>
#include <stdlib.h>

static const char kinds[] = {[MEM_READ] = 'R', [MEM_WRITE] = 'W', [MEM_ATOMIC] = 'A'};

struct run_access {
  struct mem_recorder recorder;
  struct out_file request, reply, l2, *sm; /* sm: of each, or NULL */
  uint32_t n_sms;
};

static void on_l1(void *context, uint32_t sm, const struct l1_record *r) {
  struct run_access *a = context;
  fprintf(a->sm[sm].f, "%" PRIu64 ",%" PRIu32 ",%c,%s,0x%" PRIx64 ",%u,%s\n", r->cycle, r->cta, kinds[r->kind],
          access_levels[r->cache], r->address, r->bytes, access_outcomes[r->outcome]);
}

static void put_packet(FILE *f, const struct packet_record *p) {
  fprintf(f, "%" PRIu64 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 "\n", p->cycle, p->from, p->to, p->flits);
}

static void on_request(void *context, const struct packet_record *p) {
  put_packet(((struct run_access *)context)->request.f, p);
}

static void on_reply(void *context, const struct packet_record *p) {
  put_packet(((struct run_access *)context)->reply.f, p);
}

static void on_l2(void *context, uint32_t slice, const struct l2_record *r) {
  FILE *f = ((struct run_access *)context)->l2.f;
  const struct mem_request *q = r->request;
  fprintf(f, "%" PRIu64 ",%" PRIu32 ",", r->cycle, slice);
  if (q->source == MEM_SM) fprintf(f, "%u", q->sm);
  fputc(',', f);
  if (q->cta != MEM_NO_CTA) fprintf(f, "%" PRIu32, q->cta);
  fprintf(f, ",%c,0x%" PRIx64 ",%u,%s\n", kinds[q->kind], q->address, q->bytes, access_outcomes[r->outcome]);
}

static int open_file(struct out_file *o, const struct session *n, const char *name, const char *header, struct err *e) {
  char path[SESSION_TEXT_BYTES + 32];
  snprintf(path, sizeof path, "%s/%s", n->out_dir, name);
  int code = out_file_open(o, path, e);
  if (!code) fprintf(o->f, "%s\n", header);
  return code;
}

static int open_sms(struct run_access *a, const struct session *n, struct err *e) {
  int code = 0;
  a->n_sms = (uint32_t)n->config.sm_count;
  a->sm = calloc(a->n_sms, sizeof *a->sm);
  if (!a->sm) return err_set(e, ERR_LIMIT, "out of memory for traces of memory accesses");
  for (uint32_t i = 0; i < a->n_sms && !code; i++) {
    char name[32];
    snprintf(name, sizeof name, "accesses.sm%" PRIu32 ".csv", i);
    code = open_file(&a->sm[i], n, name, "cycle,cta,kind,cache,address,bytes,outcome", e);
  }
  a->recorder.l1 = on_l1;
  return code;
}

int run_access_create(const struct session *n, struct run_access **access, struct err *e) {
  static const char packets[] = "cycle,from,to,flits";
  *access = NULL;
  if (!(n->trace & (TRACE_L1 | TRACE_NOC | TRACE_L2)) || !*n->out_dir) return 0;
  struct run_access *a = calloc(1, sizeof *a);
  if (!a) return err_set(e, ERR_LIMIT, "out of memory for traces of memory accesses");
  *access = a;
  a->recorder.context = a;
  int code = n->trace & TRACE_L1 ? open_sms(a, n, e) : 0;
  if (!code && n->trace & TRACE_NOC) {
    code = open_file(&a->request, n, "packets.request.csv", packets, e);
    if (!code) code = open_file(&a->reply, n, "packets.reply.csv", packets, e);
    a->recorder.request = on_request;
    a->recorder.reply = on_reply;
  }
  if (!code && n->trace & TRACE_L2) {
    code = open_file(&a->l2, n, "requests.l2.csv", "cycle,slice,core,cta,kind,address,bytes,outcome", e);
    a->recorder.l2 = on_l2;
  }
  return code;
}

const struct mem_recorder *run_access_recorder(const struct run_access *a) { return a ? &a->recorder : NULL; }

static void finish_file(struct out_file *o, bool keep, int *code, struct err *e) {
  int status = out_file_finish(o, keep && !*code, e);
  if (status) *code = status;
}

int run_access_finish(struct run_access *a, bool keep, struct err *e) {
  int code = 0;
  if (!a) return 0;
  finish_file(&a->request, keep, &code, e);
  finish_file(&a->reply, keep, &code, e);
  finish_file(&a->l2, keep, &code, e);
  for (uint32_t i = 0; a->sm && i < a->n_sms; i++) finish_file(&a->sm[i], keep, &code, e);
  free(a->sm);
  free(a);
  return code;
}
