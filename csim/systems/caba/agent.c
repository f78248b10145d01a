/* SPDX-License-Identifier: Apache-2.0 */
/* What each line takes in DRAM and in the L2. The bytes are those of device memory, which instructions change at issue: a line is
 * compressed as it is when it travels. At the start of a launch nothing travels, and each line that is not in the L2 is in DRAM as device
 * memory has it. Local memory is plain; so is (assumption) a line of zeros that nobody has written since it was allocated, since zeros that
 * the host has copied there look the same. */
#include "systems/caba/agent.h"
#include "base/err.h"
#include "base/hash.h"
#include "core/cache.h"
#include "device/device_memory.h"
#include "dram/address_map.h"
#include "mem/memory_system.h"
#include "mem/packing.h"
#include "mem/page_table.h"
#include "systems/caba/coder.h"
#include "systems/caba/images.h"
#include "systems/caba/line_code.h"
#include "systems/caba/sizes.h"
#include "systems/caba/tables.h"
#include "systems/caba/units.h"

#include <stdlib.h>
#include <string.h>

enum { UNKNOWN = 0 };           /* in `dram`: plain */
enum { AS_IN_DRAM = 0 };        /* in `l2` */
enum { DECOMPRESS_CYCLES = 1 }; /* the thesis, 5.6; compression takes 5, which nobody waits for */

struct caba_agent {
  struct memory_services s;
  const struct caba_parameters *p;
  struct caba_memory_counters *count;
  const struct address_map *map;
  const struct device_memory *memory; /* since the first launch */
  struct caba_coder coder;
  uint64_t lines;
  uint8_t *dram;  /* bytes of each line; UNKNOWN */
  uint8_t *l2;    /* of those that were written since they came, bytes; AS_IN_DRAM */
  uint64_t *hash; /* of its contents when `dram` was set */
  uint64_t channel_bytes, hash_of_zeros;
  struct size_unit *sizes; /* of each channel */
  struct caba_unit *units; /* of each channel, where memory controllers compress and decompress by BDI; else NULL */
  /* of the request whose size has been told in this cycle: its line, what DRAM has of it by its size line, and what a write makes of it */
  struct {
    uint64_t line, cycle; /* + 1 */
    uint32_t bytes, stores;
    bool makes; /* a new image */
    uint8_t image[CABA_LINE];
  } told;
  /* where assist warps work: what the L2 and DRAM hold; the images of replies, by SM and MSHR of L1 */
  struct caba_images images;
  struct caba_line_code code;
  uint8_t (*replied)[CABA_LINE], (*written)[CABA_LINE]; /* written: by SM and tag */
  uint8_t (*returned)[CABA_LINE];                       /* with refused writes, by SM and tag */
  struct caba_merge *merge;                             /* by SM and tag */
};

/* ---- contents ---- */

static const uint8_t *contents(const struct caba_agent *a, uint64_t line) {
  uint64_t address = DEVICE_MEMORY_BASE + line * CABA_LINE;
  return line < a->lines && a->memory ? device_memory_at(a->memory, address, CABA_LINE) : NULL;
}

static uint32_t compressed(const struct caba_agent *a, uint64_t line) {
  uint8_t image[CABA_LINE];
  const uint8_t *bytes = contents(a, line);
  return bytes ? caba_encode(&a->coder, bytes, image) : CABA_LINE;
}

/* The memory controllers compress and decompress; the L2 has lines plain. */
static bool is_plain_l2(const struct caba_agent *a) {
  return a->p->design == CABA_HW_BDI_MEM || (caba_assists(a->p) && a->p->l2 == CABA_L2_PLAIN);
}

static uint64_t line_of(uint64_t address) { return (address - DEVICE_MEMORY_BASE) / CABA_LINE; }

/* Its number in the channel. */
static uint64_t local_line(const struct caba_agent *a, uint64_t physical) {
  return address_map_local(a->map, physical) / CABA_LINE;
}

static uint32_t channel_of(const struct caba_agent *a, uint64_t line) {
  return address_map_channel(a->map, DEVICE_MEMORY_BASE + line * CABA_LINE);
}

static struct caba_unit *unit_of(const struct caba_agent *a, uint64_t line) { return &a->units[channel_of(a, line)]; }

static uint64_t hash_of(const struct caba_agent *a, uint64_t line) {
  return hash_bytes(HASH_SEED, contents(a, line), CABA_LINE);
}

