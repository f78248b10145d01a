/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/address_map.h"

#include "config/gpu_config.h"

enum { PAGE = 4096 };

/* Bytes that consecutive addresses of a channel have in a bank before they leave it. */
static uint64_t stripe_bytes(const struct gpu_config *m) {
  uint64_t stripe = (uint64_t)m->dram_interleave;
  uint64_t share = PAGE >> __builtin_ctzll((uint64_t)m->dram_channels | PAGE); /* times the channels: whole pages */
  if (m->dram_map == DRAM_MAP_PAGE_BANK_COLUMN && stripe < share) stripe = share;
  return stripe < (uint64_t)m->dram_row_bytes ? stripe : (uint64_t)m->dram_row_bytes;
}

static uint64_t rows_of_bank(const struct gpu_config *m) {
  uint64_t rows = ((uint64_t)m->memory_mib << 20) / (uint64_t)(m->dram_channels * m->dram_banks * m->dram_row_bytes);
  return rows ? rows : 1;
}

void address_map_start(struct address_map *a, const struct gpu_config *m) {
  uint64_t stripe = stripe_bytes(m);
  *a = (struct address_map){
    .row_bytes = (uint64_t)m->dram_row_bytes,
    .channels = (uint64_t)m->dram_channels,
    .interleave_bits = (uint32_t)__builtin_ctzll((uint64_t)m->dram_interleave),
    .stripe_bits = (uint32_t)__builtin_ctzll(stripe),
    .bank_groups = (uint32_t)m->dram_bank_groups,
    .banks_per_group = (uint32_t)(m->dram_banks / m->dram_bank_groups),
    .order = (uint32_t)m->dram_map,
    .bank_hash = m->dram_bank_hash,
    .channel_hash = m->dram_channel_hash,
    .by_channels = divisor_of((uint64_t)m->dram_channels),
    .by_groups = divisor_of((uint64_t)m->dram_bank_groups),
    .by_banks_of_group = divisor_of((uint64_t)(m->dram_banks / m->dram_bank_groups)),
    .by_banks = divisor_of((uint64_t)m->dram_banks),
    .by_rows = divisor_of(rows_of_bank(m)),
    .row_bits = (uint32_t)__builtin_ctzll((uint64_t)m->dram_row_bytes),
    .slices = (uint32_t)m->l2_slices,
  };
}

/* assumption: folds the higher bits in. */
static uint64_t folded(uint64_t number) { return number ^ number >> 3 ^ number >> 7; }

uint32_t address_map_channel(const struct address_map *a, uint64_t address) {
  uint64_t chunk = address >> a->interleave_bits;
  if (a->channel_hash) chunk += folded(divided(chunk, &a->by_channels));
  return (uint32_t)remainder_of(chunk, &a->by_channels);
}

uint64_t address_map_local(const struct address_map *a, uint64_t address) {
  uint64_t chunk = address >> a->interleave_bits;
  uint64_t offset = address & ((UINT64_C(1) << a->interleave_bits) - 1);
  return divided(chunk, &a->by_channels) << a->interleave_bits | offset;
}

uint64_t address_map_global(const struct address_map *a, uint32_t channel, uint64_t local) {
  uint64_t offset = local & ((UINT64_C(1) << a->interleave_bits) - 1);
  uint64_t round = local >> a->interleave_bits, at = channel;
  if (a->channel_hash) at = (channel + a->channels - folded(round) % a->channels) % a->channels;
  return (round * a->channels + at) << a->interleave_bits | offset;
}

static struct dram_place group_column_bank(const struct address_map *a, uint64_t local) {
  uint64_t stripe = local >> a->stripe_bits;
  uint32_t group = (uint32_t)remainder_of(stripe, &a->by_groups);
  uint64_t row_index = (divided(stripe, &a->by_groups) << a->stripe_bits) >> a->row_bits;
  uint64_t bank = remainder_of(row_index, &a->by_banks_of_group), row = divided(row_index, &a->by_banks_of_group);
  if (a->bank_hash) bank = remainder_of(bank + folded(row), &a->by_banks_of_group);
  return (struct dram_place){.bank = group * a->banks_per_group + (uint32_t)bank, .group = group, .row = row};
}

