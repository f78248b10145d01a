/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/address_map.h"

#include "base/machine.h"

void address_map_start(struct address_map *a, const struct machine *m) {
  uint64_t stripe = (uint64_t)(m->dram_interleave < m->dram_row_bytes ? m->dram_interleave : m->dram_row_bytes);
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
    .row_bits = (uint32_t)__builtin_ctzll((uint64_t)m->dram_row_bytes),
  };
}

/* ours: folds the higher bits in. */
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

struct dram_place address_map_place(const struct address_map *a, uint64_t local) {
  uint64_t bank, row;
  if (a->order == DRAM_MAP_GROUP_COLUMN_BANK) return group_column_bank(a, local);
  if (a->order == DRAM_MAP_COLUMN_BANK) {
    bank = remainder_of(local >> a->row_bits, &a->by_banks);
    row = divided(local >> a->row_bits, &a->by_banks);
  } else {
    bank = remainder_of(local >> a->stripe_bits, &a->by_banks);
    row = (divided(local >> a->stripe_bits, &a->by_banks) << a->stripe_bits) >> a->row_bits;
  }
  if (a->bank_hash) bank = remainder_of(bank + folded(row), &a->by_banks);
  uint32_t group = (uint32_t)remainder_of(bank, &a->by_groups);
  return (struct dram_place){
    .bank = group * a->banks_per_group + (uint32_t)divided(bank, &a->by_groups), .group = group, .row = row};
}
