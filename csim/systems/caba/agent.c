/* SPDX-License-Identifier: Apache-2.0 */
/* Beside the slices of the L2: the lines (lines.h), the memory controllers (channel.h), and what is on its way between them and SMs. */
#include "systems/caba/agent.h"
#include "base/err.h"
#include "core/cache.h"
#include "device/device_memory.h"
#include "dram/address_map.h"
#include "mem/memory_system.h"
#include "mem/packing.h"
#include "mem/page_table.h"
#include "systems/caba/channel.h"
#include "systems/caba/lines.h"
#include "systems/caba/tables.h"

#include <stdlib.h>
#include <string.h>

enum { DECOMPRESS_CYCLES = 1 }; /* the thesis, 5.6; compression takes 5, which nobody waits for */

struct caba_agent {
  struct memory_services s;
  const struct caba_parameters *p;
  struct caba_memory_counters *count;
  const struct address_map *map;
  struct caba_lines lines;
  uint64_t channel_bytes;
  uint32_t channels;
  struct caba_channel *channel;
  /* where assist warps work: the images of replies, by SM and MSHR of L1; of writes, by SM and tag */
  uint8_t (*replied)[CABA_LINE], (*written)[CABA_LINE];
  uint8_t (*returned)[CABA_LINE]; /* with refused writes, by SM and tag */
  struct caba_merge *merge;       /* by SM and tag */
};

/* ---- places ---- */

/* The memory controllers compress and decompress; the L2 has lines plain. */
static bool is_plain_l2(const struct caba_agent *a) {
  return a->p->design == CABA_HW_BDI_MEM || (caba_assists(a->p) && a->p->l2 == CABA_L2_PLAIN);
}

static uint64_t line_of(uint64_t address) { return (address - DEVICE_MEMORY_BASE) / CABA_LINE; }

/* Its number in the channel. */
static uint64_t local_line(const struct caba_agent *a, uint64_t physical) {
  return address_map_local(a->map, physical) / CABA_LINE;
}

static struct caba_channel *channel_of(const struct caba_agent *a, uint64_t line) {
  return &a->channel[address_map_channel(a->map, DEVICE_MEMORY_BASE + line * CABA_LINE)];
}

static uint32_t bursts_of(const struct caba_agent *a, uint32_t bytes) {
  uint32_t burst = (uint32_t)a->s.config->dram_burst_bytes;
  return (bytes + burst - 1) / burst;
}

/* ---- what SMs put and find ---- */

const uint8_t *caba_agent_image(const struct caba_agent *a, uint32_t sm, uint32_t mshr) {
  return a->replied[sm * CACHE_MSHRS + mshr];
}

uint8_t *caba_agent_written(struct caba_agent *a, uint32_t sm, uint32_t tag) {
  return a->written[sm * CABA_IMAGES + tag];
}

struct caba_merge *caba_agent_merge(struct caba_agent *a, uint32_t sm, uint32_t tag) {
  return &a->merge[sm * CABA_IMAGES + tag];
}

const uint8_t *caba_agent_returned(const struct caba_agent *a, uint32_t sm, uint32_t tag) {
  return a->returned[sm * SM_WRITES + tag];
}

struct caba_line_code *caba_agent_code(struct caba_agent *a) {
  return &a->lines.code;
}

static bool is_merged(const struct mem_request *r) {
  return r->kind == MEM_WRITE && r->tag >= CABA_IMAGES && r->tag < 2 * CABA_IMAGES;
}

/* The L2 takes the line of an SM as a whole if it is still compressed, as it went to the SM; else the bytes that the SM has written, so
 * that it keeps what others have written meanwhile. */
static void merge_image(struct caba_agent *a, uint64_t line, const struct caba_merge *m, uint8_t bytes[CABA_LINE]) {
  uint32_t packed = caba_l2_bytes(&a->lines, line);
  bool same = packed < CABA_LINE && !memcmp(caba_image_of(&a->lines, line), m->image, packed);
  for (uint32_t k = 0; k < CABA_LINE; k++)
    if (same || (m->mask[k / 64] >> k % 64 & 1)) bytes[k] = m->line[k];
}

