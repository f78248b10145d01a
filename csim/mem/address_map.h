/* SPDX-License-Identifier: Apache-2.0 */
/* Where a device address lives: which channel (and its L2 slice), and in the channel which bank, row and column. The only
 * place that knows; a system that remaps memory replaces these functions. */
#ifndef TANDEM_MEM_ADDRESS_MAP_H
#define TANDEM_MEM_ADDRESS_MAP_H

#include <stdint.h>

struct machine;

struct address_map {
  uint64_t row_bytes, channels;
  uint32_t interleave_bits, stripe_bits; /* log2 of bytes on one channel, and in it on one bank group */
  uint32_t bank_groups, banks_per_group;
};

struct dram_place {
  uint32_t bank; /* group * banks_per_group + bank in the group */
  uint32_t group;
  uint64_t row;
};

void address_map_start(struct address_map *, const struct machine *); /* a machine that machine_check accepts */
/* Round robin over the channels, dram.interleave bytes each. */
uint32_t address_map_channel(const struct address_map *, uint64_t address);
/* The address in its channel: the channels' share taken out, dense. */
uint64_t address_map_local(const struct address_map *, uint64_t address);
uint64_t address_map_global(const struct address_map *, uint32_t channel, uint64_t local); /* the inverse */
/* Bank and row of a local address. Consecutive stripes go to consecutive bank groups, so that a stream is not held to
 * tCCDL; a row's stripes then share a bank; the bank within the group is rotated by the row's bits (after Zhang, Zhu and
 * Zhang 2000, permutation-based page interleaving), so that arrays a power of two apart do not fight for one bank. */
struct dram_place address_map_place(const struct address_map *, uint64_t local);

#endif
