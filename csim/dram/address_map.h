/* SPDX-License-Identifier: Apache-2.0 */
/* Where a physical address lives: which channel (and its L2 slice), and in the channel which bank, row and column. Nothing
 * else knows; a proposal that remaps memory replaces these functions. */
#ifndef TANDEM_DRAM_ADDRESS_MAP_H
#define TANDEM_DRAM_ADDRESS_MAP_H

#include "base/divisor.h"

#include <stdbool.h>
#include <stdint.h>

struct gpu_config;

struct address_map {
  uint64_t row_bytes, channels;
  uint32_t interleave_bits, stripe_bits; /* log2 of bytes on one channel, and in it on one bank group */
  uint32_t bank_groups, banks_per_group;
  uint32_t order; /* dram.map */
  bool bank_hash, channel_hash;
  struct divisor by_channels, by_groups, by_banks_of_group, by_banks, by_rows;
  uint32_t row_bits; /* log2 of row_bytes */
  uint32_t slices;   /* l2.slices, a power of two */
};

struct dram_place {
  uint32_t bank; /* group * banks_per_group + bank in the group */
  uint32_t group;
  uint64_t row;
};

void address_map_start(struct address_map *,
                       const struct gpu_config *); /* a GPU configuration that gpu_config_check accepts */
/* Round robin over the channels, dram.interleave bytes each; with dram.channel_hash each round begins elsewhere. */
uint32_t address_map_channel(const struct address_map *, uint64_t address);
/* The address in its channel: the channels' share taken out, dense. */
uint64_t address_map_local(const struct address_map *, uint64_t address);
/* The slice of the channel, of l2.slices: dram.interleave bytes of local addresses each in turn. */
static inline uint32_t address_map_slice(const struct address_map *a, uint64_t local) {
  return (uint32_t)(local >> a->interleave_bits) & (a->slices - 1);
}
uint64_t address_map_global(const struct address_map *, uint32_t channel, uint64_t local); /* the inverse */
/* Bank and row of a local address, by dram.map; a stripe is dram.interleave bytes or a row, what is less. Named by what
 * consecutive addresses run through, fastest first; in brackets the schemes of DRAMSim2 (Rosenfeld 2011, AddressMapping.cpp)
 * that they are in a channel of one rank, their bursts being our stripes:
 *   group_column_bank  stripes run through the bank groups, so that a stream is not held to tCCDL, then through the columns
 *                      of a row, then through the banks of a group,
 *   column_bank        a whole row, then the next bank (Yuan 2009, section 3: row, bank, column) [6],
 *   bank_column        stripes run through all banks, then through the columns [1, 2, 5, 7],
 *   page_bank_column   the same, and a stripe is a page's share of the channel (assumption: row, bank, page offset with channel);
 *                      if the channels are no power of two, that of as many pages as share a multiple of their number,
 *   column_row_bank    a whole row, then the next row of the bank: each bank has a contiguous part of memory [4],
 *   row_column_bank    stripes run through the rows of a bank, then through the columns [3].
 * The last two have as many rows a bank as memory.mib makes; beyond memory they begin again with further rows.
 * Banks one after the other lie in groups one after the other. With dram.bank_hash the bank (in its group with the first
 * order) is rotated by the row's bits (after Zhang, Zhu and Zhang 2000, permutation-based page interleaving), so that
 * arrays a power of two apart do not fight for one bank. */
struct dram_place address_map_place(const struct address_map *, uint64_t local);
uint64_t address_map_column(const struct address_map *, uint64_t local); /* byte in the row */
/* The inverse of both: the local address. */
uint64_t address_map_unplace(const struct address_map *, uint32_t bank, uint64_t row, uint64_t column);

#endif