static uint32_t dram_bytes(const struct caba_agent *a, uint64_t line) {
  return line < a->lines && a->dram[line] != UNKNOWN ? a->dram[line] : CABA_LINE;
}

static uint32_t l2_bytes(const struct caba_agent *a, uint64_t line) {
  return line < a->lines && a->l2[line] != AS_IN_DRAM ? a->l2[line] : dram_bytes(a, line);
}

static uint32_t bursts_of(const struct caba_agent *a, uint32_t bytes) {
  uint32_t burst = (uint32_t)a->s.config->dram_burst_bytes;
  return (bytes + burst - 1) / burst;
}

/* ---- images ---- */

static uint8_t *image_of(struct caba_agent *a, uint64_t line) { return caba_images_at(&a->images, line); }

static void expand(struct caba_agent *a, uint64_t line, uint8_t bytes[CABA_LINE]) {
  caba_unpack(&a->code, image_of(a, line), l2_bytes(a, line), bytes);
}

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
  return &a->code;
}

/* The host writes the line, compressed or not. What it takes. */
static uint32_t make_image(struct caba_agent *a, uint64_t line, bool packed) {
  if (!a->images.page) return packed ? compressed(a, line) : CABA_LINE;
  if (packed) return caba_pack(&a->code, contents(a, line), image_of(a, line));
  memcpy(image_of(a, line), contents(a, line), CABA_LINE);
  return CABA_LINE;
}

/* The memory controller compresses the plain line that the L2 has: its bytes, which instructions that are on their way have not changed
 * yet. What it takes. */
static uint32_t pack_line(struct caba_agent *a, uint64_t line, uint8_t image[CABA_LINE]) {
  if (!a->images.page) return compressed(a, line);
  return caba_pack(&a->code, image_of(a, line), image);
}

static bool is_merged(const struct mem_request *r) {
  return r->kind == MEM_WRITE && r->tag >= CABA_IMAGES && r->tag < 2 * CABA_IMAGES;
}

/* The L2 takes the line of an SM as a whole if it is still compressed, as it went to the SM; else the bytes that the SM has written, so
 * that it keeps what others have written meanwhile. */
static void merge_image(struct caba_agent *a, uint64_t line, const struct caba_merge *m, uint8_t bytes[CABA_LINE]) {
  bool same = l2_bytes(a, line) < CABA_LINE && !memcmp(image_of(a, line), m->image, l2_bytes(a, line));
  for (uint32_t k = 0; k < CABA_LINE; k++)
    if (same || (m->mask[k / 64] >> k % 64 & 1)) bytes[k] = m->line[k];
}

/* A line of the L2 is written: as a whole with its image, or plain, and then the L2 has it plain. */
static void write_image(struct caba_agent *a, uint64_t line, const struct mem_request *r) {
  uint8_t bytes[CABA_LINE];
  uint64_t at = r->physical % CABA_LINE;
  const uint8_t *now = contents(a, line);
  if (!a->images.page || !now) return;
  if (r->kind == MEM_WRITE && r->packed) {
    const uint8_t *image = caba_agent_written(a, r->sm, r->tag);
    if (a->p->l2 == CABA_L2_PACKED) memcpy(image_of(a, line), image, CABA_LINE);
    else caba_unpack(&a->code, image, r->packed, image_of(a, line));
    return;
  }
  expand(a, line, bytes);
  if (is_merged(r)) {
    merge_image(a, line, &a->merge[r->sm * CABA_IMAGES + r->tag - CABA_IMAGES], bytes);
  } else {
    memcpy(bytes + at, now + at, at + r->bytes < CABA_LINE ? r->bytes : CABA_LINE - at);
  }
  memcpy(image_of(a, line), bytes, CABA_LINE);
}

/* Memory has more lines than before, or the host has written lines that the L2 has. */
static int grow_images(struct caba_agent *a, struct err *e) {
  for (uint64_t line = 0; a->images.page && contents(a, line); line++)
    if (!image_of(a, line)) return err_set(e, ERR_LIMIT, "the host has no memory left for images of lines");
  return 0;
}

static void renew_cached(struct caba_agent *a, uint64_t line) {
  uint8_t bytes[CABA_LINE];
  if (!a->images.page) return;
  expand(a, line, bytes);
  if (!memcmp(bytes, contents(a, line), CABA_LINE)) return;
  a->l2[line] = CABA_LINE;
  make_image(a, line, false);
}

