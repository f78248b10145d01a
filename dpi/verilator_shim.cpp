// SPDX-License-Identifier: Apache-2.0
// The seam's side of Verilator. Compiled with -DSHIM_RUNTIME into the runtime library, and with -DSHIM_BLOCK=<block>
// -DSHIM_CLASS=<Verilated class> into each model library, after the model's own code.
#if defined(SHIM_RUNTIME)

#include "rtl_model.h"

#include "verilated.h"
#include "verilated_fst_c.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

void *context_create(uint32_t seed, int rand_reset) {
  auto *context = new VerilatedContext;
  context->threads(1); // no thread pool: it would not survive a fork
  context->traceEverOn(true);
  context->randReset(rand_reset);
  context->randSeed(static_cast<int>(seed & 0x7fffffff) | 1);
  return context;
}

void context_destroy(void *context) { delete static_cast<VerilatedContext *>(context); }

int fst_errno; // of the wave's first failed write

void note(int number) {
  if (!fst_errno) fst_errno = number ? number : EIO;
}

int checked(int result) {
  if (result < 0) note(errno);
  return result;
}

void *fst_create() { return new VerilatedFstC; }

void fst_open(void *fst, const char *path, const char *time_unit) {
  auto *f = static_cast<VerilatedFstC *>(fst);
  fst_errno = errno = 0;
  f->set_time_unit(time_unit);
  f->set_time_resolution(time_unit);
  f->open(path);
  if (!f->isOpen()) note(errno);
}

void fst_dump(void *fst, uint64_t time) { static_cast<VerilatedFstC *>(fst)->dump(time); }

int fst_close(void *fst) {
  auto *f = static_cast<VerilatedFstC *>(fst);
  if (f->isOpen()) f->close();
  delete f;
  return fst_errno;
}

} // namespace

extern "C" __attribute__((visibility("default"))) const rtl_runtime_ops tandem_rtl_runtime = {
  RTL_MODEL_ABI, context_create, context_destroy, fst_create, fst_open, fst_dump, fst_close};

// Verilator's FST writer ignores failed writes, and on a full disk it dies of SIGBUS in its mapped files. So the linker sends
// these calls here (--wrap): fst_close() returns the first error, and a mapping that the disk has no room for is in memory.
extern "C" {
void *__real_mmap(void *, size_t, int, int, int, off_t);
size_t __real_fwrite(const void *, size_t, size_t, FILE *);
int __real_fputc(int, FILE *);
int __real_fflush(FILE *);
int __real_fseeko(FILE *, off_t, int);
int __real_fclose(FILE *);

void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset) {
  int failed = posix_fallocate(file, offset, static_cast<off_t>(bytes));
  if (!failed) return __real_mmap(at, bytes, protection, flags, file, offset);
  note(failed);
  void *memory = __real_mmap(at, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED && pread(file, memory, bytes, offset) < 0) note(errno);
  return memory;
}

size_t __wrap_fwrite(const void *from, size_t bytes, size_t n, FILE *f) {
  size_t done = __real_fwrite(from, bytes, n, f);
  if (done < n) note(errno);
  return done;
}

int __wrap_fputc(int c, FILE *f) { return checked(__real_fputc(c, f)); }
int __wrap_fflush(FILE *f) { return checked(__real_fflush(f)); }
int __wrap_fseeko(FILE *f, off_t offset, int whence) { return checked(__real_fseeko(f, offset, whence)); }
int __wrap_fclose(FILE *f) { return checked(__real_fclose(f)); }
}

#else

#include "rtl_model.h"

#include "verilated_save.h"

#include <cstring>

#define SHIM_JOIN2(a, b) a##b
#define SHIM_JOIN(a, b) SHIM_JOIN2(a, b)