/* A line of the L2 is written: as a whole with its image, or plain, and then the L2 has it plain. */
static void write_image(struct caba_agent *a, uint64_t line, const struct mem_request *r) {
  uint8_t bytes[CABA_LINE];
  uint64_t at = r->physical % CABA_LINE;
  const uint8_t *now = caba_contents(&a->lines, line);
  if (!a->lines.has_images || !now) return;
  uint8_t *has = caba_image_of(&a->lines, line);
  if (r->kind == MEM_WRITE && r->packed) {
    const uint8_t *image = caba_agent_written(a, r->sm, r->tag);
    if (a->p->l2 == CABA_L2_PACKED) memcpy(has, image, CABA_LINE);
    else caba_unpack(&a->lines.code, image, r->packed, has);
    return;
  }
  caba_expand(&a->lines, line, bytes);
  if (is_merged(r)) {
    merge_image(a, line, &a->merge[r->sm * CABA_IMAGES + r->tag - CABA_IMAGES], bytes);
  } else {
    memcpy(bytes + at, now + at, at + r->bytes < CABA_LINE ? r->bytes : CABA_LINE - at);
  }
  memcpy(has, bytes, CABA_LINE);
}

/* ---- launches ---- */

/* What the host has changed. Where that are sizes, the cache is emptied. */
static void renew(struct caba_agent *a) {
  for (uint64_t line = 0; caba_contents(&a->lines, line); line++) {
    uint32_t before = bursts_of(a, caba_dram_bytes(&a->lines, line));
    caba_renew_line(&a->lines, line, a->s.cached(a->s.memory, DEVICE_MEMORY_BASE + line * CABA_LINE));
    if (bursts_of(a, caba_dram_bytes(&a->lines, line)) != before) size_unit_empty(&channel_of(a, line)->sizes);
  }
}

/* Where the cache was emptied, or a launch was killed, memory has all sizes (assumption: without a cost). */
static void renew_sizes(struct caba_agent *a) {
  bool any = false;
  for (uint32_t i = 0; i < a->channels; i++) {
    struct size_unit *sizes = &a->channel[i].sizes;
    if (size_unit_unfinished(sizes)) size_unit_empty(sizes);
    any |= sizes->resets;
  }
  for (uint64_t line = 0; any && caba_contents(&a->lines, line); line++) {
    struct size_unit *sizes = &channel_of(a, line)->sizes;
    if (sizes->resets)
      size_unit_set(sizes, local_line(a, DEVICE_MEMORY_BASE + line * CABA_LINE),
                    bursts_of(a, caba_dram_bytes(&a->lines, line)) - 1);
  }
}

int caba_agent_launch(struct caba_agent *a, const struct device_memory *memory, struct err *e) {
  int rc = caba_lines_launch(&a->lines, memory, e);
  if (rc) return rc;
  renew(a);
  renew_sizes(a);
  for (uint32_t i = 0; i < a->channels; i++)
    if (a->channel[i].has_unit && caba_unit_busy(&a->channel[i].unit)) caba_unit_forget(&a->channel[i].unit);
  const struct caba_line_code *code = &a->lines.code;
  if (!code->wrong) return 0;
  return err_set(e, ERR_VALUE, "a line does not come back from the image that the program's routine '%s' makes of it",
                 code->store.routine[code->wrong - 1].name);
}

static void ended(void *self) {
  struct caba_agent *a = self;
  for (uint64_t line = 0; a->lines.has_images && caba_contents(&a->lines, line); line++) {
    a->count->caba_images_checked++;
    a->count->caba_images_differ += caba_line_differs(&a->lines, line);
  }
}

uint32_t caba_agent_packs(const struct caba_agent *a, const struct mem_request *r) {
  if (a->p->design == CABA_HW_BDI_MEM || caba_assists(a->p) || r->kind != MEM_WRITE || r->bytes != CABA_LINE)
    return r->bytes;
  return caba_coded_bytes(&a->lines, line_of(r->address));
}

/* ---- calls of the slices ---- */

static void count_line(struct caba_agent *a, uint32_t bytes) {
  a->count->caba_bursts += bursts_of(a, bytes);
  a->count->caba_bursts_plain += bursts_of(a, CABA_LINE);
}

static bool is_told(const struct caba_agent *a, uint64_t line) {
  const struct caba_channel *c = channel_of(a, line);
  return c->told.line == line && c->told.cycle == a->s.clocks->cycle[CLOCK_L2] + 1;
}