/* The orders that change the bank last. Returns the bank, as if there were no hash. */
static uint64_t row_bank(const struct address_map *a, uint64_t local, uint64_t *row) {
  bool row_first = a->order == DRAM_MAP_ROW_COLUMN_BANK;
  uint64_t unit = local >> (row_first ? a->stripe_bits : a->row_bits), rest = divided(unit, &a->by_rows);
  if (row_first) rest >>= a->row_bits - a->stripe_bits;
  *row = remainder_of(unit, &a->by_rows) + divided(rest, &a->by_banks) * a->by_rows.by;
  return remainder_of(rest, &a->by_banks);
}

struct dram_place address_map_place(const struct address_map *a, uint64_t local) {
  uint64_t bank, row;
  if (a->order == DRAM_MAP_GROUP_COLUMN_BANK) return group_column_bank(a, local);
  if (a->order == DRAM_MAP_COLUMN_BANK) {
    bank = remainder_of(local >> a->row_bits, &a->by_banks);
    row = divided(local >> a->row_bits, &a->by_banks);
  } else if (a->order == DRAM_MAP_COLUMN_ROW_BANK || a->order == DRAM_MAP_ROW_COLUMN_BANK) {
    bank = row_bank(a, local, &row);
  } else {
    bank = remainder_of(local >> a->stripe_bits, &a->by_banks);
    row = (divided(local >> a->stripe_bits, &a->by_banks) << a->stripe_bits) >> a->row_bits;
  }
  if (a->bank_hash) bank = remainder_of(bank + folded(row), &a->by_banks);
  uint32_t group = (uint32_t)remainder_of(bank, &a->by_groups);
  return (struct dram_place){
    .bank = group * a->banks_per_group + (uint32_t)divided(bank, &a->by_groups), .group = group, .row = row};
}

uint64_t address_map_column(const struct address_map *a, uint64_t local) {
  uint64_t stripe = local >> a->stripe_bits, offset = local & ((UINT64_C(1) << a->stripe_bits) - 1);
  switch (a->order) {
    case DRAM_MAP_GROUP_COLUMN_BANK: stripe = divided(stripe, &a->by_groups); break;
    case DRAM_MAP_BANK_COLUMN:
    case DRAM_MAP_PAGE_BANK_COLUMN: stripe = divided(stripe, &a->by_banks); break;
    case DRAM_MAP_ROW_COLUMN_BANK: stripe = divided(stripe, &a->by_rows); break;
    default: break; /* the row as it is */
  }
  return (stripe << a->stripe_bits | offset) & (a->row_bytes - 1);
}

/* `bank` of `banks` before it was rotated by its row. */
static uint64_t before_hash(const struct address_map *a, uint64_t bank, uint64_t row, uint64_t banks) {
  return a->bank_hash ? (bank + banks - folded(row) % banks) % banks : bank;
}

uint64_t address_map_unplace(const struct address_map *a, uint32_t bank, uint64_t row, uint64_t column) {
  uint64_t stripes = UINT64_C(1) << (a->row_bits - a->stripe_bits), stripe = column >> a->stripe_bits;
  uint64_t offset = column & ((UINT64_C(1) << a->stripe_bits) - 1), rows = a->by_rows.by, banks = a->by_banks.by;
  uint64_t group = bank / a->banks_per_group, in_group = bank % a->banks_per_group;
  uint64_t number = before_hash(a, in_group * a->bank_groups + group, row, banks);
  switch (a->order) {
    case DRAM_MAP_GROUP_COLUMN_BANK:
      in_group = before_hash(a, in_group, row, a->banks_per_group);
      stripe = ((row * a->banks_per_group + in_group) * stripes + stripe) * a->bank_groups + group;
      break;
    case DRAM_MAP_COLUMN_BANK: stripe += (row * banks + number) * stripes; break;
    case DRAM_MAP_COLUMN_ROW_BANK: stripe += ((row / rows * banks + number) * rows + row % rows) * stripes; break;
    case DRAM_MAP_ROW_COLUMN_BANK:
      stripe = ((row / rows * banks + number) * stripes + stripe) * rows + row % rows;
      break;
    default: stripe = (row * stripes + stripe) * banks + number;
  }
  return stripe << a->stripe_bits | offset;
}