/* The image is the one that bdi_enc makes, whoever has made it: bytes between its fields, which no routine reads, are 0. Routines have the first
 * value as base and keep what setlen allows; with other settings there are two images of a line. */
static bool is_usual(struct caba_agent *a, uint64_t line, const uint8_t bytes[CABA_LINE]) {
  uint8_t image[CABA_LINE];
  if (a->p->design != CABA_CABA_BDI || !a->coder.first_base || a->coder.most != AWS_MOST) return true;
  uint32_t length = l2_bytes(a, line);
  return length == CABA_LINE ||
         (caba_encode(&a->coder, bytes, image) == length && !memcmp(image, image_of(a, line), length));
}

static void ended(void *self) {
  struct caba_agent *a = self;
  uint8_t bytes[CABA_LINE];
  for (uint64_t line = 0; a->images.page && contents(a, line); line++) {
    expand(a, line, bytes);
    a->count->caba_images_checked++;
    a->count->caba_images_differ += memcmp(bytes, contents(a, line), CABA_LINE) != 0 || !is_usual(a, line, bytes);
  }
}

/* ---- launches ---- */

static struct size_unit *sizes_of(struct caba_agent *a, uint64_t line) { return &a->sizes[channel_of(a, line)]; }

static void renew(struct caba_agent *a) {
  for (uint64_t line = 0; contents(a, line); line++) {
    if (a->s.cached(a->s.memory, DEVICE_MEMORY_BASE + line * CABA_LINE)) {
      renew_cached(a, line);
      continue;
    }
    uint64_t hash = hash_of(a, line);
    if (a->dram[line] != UNKNOWN && a->hash[line] == hash) continue;
    if (a->dram[line] == UNKNOWN && hash == a->hash_of_zeros) continue;
    uint32_t before = bursts_of(a, dram_bytes(a, line));
    a->hash[line] = hash;
    a->dram[line] = (uint8_t)make_image(a, line, a->p->host);
    if (bursts_of(a, a->dram[line]) != before) size_unit_empty(sizes_of(a, line));
  }
}

/* Where the host has changed sizes, or a launch was killed, the cache is emptied, and memory has all sizes (assumption: without a cost). */
static void renew_sizes(struct caba_agent *a) {
  bool any = false;
  for (int64_t i = 0; i < a->s.config->dram_channels; i++) {
    if (size_unit_unfinished(&a->sizes[i])) size_unit_empty(&a->sizes[i]);
    any |= a->sizes[i].resets;
  }
  for (uint64_t line = 0; any && contents(a, line); line++)
    if (sizes_of(a, line)->resets)
      size_unit_set(sizes_of(a, line), local_line(a, DEVICE_MEMORY_BASE + line * CABA_LINE),
                    bursts_of(a, dram_bytes(a, line)) - 1);
}

int caba_agent_launch(struct caba_agent *a, const struct device_memory *memory, struct err *e) {
  a->memory = memory;
  int rc = grow_images(a, e);
  if (rc) return rc;
  a->code.wrong = 0;
  renew(a);
  renew_sizes(a);
  for (int64_t i = 0; a->units && i < a->s.config->dram_channels; i++)
    if (caba_unit_busy(&a->units[i])) caba_unit_forget(&a->units[i]);
  if (!a->code.wrong) return 0;
  return err_set(e, ERR_VALUE, "a line does not come back from the image that the program's routine '%s' makes of it",
                 a->code.store.routine[a->code.wrong - 1].name);
}

uint32_t caba_agent_packs(const struct caba_agent *a, const struct mem_request *r) {
  if (a->p->design == CABA_HW_BDI_MEM || caba_assists(a->p) || r->kind != MEM_WRITE || r->bytes != CABA_LINE)
    return r->bytes;
  return compressed(a, line_of(r->address));
}

/* ---- calls of the slices ---- */

static void count_line(struct caba_agent *a, uint32_t bytes) {
  a->count->caba_bursts += bursts_of(a, bytes);
  a->count->caba_bursts_plain += bursts_of(a, CABA_LINE);
}

static bool is_told(const struct caba_agent *a, uint64_t line) {
  return a->told.line == line && a->told.cycle == a->s.clocks->cycle[CLOCK_L2] + 1;
}

static uint32_t stored(void *self, uint64_t physical) {
  struct caba_agent *a = self;
  uint64_t line = line_of(physical);
  uint32_t bytes = is_told(a, line) ? a->told.bytes : dram_bytes(a, line);
  a->count->caba_lines_read++;
  a->count->caba_packed_read += bytes < CABA_LINE;
  count_line(a, bytes);
  return bytes;
}

