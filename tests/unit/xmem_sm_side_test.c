/* SPDX-License-Identifier: Apache-2.0 */
/* slice: xmem */
/* Do a warp's XMem instructions become the commands that it means? The home AMU here is a list of what arrives. */
#include "kit/test.h"
#include "systems/xmem/agent_internal.h"

#include "base/err.h"
#include "config/counters.h"
#include "device/device_memory.h"
#include "mem/agent.h"
#include "ptx/ptx.h"

/* The part beyond the SMs is there for its command slots alone; those of SM 3 are the last ones. */
enum { SM = 3 };

enum { REG_START, REG_LENX, REG_LENY, REG_SIZEX, REG_SIZEY, REG_SIZEZ, ARRIVALS = 64, BASE = 100, ATOMS = 5 };

struct rig {
  struct xmem_agent agent;
  struct sm_counters counters;
  struct device_memory memory;
  struct ptx_module *module;
  void *system;
  bool port;
  struct arrival {
    struct xmem_command command;
    uint32_t tag, bytes;
  } arrival[ARRIVALS];
  uint32_t n;
};

static bool port_free(const struct sm *sm) { return ((const struct rig *)(const void *)sm)->port; }
static void command(struct sm *sm, uint32_t tag, uint32_t bytes) {
  struct rig *r = (struct rig *)(void *)sm;
  assert_true(r->port && r->n < ARRIVALS);
  r->arrival[r->n++] = (struct arrival){*xmem_agent_slot(&r->agent, SM, tag), tag, bytes};
}

static const struct system_ops *const ops = &xmem_system;