static uint32_t stored(void *self, uint64_t physical) {
  struct caba_agent *a = self;
  uint64_t line = line_of(physical);
  uint32_t bytes = is_told(a, line) ? channel_of(a, line)->told.bytes : caba_dram_bytes(&a->lines, line);
  a->count->caba_lines_read++;
  a->count->caba_packed_read += bytes < CABA_LINE;
  count_line(a, bytes);
  return bytes;
}

/* What the line takes once it is written as a whole, into `told`: with a new image of it, or as it is. */
static void plan_store(struct caba_agent *a, uint64_t line) {
  struct caba_channel *c = channel_of(a, line);
  uint32_t bytes = caba_l2_bytes(&a->lines, line);
  c->told.makes = false;
  c->told.stores = CABA_LINE;
  if (!caba_contents(&a->lines, line)) return;
  if (caba_assists(a->p) && bytes < CABA_LINE) c->told.stores = bytes;
  else if (is_plain_l2(a) || a->p->partial != CABA_PARTIAL_PLAIN || bytes < CABA_LINE)
    c->told.makes = true, c->told.stores = caba_pack_line(&a->lines, line, c->told.image);
}

/* The unit of the memory controller does what has been planned. */
static void unit_compresses(struct caba_agent *a, uint64_t line) {
  uint8_t image[CABA_LINE];
  struct caba_channel *c = channel_of(a, line);
  if (!c->has_unit) return;
  caba_unit_compress(&c->unit, a->lines.has_images ? caba_image_of(&a->lines, line) : caba_contents(&a->lines, line),
                     image);
}

static uint32_t store(void *self, uint64_t physical) {
  struct caba_agent *a = self;
  uint64_t line = line_of(physical);
  const struct caba_channel *c = channel_of(a, line);
  if (!is_told(a, line)) plan_store(a, line);
  if (c->told.makes) unit_compresses(a, line);
  if (c->told.makes && a->lines.has_images) memcpy(caba_image_of(&a->lines, line), c->told.image, CABA_LINE);
  caba_dram_has(&a->lines, line, c->told.stores);
  a->count->caba_lines_written++;
  a->count->caba_packed_written += c->told.stores < CABA_LINE;
  count_line(a, c->told.stores);
  return c->told.stores;
}

static bool store_part(void *self, uint64_t physical, uint32_t bytes) {
  struct caba_agent *a = self;
  uint64_t line = line_of(physical);
  uint32_t bursts = bursts_of(a, bytes);
  if (caba_dram_bytes(&a->lines, line) < CABA_LINE) {
    a->count->caba_merges++;
    return false;
  }
  caba_dram_has_part(&a->lines, line);
  a->count->caba_lines_written++;
  a->count->caba_bursts += bursts;
  a->count->caba_bursts_plain += bursts;
  return true;
}

static enum packed_write write_part(void *self, const struct mem_request *r) {
  struct caba_agent *a = self;
  if (r->tag < SM_WRITE_TAG) return PACKED_WRITE_TAKEN;
  return caba_l2_bytes(&a->lines, line_of(r->physical)) < CABA_LINE ? PACKED_WRITE_REFUSED : PACKED_WRITE_ANSWERED;
}

/* The unit of the memory controller decompresses the line for a reply. */
static struct packed_reply expanded(struct caba_agent *a, uint64_t line, const struct mem_request *r) {
  uint8_t made[CABA_LINE], bytes[CABA_LINE];
  const struct packed_reply reply = {r->bytes, DECOMPRESS_CYCLES};
  struct caba_channel *c = channel_of(a, line);
  if (!c->has_unit) return reply;
  if (!a->lines.has_images) {
    uint32_t length = caba_encode(&a->lines.coder, caba_contents(&a->lines, line), made);
    if (length < CABA_LINE) caba_unit_decompress(&c->unit, made, length, caba_contents(&a->lines, line));
    return reply;
  }
  const uint8_t *image = caba_image_of(&a->lines, line);
  if (image[0] >> 4 != caba_first_byte(CABA_BDI) >> 4) return reply;
  caba_expand(&a->lines, line, bytes);
  caba_unit_decompress(&c->unit, image, caba_l2_bytes(&a->lines, line), bytes);
  return reply;
}

