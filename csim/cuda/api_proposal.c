/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: what the driver offers to proposals that have calls of their own, and when it calls them. */
#include "api.h"

#include "core/registry.h"
#include "systems/driver.h"

#include <string.h>

static struct cuda_driver *self; /* of cuInit: one device a process */

static CUresult enter(void) { return cuda_ready(cuda_enter(), true); }

static bool find_module(CUmodule handle, struct driver_module *out) {
  CUmodule *link = cuda_module_link(self, handle);
  if (link) *out = (struct driver_module){(*link)->context, (*link)->ptx};
  return link;
}

static CUresult allocate(size_t bytes, const uint32_t *label, CUdeviceptr *address) {
  return label ? cuda_allocate_labelled(self, bytes, *label, address)
               : cuda_allocate(self, CUDA_DEVICE_MEMORY, bytes, address);
}

static int settle(struct err *e) { return simulator_settle(self->sim, e); }

void cuda_proposals_start(struct cuda_driver *d) {
  static struct driver_services on, off; /* for the proposal that is switched on, and for the others */
  const struct system_ops *s;
  self = d;
  off = (struct driver_services){.enter = enter,
                                 .leave = cuda_leave,
                                 .complain = cuda_complain,
                                 .module = find_module,
                                 .allocate = allocate,
                                 .settle = settle,
                                 .pages = gpu_pages(d->sim->gpu),
                                 .memory = &d->sim->memory,
                                 .config = &d->sim->session.config};
  on = off;
  on.agent = gpu_agent(d->sim->gpu);
  on.dispatch = gpu_dispatch_policy(d->sim->gpu);
  on.decisions = *d->sim->session.decisions ? d->sim->session.decisions : NULL;
  for (unsigned i = 0; (s = system_at(i)); i++)
    if (s->driver) s->driver->start(s == d->sim->session.system ? &on : &off);
}

const struct driver_entry *cuda_proposal_entry(const char *name) {
  const struct system_ops *s;
  for (unsigned i = 0; (s = system_at(i)); i++)
    for (const struct driver_entry *entry = s->driver ? s->driver->entries : NULL; entry && entry->name; entry++)
      if (!strcmp(entry->name, name)) return entry;
  return NULL;
}

/* Of the proposal that is switched on, or NULL. */
static const struct driver_hooks *hooks_of(const struct cuda_driver *d) {
  return d->sim->session.system ? d->sim->session.system->driver : NULL;
}

int cuda_proposal_load(const struct cuda_driver *d, const struct CUmod_st *m, struct err *e) {
  return hooks_of(d) && hooks_of(d)->load ? hooks_of(d)->load(&(struct driver_module){m->context, m->ptx}, e) : 0;
}

void cuda_proposal_unload(const struct cuda_driver *d, const struct CUmod_st *m) {
  if (hooks_of(d) && hooks_of(d)->unload) hooks_of(d)->unload(&(struct driver_module){m->context, m->ptx});
}

int cuda_proposal_space(struct cuda_driver *d, struct err *e) {
  const struct system_ops *s = d->sim->session.system;
  uint64_t bytes = s && s->space ? s->space(&d->sim->session.config) : 0;
  if (!bytes || d->space) return 0;
  if (!(d->space = device_memory_alloc(&d->sim->memory, bytes)))
    return err_set(
      e, ERR_LIMIT,
      "the proposal %s needs %llu bytes of device memory for itself, and memory.mib = %lld has no more; raise it",
      s->name, (unsigned long long)bytes, (long long)d->sim->session.config.memory_mib);
  gpu_set_space(d->sim->gpu, d->space);
  return 0;
}

int cuda_proposal_launch(const struct cuda_driver *d, const struct driver_launch *l, struct err *e) {
  return hooks_of(d) && hooks_of(d)->launch ? hooks_of(d)->launch(l, e) : 0;
}

void cuda_proposal_forget(const struct cuda_driver *d, CUcontext context) {
  if (hooks_of(d) && hooks_of(d)->forget) hooks_of(d)->forget(context);
}
