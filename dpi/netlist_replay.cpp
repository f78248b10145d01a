// SPDX-License-Identifier: Apache-2.0
// Replays a stimulus on a netlist and its RTL side by side (module tandem_power, verilated), compares their outputs in every
// cycle, and counts for each net in how many cycles of the window it differs from the cycle before and in how many it is 1.
// Nets are sampled once a cycle, after everything has settled: glitches do not count. csim/synth/power_sim.c compiles and runs it.
#include "netlist_replay.h"

#include "Vtandem_power.h"
#include "verilated.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <pthread.h>
#include <vector>

namespace {

uint64_t fnv(uint64_t h, const void *bytes, size_t n) {
  for (size_t i = 0; i < n; i++) h = (h ^ static_cast<const uint8_t *>(bytes)[i]) * UINT64_C(0x100000001b3);
  return h;
}

struct Counter {
  std::vector<uint64_t> toggles, ones, since;
  std::vector<uint32_t> last;
  bool seen = false, counting = false;

  explicit Counter(size_t words) : toggles(32 * words), ones(32 * words), since(32 * words), last(words) {}

  // Takes the values of cycle `t` (`inside`: it counts). True when no net has changed.
  bool sample(const uint32_t *values, uint64_t t, bool inside) {
    bool still = seen;
    for (size_t w = 0; w < last.size(); w++) {
      uint32_t moved = values[w] ^ last[w];
      if (moved) still = false;
      if (inside && !counting) // the window begins: ones count from here on
        for (uint32_t b = 0; b < 32; b++) since[32 * w + b] = t;
      if (inside && seen)
        for (uint32_t m = moved; m; m &= m - 1) toggle(32 * w + static_cast<size_t>(__builtin_ctz(m)), values[w], t);
      last[w] = values[w];
    }
    seen = true;
    counting = inside;
    return still;
  }
  void toggle(size_t net, uint32_t word, uint64_t t) {
    toggles[net]++;
    if (word >> (net % 32) & 1) since[net] = t;
    else ones[net] += t - since[net];
  }
  void finish(uint64_t t) {
    for (size_t net = 0; net < toggles.size(); net++)
      if (last[net / 32] >> (net % 32) & 1) ones[net] += t - since[net];
  }
};

// Ticks the last cycle, drives this cycle's inputs and settles them.
void step(Vtandem_power *m) {
  m->clk = 1;
  m->eval();
  m->clk = 0;
  m->eval();
}

int replay(int argc, char **argv) {
  FILE *in = argc > 2 ? fopen(argv[1], "rb") : nullptr, *out = argc > 2 ? fopen(argv[2], "w") : nullptr;
  netlist_header h;
  if (!in || !out || fread(&h, sizeof h, 1, in) != 1) return 2;
  VerilatedContext context;
  auto *m = new Vtandem_power{&context};
  m->clk = 0;
  m->rst_n = 0;
  memset(&m->in[0], 0, 4 * h.in_words);
  m->eval();
  for (int i = 0; i < 3; i++) step(m);

  Counter counter((h.nets + 31) / 32);
  std::vector<uint32_t> values(h.in_words);
  uint64_t hash = h.hash_seed, asked = 0, compared = 0;
  bool quiet = true;
  for (uint64_t i = 0; i < h.rows; i++) {
    netlist_row row;
    if (fread(&row, sizeof row, 1, in) != 1 || fread(values.data(), 4, h.in_words, in) != h.in_words) return 2;
    m->rst_n = row.flags & NETLIST_RST_N;
    memcpy(&m->in[0], values.data(), 4 * h.in_words);
    bool idle = row.flags & NETLIST_IDLE;
    for (uint32_t k = 0; k < row.cycles; k++) {
      uint64_t t = row.cycle + k;
      step(m);
      if (memcmp(&m->out_netlist[0], &m->out_rtl[0], 4 * h.out_words)) {
        uint32_t bit = 0;
        while (!((m->out_netlist[bit / 32] ^ m->out_rtl[bit / 32]) >> (bit % 32) & 1)) bit++;
        fprintf(out, "mismatch %llu %u\n", static_cast<unsigned long long>(t), bit);
        fclose(out);
        return 0;
      }
      bool busy = m->out_netlist[h.busy_bit / 32] >> (h.busy_bit % 32) & 1;
      bool work = !quiet || !idle;
      if (work) hash = fnv(fnv(hash, &t, sizeof t), &m->out_netlist[0], h.out_bytes);
      asked += work && t >= h.from && t < h.to;
      compared++;
      quiet = idle && !busy && (row.flags & NETLIST_RST_N);
      bool still = counter.sample(&m->nets[0], t, t >= h.from && t < h.to);
      if (still && k && quiet &&
          k + 1 < row.cycles) { // no net changes before the inputs do: skip, but not over the window's edges
        uint64_t next = row.cycle + row.cycles - 1;
        if (t < h.from && h.from < next) next = h.from;
        if (next > t + 1) {
          compared += next - t - 1;
          k += static_cast<uint32_t>(next - t - 1);
        }
      }
    }
  }
  counter.finish(h.to);
  fprintf(out, "compared %llu\nasked %llu\noutputs %016llx\n", static_cast<unsigned long long>(compared),
          static_cast<unsigned long long>(asked), static_cast<unsigned long long>(hash));
  for (uint64_t n = 0; n < h.nets; n++)
    fprintf(out, "%llu %llu\n", static_cast<unsigned long long>(counter.toggles[n]),
            static_cast<unsigned long long>(counter.ones[n]));
  fprintf(out, "done\n");
  m->final();
  delete m;
  return fclose(out) ? 2 : 0;
}

struct Call {
  int argc;
  char **argv;
  int status;
};

void *run(void *call) {
  auto *c = static_cast<Call *>(call);
  c->status = replay(c->argc, c->argv);
  return nullptr;
}

} // namespace

// A large netlist's functions, compiled without optimisation, need more stack than the main thread has.
int main(int argc, char **argv) {
  Call call{argc, argv, 2};
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, size_t{1} << 30);
  if (pthread_create(&thread, &attributes, run, &call)) return 2;
  pthread_join(thread, nullptr);
  return call.status;
}