/* Where an SM finds the line that goes to it with the answer; NULL: it needs none, or gets it decompressed. */
static uint8_t *image_for(struct caba_agent *a, const struct mem_request *r) {
  if (r->source != MEM_SM || r->kind != MEM_READ || r->bytes != CABA_LINE) return NULL;
  if (r->tag < CACHE_MSHRS) return a->replied[r->sm * CACHE_MSHRS + r->tag];
  if (r->tag < SM_WRITE_TAG || r->tag >= SM_WRITE_TAG + SM_WRITES) return NULL;
  return a->returned[r->sm * SM_WRITES + r->tag - SM_WRITE_TAG];
}

/* Lines come to L1 as they are, and the rest decompressed by the memory controller (assumption): constants, textures, atomics. */
static struct packed_reply reply_to_assist(struct caba_agent *a, const struct mem_request *r) {
  uint64_t line = line_of(r->physical);
  uint32_t bytes = caba_l2_bytes(&a->lines, line);
  bool refused = r->tag >= SM_WRITE_TAG;
  uint8_t *image = image_for(a, r);
  if (image && (refused || bytes < CABA_LINE)) memcpy(image, caba_image_of(&a->lines, line), CABA_LINE);
  if (bytes == CABA_LINE) return (struct packed_reply){r->bytes, 0};
  if (!image) return expanded(a, line, r);
  return (struct packed_reply){(uint8_t)bytes, !refused && a->p->load == CABA_LOAD_DIRECT ? DECOMPRESS_CYCLES : 0};
}

static struct packed_reply reply(void *self, const struct mem_request *r, bool fetched) {
  struct caba_agent *a = self;
  uint64_t line = line_of(r->physical);
  if (caba_assists(a->p) && !is_plain_l2(a)) return reply_to_assist(a, r);
  if (is_plain_l2(a)) {
    bool expands = fetched && caba_dram_bytes(&a->lines, line) < CABA_LINE;
    return expands ? expanded(a, line, r) : (struct packed_reply){r->bytes, 0};
  }
  uint32_t bytes = caba_l2_bytes(&a->lines, line);
  if (bytes == CABA_LINE) return (struct packed_reply){r->bytes, 0};
  return (struct packed_reply){(uint8_t)(bytes < r->bytes ? bytes : r->bytes),
                               a->p->design == CABA_HW_BDI ? DECOMPRESS_CYCLES : 0};
}

/* ---- room in the L2 ---- */

static uint32_t tags(const void *self) { return (uint32_t)((const struct caba_agent *)self)->p->l2_tags; }

/* What a write or an atomic leaves in the L2. */
static uint32_t bytes_after(const struct caba_agent *a, const struct mem_request *r) {
  return r->kind == MEM_WRITE && r->bytes == CABA_LINE && r->packed && !is_plain_l2(a) ? r->packed : CABA_LINE;
}

static uint32_t takes(const void *self, uint64_t physical, const struct mem_request *r) {
  const struct caba_agent *a = self;
  return caba_room(a->p, r && r->kind != MEM_READ ? bytes_after(a, r) : caba_l2_bytes(&a->lines, line_of(physical)));
}

static void crowded(void *self) { ((struct caba_agent *)self)->count->caba_l2_crowded++; }

static void looked_up(void *self, uint32_t slice, const struct mem_request *r, bool hit, bool first) {
  struct caba_agent *a = self;
  uint64_t line = line_of(r->physical);
  (void)hit, (void)first;
  if (a->p->l2_tags > 1) {
    a->count->caba_l2_lookups++;
    a->count->caba_l2_lines += a->s.lines(a->s.memory, slice);
  }
  if (r->kind == MEM_READ) return;
  if (r->kind == MEM_WRITE && write_part(a, r) == PACKED_WRITE_REFUSED) {
    a->count->caba_refused++;
    return;
  }
  a->count->caba_partial_writes += r->kind != MEM_WRITE || r->bytes != CABA_LINE;
  write_image(a, line, r);
  caba_l2_has(&a->lines, line, bytes_after(a, r));
}

/* ---- sizes ---- */

