// SPDX-License-Identifier: Apache-2.0
// The one place that knows Verilator. Compiled with -DSHIM_RUNTIME into the runtime library, with -DSHIM_BLOCK=<block>
// -DSHIM_CLASS=<Verilated class> into each model library, after the model's own code, and with -DSHIM_NETLIST -DSHIM_CLASS=<Verilated
// class> into the program that replays a stimulus on a netlist (csim/synth/power_sim.c).
#if defined(SHIM_NETLIST)

// Replays a stimulus on a netlist and its RTL side by side (module tandem_power, verilated), compares their outputs in every
// cycle, and counts for each net in how many cycles of the window it differs from the cycle before and in how many it is 1.
// Values are looked at once a cycle, when everything has settled: glitches do not count.
#define SHIM_TEXT2(x) #x
#define SHIM_TEXT(x) SHIM_TEXT2(x)
#include SHIM_TEXT(SHIM_CLASS.h)
#include "verilated.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <pthread.h>
#include <vector>

namespace {

struct Header {
  uint64_t rows, in_words, out_words, out_bytes, nets, busy_bit, from, to, hash_seed;
};
struct Row {
  uint64_t cycle;
  uint32_t cycles, flags; // flags: 1 not in reset, 2 no request
};

uint64_t fnv(uint64_t h, const void *bytes, size_t n) {
  for (size_t i = 0; i < n; i++) h = (h ^ static_cast<const uint8_t *>(bytes)[i]) * UINT64_C(0x100000001b3);
  return h;
}

struct Counter {
  std::vector<uint64_t> toggles, ones, since;
  std::vector<uint32_t> last;
  bool seen = false, counting = false;

  explicit Counter(size_t words) : toggles(32 * words), ones(32 * words), since(32 * words), last(words) {}