/* What the line takes once it is written as a whole, into `told`: with a new image of it, or as it is. */
static void plan_store(struct caba_agent *a, uint64_t line) {
  bool packed = l2_bytes(a, line) < CABA_LINE;
  a->told.makes = false;
  if (!contents(a, line)) a->told.stores = CABA_LINE;
  else if (caba_assists(a->p) && packed) a->told.stores = l2_bytes(a, line);
  else if (!is_plain_l2(a) && a->p->partial == CABA_PARTIAL_PLAIN && !packed) a->told.stores = CABA_LINE;
  else a->told.makes = true, a->told.stores = pack_line(a, line, a->told.image);
}

/* The unit of the memory controller does what has been planned. */
static void unit_compresses(struct caba_agent *a, uint64_t line) {
  uint8_t image[CABA_LINE];
  if (a->units) caba_unit_compress(unit_of(a, line), a->images.page ? image_of(a, line) : contents(a, line), image);
}

static uint32_t store(void *self, uint64_t physical) {
  struct caba_agent *a = self;
  uint64_t line = line_of(physical);
  if (!is_told(a, line)) plan_store(a, line);
  uint32_t bytes = a->told.stores;
  if (a->told.makes) unit_compresses(a, line);
  if (contents(a, line)) {
    if (a->told.makes && a->images.page) memcpy(image_of(a, line), a->told.image, CABA_LINE);
    a->dram[line] = (uint8_t)bytes;
    a->hash[line] = hash_of(a, line);
    a->l2[line] = AS_IN_DRAM;
  }
  a->count->caba_lines_written++;
  a->count->caba_packed_written += bytes < CABA_LINE;
  count_line(a, bytes);
  return bytes;
}

static bool store_part(void *self, uint64_t physical, uint32_t bytes) {
  struct caba_agent *a = self;
  uint64_t line = line_of(physical);
  uint32_t burst = (uint32_t)a->s.config->dram_burst_bytes;
  if (dram_bytes(a, line) < CABA_LINE) {
    a->count->caba_merges++;
    return false;
  }
  if (contents(a, line)) {
    a->hash[line] = hash_of(a, line);
    a->l2[line] = AS_IN_DRAM;
  }
  a->count->caba_lines_written++;
  a->count->caba_bursts += (bytes + burst - 1) / burst;
  a->count->caba_bursts_plain += (bytes + burst - 1) / burst;
  return true;
}

static enum packed_write write_part(void *self, const struct mem_request *r) {
  struct caba_agent *a = self;
  if (r->tag < SM_WRITE_TAG) return PACKED_WRITE_TAKEN;
  return l2_bytes(a, line_of(r->physical)) < CABA_LINE ? PACKED_WRITE_REFUSED : PACKED_WRITE_ANSWERED;
}

/* The unit of the memory controller decompresses the line for a reply. */
static struct packed_reply expanded(struct caba_agent *a, uint64_t line, const struct mem_request *r) {
  uint8_t image[CABA_LINE], bytes[CABA_LINE];
  uint32_t length = l2_bytes(a, line);
  if (a->units && a->images.page && image_of(a, line)[0] >> 4 == caba_first_byte(CABA_BDI) >> 4) {
    expand(a, line, bytes);
    caba_unit_decompress(unit_of(a, line), image_of(a, line), length, bytes);
  } else if (a->units && !a->images.page) {
    length = caba_encode(&a->coder, contents(a, line), image);
    if (length < CABA_LINE) caba_unit_decompress(unit_of(a, line), image, length, contents(a, line));
  }
  return (struct packed_reply){r->bytes, DECOMPRESS_CYCLES};
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
  uint32_t bytes = l2_bytes(a, line);
  bool refused = r->tag >= SM_WRITE_TAG;
  uint8_t *image = image_for(a, r);
  if (image && (refused || bytes < CABA_LINE)) memcpy(image, image_of(a, line), CABA_LINE);
  if (bytes == CABA_LINE) return (struct packed_reply){r->bytes, 0};
  if (!image) return expanded(a, line, r);
  return (struct packed_reply){(uint8_t)bytes, !refused && a->p->load == CABA_LOAD_DIRECT ? DECOMPRESS_CYCLES : 0};
}