/* By its size line; the bytes that it has, if they are as many bursts. */
static uint32_t bytes_by_size(struct caba_agent *a, uint64_t line, uint32_t bursts) {
  uint32_t bytes = caba_dram_bytes(&a->lines, line);
  if (bursts == bursts_of(a, bytes)) return bytes;
  a->count->caba_size_differs++;
  return bursts * (uint32_t)a->s.config->dram_burst_bytes;
}

/* A write of a part changes no size: the line is plain, or it is read before all of it is written. */
static enum size_answer sized(void *self, uint32_t slice, uint64_t physical, enum size_use use, uint64_t *fetch) {
  struct caba_agent *a = self;
  struct caba_channel *c = &a->channel[slice];
  uint64_t line = line_of(physical), local = local_line(a, physical);
  uint32_t bursts;
  if (!a->p->sizes_bytes) return SIZE_KNOWN;
  if (!size_unit_free(&c->sizes)) return SIZE_BUSY;
  c->told.stores = CABA_LINE;
  if (use == SIZE_TO_WRITE) plan_store(a, line);
  enum size_answer answer =
    size_unit_look(&c->sizes, local, use == SIZE_TO_WRITE, bursts_of(a, c->told.stores) - 1, &bursts);
  a->count->caba_size_lookups++;
  a->count->caba_size_misses += answer == SIZE_MISSING;
  *fetch = a->channel_bytes + local / SIZE_LINES_EACH * SIZE_LINE_BYTES;
  if (answer != SIZE_KNOWN) return answer;
  c->told.line = line, c->told.cycle = a->s.clocks->cycle[CLOCK_L2] + 1;
  c->told.bytes = bytes_by_size(a, line, bursts + 1);
  return answer;
}

static void sizes_came(void *self, uint32_t slice, uint64_t local) {
  struct caba_agent *a = self;
  a->count->caba_size_fetches++;
  size_unit_came(&a->channel[slice].sizes, (local - a->channel_bytes) / SIZE_LINE_BYTES);
}

static enum size_answer sizes_leave(void *self, uint32_t slice, uint64_t local, uint64_t *write_back) {
  struct caba_agent *a = self;
  enum size_answer answer =
    size_unit_leaves(&a->channel[slice].sizes, (local - a->channel_bytes) / SIZE_LINE_BYTES, write_back);
  if (answer != SIZE_MISSING) return answer;
  a->count->caba_size_writes++;
  *write_back = a->channel_bytes + *write_back * SIZE_LINE_BYTES;
  return answer;
}

static void agent_cycle(void *self) {
  struct caba_agent *a = self;
  for (uint32_t i = 0; i < a->channels; i++) a->count->caba_unit_differs += caba_channel_cycle(&a->channel[i]);
}

static uint64_t agent_wake(const void *self) {
  const struct caba_agent *a = self;
  for (uint32_t i = 0; i < a->channels; i++)
    if (caba_channel_busy(&a->channel[i])) return a->s.clocks->next[CLOCK_L2];
  return UINT64_MAX;
}

/* ---- construction ---- */

static void agent_destroy(void *self) {
  struct caba_agent *a = self;
  for (uint32_t i = 0; a->channel && i < a->channels; i++) caba_channel_destroy(&a->channel[i]);
  free(a->channel);
  caba_lines_destroy(&a->lines);
  free(a->replied);
  free(a->written);
  free(a->returned);
  free(a->merge);
  free(a);
}

static int check(const struct gpu_config *m, struct err *e) {
  if (m->line_bytes != CABA_LINE)
    return err_set(e, ERR_VALUE, "line_bytes = %lld: compressed lines (--system caba) have %d bytes; set it to that",
                   (long long)m->line_bytes, CABA_LINE);
  if (m->mmu_frames != MMU_IDENTITY)
    return err_set(e, ERR_VALUE,
                   "mmu.frames: compressed lines (--system caba) need pages at their own address; set it to identity");
  if (caba_parameters(m)->sizes_bytes && m->line_bytes > 4 * m->dram_burst_bytes)
    return err_set(
      e, ERR_VALUE,
      "dram.burst_bytes = %lld: the size of a line (caba.sizes_bytes) has two bits, for at most 4 bursts; set it to 32 or more",
      (long long)m->dram_burst_bytes);
  if (m->dram_scheduler == DRAM_BFIFO || m->dram_scheduler == DRAM_FR_FCFS_PLAIN)
    return err_set(
      e, ERR_VALUE,
      "dram.scheduler: this one serves whole lines, and compressed lines (--system caba) take fewer bursts; take fr_fcfs, "
      "fifo or most_pending");
  return 0;
}