  // The values of cycle `t` of the window (counting), or of a cycle before it. True when nothing moved.
  bool sample(const uint32_t *values, uint64_t t, bool inside) {
    bool still = seen;
    for (size_t w = 0; w < last.size(); w++) {
      uint32_t moved = values[w] ^ last[w];
      if (moved) still = false;
      if (inside && !counting) // the window begins: what is 1 is 1 from here on
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

// The tick of the last cycle, then this cycle's inputs, settled.
void step(SHIM_CLASS *m) {
  m->clk = 1;
  m->eval();
  m->clk = 0;
  m->eval();
}

int replay(int argc, char **argv) {
  FILE *in = argc > 2 ? fopen(argv[1], "rb") : nullptr, *out = argc > 2 ? fopen(argv[2], "w") : nullptr;
  Header h;
  if (!in || !out || fread(&h, sizeof h, 1, in) != 1) return 2;
  VerilatedContext context;
  auto *m = new SHIM_CLASS{&context};
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
    Row row;
    if (fread(&row, sizeof row, 1, in) != 1 || fread(values.data(), 4, h.in_words, in) != h.in_words) return 2;
    m->rst_n = row.flags & 1;
    memcpy(&m->in[0], values.data(), 4 * h.in_words);
    bool idle = row.flags & 2;
    for (uint32_t k = 0; k < row.cycles; k++) {
      uint64_t t = row.cycle + k;
      step(m);
      if (memcmp(&m->out_netlist[0], &m->out_rtl[0], 4 * h.out_words)) {
        uint32_t bit = 0;
        while ((m->out_netlist[bit / 32] ^ m->out_rtl[bit / 32]) >> (bit % 32) % 2 == 0) bit++;
        fprintf(out, "mismatch %llu %u\n", static_cast<unsigned long long>(t), bit);
        fclose(out);
        return 0;
      }
      bool busy = m->out_netlist[h.busy_bit / 32] >> (h.busy_bit % 32) & 1;
      bool work = !quiet || !idle;
      if (work) hash = fnv(fnv(hash, &t, sizeof t), &m->out_netlist[0], h.out_bytes);
      asked += work && t >= h.from && t < h.to;
      compared++;
      quiet = idle && !busy && (row.flags & 1);
      bool still = counter.sample(&m->nets[0], t, t >= h.from && t < h.to);
      if (still && k && quiet &&
          k + 1 < row.cycles) { // nothing moves until the inputs do; the window's edges still count
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

// The functions of a large netlist, compiled without optimisation, want more stack than a process is given.
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

#elif defined(SHIM_RUNTIME)

#include "rtl_model.h"

#include "verilated.h"
#include "verilated_fst_c.h"

namespace {

void *context_create(uint32_t seed, int rand_reset) {
  auto *context = new VerilatedContext;
  context->threads(1); // no pool: a fork of the process must be whole
  context->traceEverOn(true);
  context->randReset(rand_reset);
  context->randSeed(static_cast<int>(seed & 0x7fffffff) | 1);
  return context;
}

void context_destroy(void *context) { delete static_cast<VerilatedContext *>(context); }

void *fst_create() { return new VerilatedFstC; }

int fst_open(void *fst, const char *path, const char *time_unit) {
  auto *f = static_cast<VerilatedFstC *>(fst);
  f->set_time_unit(time_unit);
  f->set_time_resolution(time_unit);
  f->open(path);
  return f->isOpen() ? 0 : 1;
}

void fst_dump(void *fst, uint64_t time) { static_cast<VerilatedFstC *>(fst)->dump(time); }

void fst_close(void *fst) {
  auto *f = static_cast<VerilatedFstC *>(fst);
  if (f->isOpen()) f->close();
  delete f;
}

} // namespace

extern "C" __attribute__((visibility("default"))) const rtl_runtime_ops tandem_rtl_runtime = {
  RTL_MODEL_ABI, context_create, context_destroy, fst_create, fst_open, fst_dump, fst_close};

#else

#include "rtl_model.h"

#define SHIM_JOIN2(a, b) a##b
#define SHIM_JOIN(a, b) SHIM_JOIN2(a, b)

namespace {

const rtl_calls *calls;

using Model = SHIM_CLASS;

void bind(const rtl_calls *c) { calls = c; }

void *create(void *context, const char *scope) {
  auto *m = new Model{static_cast<VerilatedContext *>(context), scope};
  m->clk = m->smp = m->lat = 0;
  m->eval(); // runs `initial`: the socket opens
  return m;
}

void destroy(void *model) {
  auto *m = static_cast<Model *>(model);
  Verilated::threadContextp(m->contextp()); // scopes unregister at the thread's context, whoever made it last
  m->final();
  delete m;
}

void rise(void *model) {
  auto *m = static_cast<Model *>(model);
  m->clk = 1;
  m->eval();
}

void sample(void *model) {
  auto *m = static_cast<Model *>(model);
  m->smp = !m->smp;
  m->eval();
}

void fall(void *model) {
  auto *m = static_cast<Model *>(model);
  m->clk = 0;
  m->eval();
}

void late(void *model) {
  auto *m = static_cast<Model *>(model);
  m->lat = !m->lat;
  m->eval();
}

// The hot path, without waves: the model's evaluation itself, past eval(), whose message queue and trace bookkeeping cost a
// third as much as a small block. (create() went through eval(), so `initial` has run.)
void cycle(void *model) {
  auto *m = static_cast<Model *>(model);
  m->clk = 1;
  SHIM_JOIN(SHIM_CLASS, ___024root___eval)(m->rootp);
  m->clk = 0;
  m->smp = !m->smp;
  SHIM_JOIN(SHIM_CLASS, ___024root___eval)(m->rootp);
}

void trace(void *model, void *fst) { static_cast<Model *>(model)->trace(static_cast<VerilatedFstC *>(fst), 99); }

} // namespace

extern "C" {
int tandem_open(const char *path) { return calls->open(path); }
#ifndef SHIM_PROBE
void SHIM_JOIN(SHIM_BLOCK, _drive)(int id, svBitVecVal *v) { calls->drive(id, v); }
void SHIM_JOIN(SHIM_BLOCK, _late)(int id, svBitVecVal *v) { calls->late(id, v); }
void SHIM_JOIN(SHIM_BLOCK, _sample)(int id, const svBitVecVal *v) { calls->sample(id, v); }
void SHIM_JOIN(SHIM_BLOCK, _state)(int id, const svBitVecVal *v) { calls->state(id, v); }
#endif
void SHIM_JOIN(SHIM_BLOCK, _probe)(int id, svBitVecVal *v) { calls->probe(id, v); }

__attribute__((visibility("default"))) extern const rtl_model_ops tandem_rtl_model;
const rtl_model_ops tandem_rtl_model = {RTL_MODEL_ABI, bind, create, destroy, cycle, rise, sample, fall, late, trace};
}

#endif