namespace {

const rtl_calls *calls;

using Model = SHIM_CLASS;

void bind(const rtl_calls *c) { calls = c; }

void *create(void *context, const char *scope) {
  auto *m = new Model{static_cast<VerilatedContext *>(context), scope};
  m->clk = m->smp = m->lat = 0;
#ifndef SHIM_PROBE
  m->tandem_direct = m->tandem_want = 0;
#endif
  m->eval(); // runs `initial`: the socket opens
  return m;
}

void destroy(void *model) {
  auto *m = static_cast<Model *>(model);
  Verilated::threadContextp(m->contextp()); // scopes unregister at the thread's context, whoever made it last
  m->final();
  delete m;
}

// From here on the socket calls C again.
void indirect(Model *m) {
#ifndef SHIM_PROBE
  m->tandem_direct = 0;
#endif
}

void rise(void *model) {
  auto *m = static_cast<Model *>(model);
  indirect(m);
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
  m->rootp->vlSymsp->__Vm_activity = true; // for waves
  SHIM_JOIN(SHIM_CLASS, ___024root___eval)(m->rootp);
}

// The hot path, without waves: the model's evaluation itself, past eval(), whose message queue and trace bookkeeping cost a
// third as much as a small block. (create() went through eval(), so `initial` has run.)
void cycle(void *model) {
  auto *m = static_cast<Model *>(model);
  indirect(m);
  m->clk = 1;
  SHIM_JOIN(SHIM_CLASS, ___024root___eval)(m->rootp);
  m->clk = 0;
  m->smp = !m->smp;
  SHIM_JOIN(SHIM_CLASS, ___024root___eval)(m->rootp);
}

#ifndef SHIM_PROBE
// The clock rises, all settles, and the clock is low again.
const void *pulse(Model *m) {
#ifdef SHIM_CLK_TRIGGER
  // what the rising clock triggers, and nothing else; to eval() it is as if the clock had stayed low (verilated_traits.sh). One more
  // caller of this function, and the compiler no longer makes a copy of it for the trigger: half as fast
  m->rootp->__VnbaTriggered.clear();
  m->rootp->__VnbaTriggered.at(SHIM_CLK_TRIGGER) = true;
  SHIM_JOIN(SHIM_CLASS, ___024root___eval_nba)(m->rootp);
#else
  m->clk = 1;
  SHIM_JOIN(SHIM_CLASS, ___024root___eval)(m->rootp);
  m->clk = 0;
#ifdef SHIM_CLK_WAS
  m->rootp->SHIM_CLK_WAS = 0; // nothing happens at the falling edge (verilated_traits.sh)
#else
  SHIM_JOIN(SHIM_CLASS, ___024root___eval)(m->rootp);
#endif
#endif
  return &m->out_v;
}

const void *direct(void *model) {
  auto *m = static_cast<Model *>(model);
  m->tandem_direct = 1;
  return pulse(m);
}

uint32_t *inputs(void *model) { return reinterpret_cast<uint32_t *>(&static_cast<Model *>(model)->tandem_in); }

const void *step(void *model) {
  auto *m = static_cast<Model *>(model);
  indirect(m);
  return pulse(m);
}

void registers(void *model) {
  auto *m = static_cast<Model *>(model);
  m->tandem_want = 1;
  m->smp = !m->smp;
  SHIM_JOIN(SHIM_CLASS, ___024root___eval)(m->rootp);
  m->tandem_want = 0;
}
#else
const void *direct(void *) { return nullptr; }
uint32_t *inputs(void *) { return nullptr; }
const void *step(void *) { return nullptr; }
void registers(void *) {}
#endif

const void *memory(void *model, size_t *bytes) {
  auto *root = static_cast<Model *>(model)->rootp;
#ifdef SHIM_FLAT
  *bytes = sizeof *root;
#else
  *bytes = 0; // modules of their own have objects of their own
#endif
  return root;
}

void trace(void *model, void *fst) { static_cast<Model *>(model)->trace(static_cast<VerilatedFstC *>(fst), 99); }

// Verilator's own save and restore (--savable), between memory instead of files. A buffer of each thread serves all its calls.
class Saver final : public VerilatedSerialize {
public:
  void (*put)(void *, const void *, size_t) = nullptr;
  void *self = nullptr;
  void flush() override {
    put(self, m_bufp, static_cast<size_t>(m_cp - m_bufp));
    m_cp = m_bufp;
  }
};

class Restorer final : public VerilatedDeserialize {
  const uint8_t *from, *end;
  bool overran = false; // more was read than there is

public:
  Restorer(const void *bytes, size_t n) : from(static_cast<const uint8_t *>(bytes)), end(from + n) { m_endp = m_bufp; }
  bool exhausted() const { return from == end && m_cp == m_endp && !overran; }
  void fill() override { // at least bufferInsertSize() bytes become readable, if only as garbage
    overran |= m_cp > m_endp;
    size_t kept = overran ? 0 : static_cast<size_t>(m_endp - m_cp), left = static_cast<size_t>(end - from);
    if (!left && m_bufp + bufferSize() - m_cp >= static_cast<ptrdiff_t>(bufferInsertSize())) return;
    std::memmove(m_bufp, m_cp, kept);
    size_t n = left < bufferSize() - kept ? left : bufferSize() - kept;
    std::memcpy(m_bufp + kept, from, n);
    m_cp = m_bufp;
    m_endp = m_bufp + kept + n;
    from += n;
  }
};

void save(void *model, void (*put)(void *, const void *, size_t), void *self) {
  static thread_local Saver saver;
  saver.put = put;
  saver.self = self;
  saver << *static_cast<Model *>(model);
  saver.flush();
}

int restore(void *model, const void *bytes, size_t n) {
  auto *m = static_cast<Model *>(model);
  Restorer from{bytes, n};
#ifndef SHIM_PROBE
  auto &id = m->rootp->SHIM_JOIN(SHIM_BLOCK, _socket__DOT__id); // by which DPI calls find the instance of this process
  const auto mine = id;
  from >> *m;
  id = mine;
#else
  from >> *m;
#endif
  return from.exhausted() ? 0 : -1;
}

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
const rtl_model_ops tandem_rtl_model = {RTL_MODEL_ABI, bind,   create, destroy,   cycle,  rise,  sample, fall,   late,
                                        direct,        inputs, step,   registers, memory, trace, save,   restore};
}

#endif
