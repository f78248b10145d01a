// SPDX-License-Identifier: Apache-2.0
// The part of the seam that counts lines and toggles. Compiled with -DSHIM_COVERAGE into a library beside the runtime library, and into
// each model of the coverage build set before verilator_shim.cpp.
#if defined(SHIM_COVERAGE)

#include "rtl_coverage_ops.h"

#include "verilated.h"
#include "verilated_cov.h"

namespace {

void write(void *context, const char *path) { static_cast<VerilatedContext *>(context)->coveragep()->write(path); }

} // namespace

extern "C" __attribute__((visibility("default")))
const rtl_coverage_ops tandem_rtl_coverage = {RTL_COVERAGE_ABI, write};

#else

#include "verilated_save.h"

// Verilator makes no models that both count and save their state; the shim's save() and restore() see a state of no bytes.
static inline VerilatedSerialize &operator<<(VerilatedSerialize &to, SHIM_CLASS &) { return to; }
static inline VerilatedDeserialize &operator>>(VerilatedDeserialize &from, SHIM_CLASS &) { return from; }

#endif