/* Memory controllers compress for caba.design=hw_bdi_mem, and what assist warps leave to them; with hw_bdi what was written in part. */
static bool channels_code(const struct caba_agent *a) {
  return a->p->design != CABA_IDEAL_BDI && (!caba_assists(a->p) || a->lines.code.uses[CABA_BDI]);
}

static int create_channels(struct caba_agent *a, struct block_factory *factory, struct err *e) {
  const struct gpu_config *m = a->s.config;
  uint64_t end = DEVICE_MEMORY_BASE + ((uint64_t)m->memory_mib << 20);
  struct caba_channel_shape shape = {.sizes_bytes = a->p->sizes_bytes,
                                     .sizes_ways = a->p->sizes_ways,
                                     .range = {.plain = bursts_of(a, CABA_LINE) - 1},
                                     .coder = channels_code(a) ? &a->lines.coder : NULL,
                                     .now = &a->s.clocks->cycle[CLOCK_L2]};
  shape.range.first = local_line(a, DEVICE_MEMORY_BASE) / SIZE_LINES_EACH * SIZE_LINES_EACH;
  shape.range.end = local_line(a, end) + 1;
  shape.range.last = local_line(a, end + ((uint64_t)m->sm_count << LOCAL_WINDOW_BITS));
  int rc = 0;
  for (uint32_t i = 0; !rc && i < a->channels; i++) rc = caba_channel_create(&a->channel[i], i, &shape, factory, e);
  return rc;
}

/* What is on its way to and from SMs. */
static bool make_images(struct caba_agent *a) {
  size_t sms = (size_t)a->s.config->sm_count;
  if (!caba_assists(a->p)) return true;
  a->replied = calloc(sms * CACHE_MSHRS, sizeof *a->replied);
  a->written = calloc(sms * CABA_IMAGES, sizeof *a->written);
  a->returned = calloc(sms * SM_WRITES, sizeof *a->returned);
  a->merge = calloc(sms * CABA_IMAGES, sizeof *a->merge);
  return a->replied && a->written && a->returned && a->merge;
}

static int make(struct caba_agent *a, struct block_factory *factory, struct err *e) {
  const struct gpu_config *m = a->s.config;
  a->p = caba_parameters(m);
  a->count = caba_memory_counters(a->s.counters);
  a->map = memory_address_map(a->s.memory);
  a->channel_bytes = ((uint64_t)m->memory_mib << 20) / (uint64_t)m->dram_channels + CABA_LINE;
  a->channel_bytes += SIZE_LINE_BYTES - a->channel_bytes % SIZE_LINE_BYTES;
  a->channels = (uint32_t)m->dram_channels;
  a->channel = calloc(a->channels, sizeof *a->channel);
  if (!a->channel || !make_images(a)) return err_set(e, ERR_LIMIT, "out of memory for compressed lines");
  int rc = caba_lines_create(&a->lines, m, e);
  return rc ? rc : create_channels(a, factory, e);
}

static void *agent_create(const struct memory_services *services, struct block_factory *factory, struct err *e) {
  if (check(services->config, e)) return NULL;
  struct caba_agent *a = calloc(1, sizeof *a);
  if (!a) {
    err_set(e, ERR_LIMIT, "out of memory for compressed lines");
    return NULL;
  }
  a->s = *services;
  if (!make(a, factory, e)) return a;
  agent_destroy(a);
  return NULL;
}

static const struct memory_packing packing = {.stored = stored,
                                              .store = store,
                                              .store_part = store_part,
                                              .reply = reply,
                                              .write = write_part,
                                              .sized = sized,
                                              .sizes = sizes_came,
                                              .sizes_leave = sizes_leave,
                                              .tags = tags,
                                              .takes = takes,
                                              .crowded = crowded};

const struct memory_agent_ops caba_agent_ops = {.create = agent_create,
                                                .destroy = agent_destroy,
                                                .cycle = agent_cycle,
                                                .wake = agent_wake,
                                                .looked_up = looked_up,
                                                .ended = ended,
                                                .packing = &packing};