static struct packed_reply reply(void *self, const struct mem_request *r, bool fetched) {
  struct caba_agent *a = self;
  uint64_t line = line_of(r->physical);
  if (caba_assists(a->p) && !is_plain_l2(a)) return reply_to_assist(a, r);
  if (is_plain_l2(a)) {
    bool expands = fetched && dram_bytes(a, line) < CABA_LINE;
    return expands ? expanded(a, line, r) : (struct packed_reply){r->bytes, 0};
  }
  uint32_t bytes = l2_bytes(a, line);
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
  return caba_room(a->p, r && r->kind != MEM_READ ? bytes_after(a, r) : l2_bytes(a, line_of(physical)));
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
  if (line < a->lines) write_image(a, line, r);
  if (line < a->lines) a->l2[line] = (uint8_t)bytes_after(a, r);
}

/* ---- sizes ---- */

/* By its size line; the bytes that it has, if they are as many bursts. */
static uint32_t bytes_by_size(struct caba_agent *a, uint64_t line, uint32_t bursts) {
  if (bursts == bursts_of(a, dram_bytes(a, line))) return dram_bytes(a, line);
  a->count->caba_size_differs++;
  return bursts * (uint32_t)a->s.config->dram_burst_bytes;
}

/* A write of a part changes no size: the line is plain, or it is read before all of it is written. */
static enum size_answer sized(void *self, uint32_t slice, uint64_t physical, enum size_use use, uint64_t *fetch) {
  struct caba_agent *a = self;
  struct size_unit *unit = &a->sizes[slice];
  uint64_t line = line_of(physical), local = local_line(a, physical);
  uint32_t bursts;
  if (!a->p->sizes_bytes) return SIZE_KNOWN;
  if (!size_unit_free(unit)) return SIZE_BUSY;
  a->told.stores = CABA_LINE;
  if (use == SIZE_TO_WRITE) plan_store(a, line);
  enum size_answer answer =
    size_unit_look(unit, local, use == SIZE_TO_WRITE, bursts_of(a, a->told.stores) - 1, &bursts);
  a->count->caba_size_lookups++;
  a->count->caba_size_misses += answer == SIZE_MISSING;
  *fetch = a->channel_bytes + local / SIZE_LINES_EACH * SIZE_LINE_BYTES;
  if (answer != SIZE_KNOWN) return answer;
  a->told.line = line, a->told.cycle = a->s.clocks->cycle[CLOCK_L2] + 1;
  a->told.bytes = bytes_by_size(a, line, bursts + 1);
  return answer;
}

static void sizes_came(void *self, uint32_t slice, uint64_t local) {
  struct caba_agent *a = self;
  a->count->caba_size_fetches++;
  size_unit_came(&a->sizes[slice], (local - a->channel_bytes) / SIZE_LINE_BYTES);
}

static enum size_answer sizes_leave(void *self, uint32_t slice, uint64_t local, uint64_t *write_back) {
  struct caba_agent *a = self;
  enum size_answer answer =
    size_unit_leaves(&a->sizes[slice], (local - a->channel_bytes) / SIZE_LINE_BYTES, write_back);
  if (answer != SIZE_MISSING) return answer;
  a->count->caba_size_writes++;
  *write_back = a->channel_bytes + *write_back * SIZE_LINE_BYTES;
  return answer;
}

static void agent_cycle(void *self) {
  struct caba_agent *a = self;
  for (int64_t i = 0; i < a->s.config->dram_channels; i++) {
    size_unit_cycle(&a->sizes[i]);
    if (a->units && caba_unit_busy(&a->units[i])) a->count->caba_unit_differs += caba_unit_cycle(&a->units[i]);
  }
}

static uint64_t agent_wake(const void *self) {
  const struct caba_agent *a = self;
  for (int64_t i = 0; i < a->s.config->dram_channels; i++)
    if (size_unit_busy(&a->sizes[i]) || (a->units && caba_unit_busy(&a->units[i]))) return a->s.clocks->next[CLOCK_L2];
  return UINT64_MAX;
}

/* ---- construction ---- */

