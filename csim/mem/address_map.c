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
  };
}

uint32_t address_map_channel(const struct address_map *a, uint64_t address) {
  return (uint32_t)((address >> a->interleave_bits) % a->channels);
}

uint64_t address_map_local(const struct address_map *a, uint64_t address) {
  uint64_t chunk = address >> a->interleave_bits;
  uint64_t offset = address & ((UINT64_C(1) << a->interleave_bits) - 1);
  return (chunk / a->channels) << a->interleave_bits | offset;
}

uint64_t address_map_global(const struct address_map *a, uint32_t channel, uint64_t local) {
  uint64_t offset = local & ((UINT64_C(1) << a->interleave_bits) - 1);
  return ((local >> a->interleave_bits) * a->channels + channel) << a->interleave_bits | offset;
}

struct dram_place address_map_place(const struct address_map *a, uint64_t local) {
  uint64_t stripe = local >> a->stripe_bits;
  uint32_t group = (uint32_t)(stripe % a->bank_groups);
  uint64_t row_index = ((stripe / a->bank_groups) << a->stripe_bits) / a->row_bytes;
  uint64_t bank = row_index % a->banks_per_group, row = row_index / a->banks_per_group;
  uint64_t turn = row ^ row >> 3 ^ row >> 7; /* ours: fold the higher row bits in */
  bank = (bank + turn) % a->banks_per_group;
  return (struct dram_place){.bank = group * a->banks_per_group + (uint32_t)bank, .group = group, .row = row};
}