static void begin(struct rig *r) {
  static const char text[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n";
  struct err e = {0};
  memset(r, 0, sizeof *r);
  r->port = true;
  assert_true(commands_create(&r->agent.commands, SM + 1));
  assert_int_equal(device_memory_create(&r->memory, 1 << 20, &e), 0);
  assert_int_equal(ptx_module_load("k.ptx", text, sizeof text - 1, ops->extensions, &r->memory, &r->module, &e), 0);
  ptx_module_relocate(r->module, (struct ptx_relocation){.base = BASE, .count = ATOMS});
  struct sm_services services = {.sm = (struct sm *)(void *)r,
                                 .port_free = port_free,
                                 .command = command,
                                 .agent = &r->agent,
                                 .counters = &r->counters};
  r->system = ops->create(NULL, NULL, "sm3", SM, &services, &e);
  assert_non_null(r->system);
  assert_int_equal(ops->launch(r->system, ptx_module_kernel(r->module, "k"), &e), 0);
  ops->cta_start(r->system, 0, 0, 0xf, 0, 0);
  ops->cta_start(r->system, 1, 1, 0xf0, 0, 0);
}

static void end(struct rig *r) {
  commands_destroy(&r->agent.commands);
  ops->destroy(r->system);
  ptx_module_free(r->module);
  device_memory_destroy(&r->memory);
}

static uint16_t code_of(const char *name) {
  const struct ptx_extension *x = ops->extensions;
  while (x->name && strcmp(x->name, name) != 0) x++;
  assert_non_null(x->name);
  assert_int_equal(x->issue_slots, 1);
  return x->code;
}

static bool issue(struct rig *r, uint32_t warp, const char *name, uint64_t first, uint64_t second) {
  struct extension_call c = {.code = code_of(name), .cta = warp / 4, .warp = warp, .args = {first, second}};
  return ops->scoreboard->extension(r->system, &c) == EXTENSION_DONE;
}

static void cycles(struct rig *r, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (ops->busy(r->system)) ops->cycle(r->system);
}

static void test_a_command_carries_the_registers_as_they_are_when_it_issues(void **state) {
  static struct rig r;
  (void)state;
  begin(&r);
  r.port = false;
  for (uint32_t i = 0; i < 6; i++) assert_true(issue(&r, 2, "amu_setreg", i, UINT64_C(0x123456789000) + i));
  assert_true(issue(&r, 2, "atom_map", 4, 3));
  for (uint32_t i = 0; i < 6; i++) assert_true(issue(&r, 2, "amu_setreg", i, i)); /* used again at once */
  assert_true(issue(&r, 2, "atom_unmap", 0, 1));
  cycles(&r, 5);
  assert_int_equal(r.n, 0); /* no port */
  r.port = true;
  cycles(&r, 5);
  assert_int_equal(r.n, 2);
  const struct xmem_command *c = &r.arrival[0].command;
  assert_int_equal(c->code, XMEM_CODE_MAP);
  assert_int_equal(c->aid, BASE + 4);
  assert_int_equal(c->dim, 3);
  assert_true(c->start == UINT64_C(0x123456789000));
  assert_int_equal(c->len_x, 0x56789001); /* 32 bits */
  assert_int_equal(c->len_y, 0x56789002);
  assert_int_equal(c->size_x, 0x56789003);
  assert_int_equal(c->size_y, 0x56789004);
  assert_int_equal(c->size_z, 0x56789005);
  c = &r.arrival[1].command;
  assert_int_equal(c->code, XMEM_CODE_UNMAP);
  assert_int_equal(c->aid, BASE);
  assert_int_equal(c->dim, 1);
  assert_int_equal(c->start, 0);
  assert_int_equal(c->size_x, 3);
  assert_int_equal(xmem_counters(&r.counters)->xmem_instructions, 14);
  end(&r);
}

static void test_registers_of_two_warps_do_not_mix(void **state) {
  static struct rig r;
  (void)state;
  begin(&r);
  for (uint32_t i = 0; i < 6; i++)
    for (uint32_t w = 0; w < 2; w++) issue(&r, w, "amu_setreg", i, 1000 * (w + 1) + i);
  for (uint32_t w = 0; w < 2; w++) assert_true(issue(&r, w, "atom_map", w, 3));
  cycles(&r, 3);
  assert_int_equal(r.n, 2);
  for (uint32_t w = 0; w < 2; w++) {
    const struct xmem_command *c = &r.arrival[w].command;
    assert_int_equal(c->start, 1000 * (w + 1) + REG_START);
    assert_int_equal(c->len_x, 1000 * (w + 1) + REG_LENX);
    assert_int_equal(c->len_y, 1000 * (w + 1) + REG_LENY);
    assert_int_equal(c->size_x, 1000 * (w + 1) + REG_SIZEX);
    assert_int_equal(c->size_y, 1000 * (w + 1) + REG_SIZEY);
    assert_int_equal(c->size_z, 1000 * (w + 1) + REG_SIZEZ);
  }
  ops->cta_start(r.system, 0, 0, 0xf, 0, 0); /* its next warps begin with zero */
  assert_true(issue(&r, 0, "atom_map", 0, 1));
  cycles(&r, 1);
  assert_int_equal(r.arrival[2].command.size_x, 0);
  end(&r);
}

static void test_a_warp_waits_only_when_all_four_slots_are_taken(void **state) {
  static struct rig r;
  (void)state;
  begin(&r);
  for (uint32_t i = 0; i < 4; i++) assert_true(issue(&r, 0, "atom_activate", i, 0));
  assert_false(issue(&r, 0, "atom_deactivate", 4, 0));
  assert_true(issue(&r, 1, "amu_setreg", REG_START, 7)); /* needs no slot */
  assert_false(issue(&r, 1, "atom_map", 0, 1));
  assert_int_equal(ops->scoreboard->blocked(r.system), 3);
  assert_int_equal(xmem_counters(&r.counters)->xmem_stalls, 2);
  assert_int_equal(xmem_counters(&r.counters)->xmem_instructions, 5);
  cycles(&r, 8);
  assert_int_equal(r.n, 4);
  for (uint32_t i = 0; i < 4; i++) {
    assert_int_equal(r.arrival[i].command.aid, BASE + i); /* in program order */
    assert_int_equal(r.arrival[i].tag, i);
    assert_int_equal(r.arrival[i].bytes, 8);
  }
  ops->command_done(r.system, 1); /* slot 0, the next one in turn, is still taken */
  assert_int_equal(ops->scoreboard->blocked(r.system), 3);
  ops->command_done(r.system, 0);
  assert_int_equal(ops->scoreboard->blocked(r.system), 0);
  assert_true(issue(&r, 0, "atom_deactivate", 4, 0));
  assert_true(issue(&r, 1, "atom_map", 0, 1));
  assert_false(issue(&r, 2, "atom_map", 0, 1));
  cycles(&r, 8);
  assert_int_equal(r.n, 6);
  assert_int_equal(r.arrival[4].command.code, XMEM_CODE_DEACTIVATE);
  assert_int_equal(r.arrival[4].tag, 0);
  assert_int_equal(r.arrival[5].command.code, XMEM_CODE_MAP);
  assert_int_equal(r.arrival[5].tag, 1);
  assert_int_equal(r.arrival[5].bytes, 32);
  end(&r);
}

static void test_what_does_not_exist_has_no_effect_and_is_counted(void **state) {
  static struct rig r;
  static const uint64_t bad[] = {ATOMS, 255, 256, UINT32_MAX, UINT64_MAX};
  (void)state;
  begin(&r);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_true(issue(&r, 0, "atom_activate", bad[i], 0));
    assert_true(issue(&r, 0, "atom_map", bad[i], 1));
  }
  assert_true(issue(&r, 0, "atom_map", 0, 0));
  assert_true(issue(&r, 0, "atom_map", 0, 4));
  assert_true(issue(&r, 0, "amu_setreg", 6, 1)); /* the driver's */
  assert_true(issue(&r, 0, "amu_setreg", UINT32_MAX, 1));
  cycles(&r, 8);
  assert_int_equal(r.n, 0);
  assert_int_equal(xmem_counters(&r.counters)->xmem_refused, 14);
  assert_int_equal(xmem_counters(&r.counters)->xmem_instructions, 14);
  end(&r);
}

static void test_a_cta_retires_when_its_commands_have_left(void **state) {
  static struct rig r;
  (void)state;
  begin(&r);
  r.port = false;
  assert_true(issue(&r, 1, "atom_activate", 0, 0));
  assert_true(issue(&r, 5, "atom_activate", 1, 0));
  assert_false(ops->cta_may_retire(r.system, 0));
  assert_false(ops->cta_may_retire(r.system, 1));
  assert_true(ops->cta_may_retire(r.system, 2));
  r.port = true;
  cycles(&r, 1);
  assert_true(ops->cta_may_retire(r.system, 0));
  assert_false(ops->cta_may_retire(r.system, 1));
  cycles(&r, 1);
  assert_true(ops->cta_may_retire(r.system, 1)); /* the answers may come later */
  assert_false(ops->busy(r.system));
  end(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_command_carries_the_registers_as_they_are_when_it_issues),
    cmocka_unit_test(test_registers_of_two_warps_do_not_mix),
    cmocka_unit_test(test_a_warp_waits_only_when_all_four_slots_are_taken),
    cmocka_unit_test(test_what_does_not_exist_has_no_effect_and_is_counted),
    cmocka_unit_test(test_a_cta_retires_when_its_commands_have_left),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