static void agent_destroy(void *self) {
  struct caba_agent *a = self;
  for (int64_t i = 0; a->sizes && i < a->s.config->dram_channels; i++) size_unit_destroy(&a->sizes[i]);
  free(a->sizes);
  for (int64_t i = 0; a->units && i < a->s.config->dram_channels; i++) caba_unit_destroy(&a->units[i]);
  free(a->units);
  caba_images_destroy(&a->images);
  free(a->replied);
  free(a->written);
  free(a->returned);
  free(a->merge);
  free(a->dram);
  free(a->l2);
  free(a->hash);
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

static int create_sizes(struct caba_agent *a, struct block_factory *factory, struct err *e) {
  const struct gpu_config *m = a->s.config;
  uint64_t end = DEVICE_MEMORY_BASE + ((uint64_t)m->memory_mib << 20);
  struct size_range range = {.plain = bursts_of(a, CABA_LINE) - 1};
  range.first = local_line(a, DEVICE_MEMORY_BASE) / SIZE_LINES_EACH * SIZE_LINES_EACH;
  range.end = local_line(a, end) + 1;
  range.last = local_line(a, end + ((uint64_t)m->sm_count << LOCAL_WINDOW_BITS));
  int rc = 0;
  for (uint32_t i = 0; !rc && i < (uint32_t)m->dram_channels; i++)
    rc = size_unit_create(&a->sizes[i], i, a->p->sizes_bytes, a->p->sizes_ways, &range, factory,
                          &a->s.clocks->cycle[CLOCK_L2], e);
  return rc;
}

/* Memory controllers compress for caba.design=hw_bdi_mem, and what assist warps leave to them; with hw_bdi what was written in part. */
static int create_units(struct caba_agent *a, struct block_factory *factory, struct err *e) {
  uint32_t n = (uint32_t)a->s.config->dram_channels;
  char path[24];
  int rc = 0;
  if (a->p->design == CABA_IDEAL_BDI || (caba_assists(a->p) && !a->code.uses[CABA_BDI])) return 0;
  a->units = calloc(n, sizeof *a->units);
  if (!a->units) return err_set(e, ERR_LIMIT, "out of memory for compressed lines");
  for (uint32_t i = 0; !rc && i < n; i++) {
    snprintf(path, sizeof path, "l2.%u", i);
    rc = caba_unit_create(&a->units[i], &a->coder, path, factory, &a->s.clocks->cycle[CLOCK_L2], e);
  }
  return rc;
}

static void *agent_create(const struct memory_services *services, struct block_factory *factory, struct err *e) {
  const struct gpu_config *m = services->config;
  if (check(m, e)) return NULL;
  struct caba_agent *a = calloc(1, sizeof *a);
  if (!a) goto fail;
  a->s = *services;
  a->p = caba_parameters(m);
  a->count = caba_memory_counters(services->counters);
  a->map = memory_address_map(services->memory);
  a->coder = (struct caba_coder){a->p->base == CABA_BASE_FIRST, (uint32_t)a->p->most};
  a->lines = ((uint64_t)m->memory_mib << 20) / CABA_LINE;
  a->channel_bytes = ((uint64_t)m->memory_mib << 20) / (uint64_t)m->dram_channels + CABA_LINE;
  a->channel_bytes += SIZE_LINE_BYTES - a->channel_bytes % SIZE_LINE_BYTES;
  static const uint8_t zeros[CABA_LINE];
  a->hash_of_zeros = hash_bytes(HASH_SEED, zeros, sizeof zeros);
  a->dram = calloc(a->lines, sizeof *a->dram);
  a->l2 = calloc(a->lines, sizeof *a->l2);
  a->hash = calloc(a->lines, sizeof *a->hash);
  a->sizes = calloc((size_t)m->dram_channels, sizeof *a->sizes);
  bool made = a->dram && a->l2 && a->hash && a->sizes;
  if (made && caba_assists(a->p)) {
    a->replied = calloc((size_t)m->sm_count * CACHE_MSHRS, sizeof *a->replied);
    a->written = calloc((size_t)m->sm_count * CABA_IMAGES, sizeof *a->written);
    a->returned = calloc((size_t)m->sm_count * SM_WRITES, sizeof *a->returned);
    a->merge = calloc((size_t)m->sm_count * CABA_IMAGES, sizeof *a->merge);
    if (caba_line_code_make(&a->code, a->p, e)) {
      agent_destroy(a);
      return NULL;
    }
    made = a->replied && a->written && a->returned && a->merge && caba_images_create(&a->images, a->lines);
  }
  if (made && !create_sizes(a, factory, e) && !create_units(a, factory, e)) return a;
  agent_destroy(a);
  if (made) return NULL;
fail:
  err_set(e, ERR_LIMIT, "out of memory for compressed lines");
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
