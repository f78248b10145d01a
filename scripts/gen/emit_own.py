# SPDX-License-Identifier: Apache-2.0
"""What a block of a user's own manifest needs besides a socket: the wrapper around its RTL, a stimulus where none is written, the
table by which the program finds the blocks in their library."""

import emit_c
from emit_sv import HEAD, place, sv

BUGS = "tandem_bugs"  # package whose variable says which planted bug is on


def declared(f, direction):
    kind = f"{direction} logic" + ("" if f.width.text == "1" else f" [({sv(f.width)})-1:0]")
    return f"  {kind} {f.name}_{'i' if direction == 'input' else 'o'}"


def bus_type(value):
    text = str(value)
    return f"logic [({text})-1:0]" if text.isdigit() else text


def parameter_list(own):
    said = [f".{name}({value if isinstance(value, str) else sv(value)})" for name, value in own.rtl_params.items()]
    return f" #({', '.join(said)})" if said else ""


def clocking(own, where):
    """Connections of clock and reset, and the lines that they need. Without a reset, the clock edge before the first cycle is kept
    from the RTL: there are no inputs yet."""
    pins, lines = [], []
    if own.clocked:
        pins.append(f".{own.clock}({'clk_i' if own.reset.port else 'clk_i & started_q'}) // {where('clock')}: clock")
        if own.reset.port:
            pins.append(f".{own.reset.port}({'~' if own.reset.high else ''}rst_ni) // {where('reset')}: reset")
        else:
            lines = ["  logic started_q = 1'b0;", "  always @(negedge clk_i) started_q <= 1'b1;"]
    return pins, lines


def wrapper(b):
    own = b.own
    where = b.where
    ports = ["  input logic clk_i", "  input logic rst_ni"] if own.clocked else []
    ports += [declared(f, "input") for f in b.inputs] + [declared(f, "output") for f in b.outputs]
    head = ",\n".join(f"  parameter int {p} = {v}" for p, v in b.params.items())
    lines = [HEAD + f"// {own.top} with the ports of the manifest.", f"module {own.module}" + (f" #(\n{head}\n)" if head else "") + " ("
             , ",\n".join(ports), ");"]
    pins, clocked = clocking(own, where)
    after = []
    for pin, pieces in own.pins.items():
        selection, f = pieces[0]
        if not selection:
            pins.append(f".{pin}({f.name}_{'i' if pin in own.inputs else 'o'}){place(f.where)}")
            continue
        lines.append(f"  {bus_type(own.buses[pin])} bus_{pin}; // {where('buses')}: buses {pin}")
        pins.append(f".{pin}(bus_{pin}){place(f.where)}")
        if pin in own.inputs:
            lines += ["  always_comb begin", f"    bus_{pin} = '0;",
                      *[f"    {{bus_{pin}{s}}} = {g.name}_i;{place(g.where)}" for s, g in pieces], "  end"]
        else:
            after += [f"  assign {g.name}_o = bus_{pin}{s};{place(g.where)}" for s, g in pieces]
    pins += [f".{pin}({value}) // {where('tie')}: tie {pin}" for pin, value in own.tie.items()]
    pins += [f".{pin}() // {where('open')}: open {pin}" for pin in own.open]
    lines += clocked
    lines.append(f"  {own.top}{parameter_list(own)} u_dut ( // {where('rtl_params')}: rtl_params")
    # a comment ends its line, so the comma stands before the next connection
    lines.append("      " + "\n    , ".join(pins))
    lines += ["  );", *after]
    if b.implicit_busy:
        lines.append("  assign busy_o = 1'b1;")
    if own.props:
        lines += ["`ifdef FORMAL", f'  `include "{own.props}"', "`endif"]
    return "\n".join(lines + ["endmodule"]) + "\n"


def drive(b):
    """Phases in which each input is quiet, rare, frequent, or always on; wide inputs mix random and extreme values."""
    n = b.name
    lines = [emit_c.HEAD + f'#include "block/block_drive.h"\n#include "{n}_ports.h"\n',
             f"struct {n}_drive_state {{\n  uint32_t left;\n  uint32_t rate[{max(1, len(b.inputs))}];\n}};\n",
             "static uint32_t word(struct rng *rng) {",
             "  uint32_t kind = rng_below(rng, 8);",
             "  return kind == 0 ? 0 : kind == 1 ? UINT32_MAX : kind == 2 ? rng_below(rng, 4) : rng_u32(rng);", "}\n",
             f"static void {n}_drive(const struct {n}_cfg *cfg, struct rng *rng, struct {n}_drive_state *s,",
             f"                      const struct {n}_out *last, struct {n}_in *in) {{",
             "  static const uint8_t rates[] = {0, 10, 50, 90, 100};",
             "  (void)cfg, (void)last, (void)word;",
             "  if (!s->left) {", "    s->left = 1 + rng_below(rng, 60);",
             "    for (uint32_t i = 0; i < sizeof s->rate / sizeof *s->rate; i++) s->rate[i] = rates[rng_below(rng, sizeof rates)];",
             "  }", "  s->left--;"]
    for i, f in enumerate(b.inputs):
        if f.width.text == "1":
            lines.append(f"  in->{f.name} = rng_percent(rng, s->rate[{i}]);")
            continue
        width = f.width.text_in(lambda p: f"(uint32_t)cfg->{p}", "block_clog2")
        lines += ["  {", f"    uint32_t width = {width}, words[{max(1, (f.slot + 31) // 32)}];",
                  "    for (uint32_t w = 0; w < sizeof words / 4; w++)",
                  "      words[w] = 32 * w >= width ? 0 : word(rng) & (width - 32 * w >= 32 ? UINT32_MAX : (1U << (width - 32 * w)) - 1);",
                  f"    if (rng_percent(rng, s->rate[{i}])) __builtin_memcpy(&in->{f.name}, words, sizeof in->{f.name});",
                  *([f"    else __builtin_memset(&in->{f.name}, 0, sizeof in->{f.name});"] if f.enable else []), "  }"]
    return "\n".join(lines + ["}", f"\nBLOCK_DRIVER({n});"]) + "\n"


def library(blocks):
    """The one symbol that the library exports."""
    body = emit_c.HEAD + '#include "block/own.h"\n\n'
    body += "".join(f"extern const struct block_desc {b.name}_desc;\n" for b in blocks)
    body += ('__attribute__((visibility("default"))) extern const struct block_library tandem_blocks;\n'
             "const struct block_library tandem_blocks = {\n  BLOCK_LIBRARY_ABI, sizeof(struct block_desc), "
             f"{len(blocks)}, (const struct block_desc *const[]){{" + "".join(f"&{b.name}_desc, " for b in blocks) + "NULL}};\n")
    return body


def rust_struct(name, layout):
    kinds = {"uint8_t": "u8", "uint16_t": "u16", "uint32_t": "u32", "uint64_t": "u64"}
    lines = ["#[repr(C)]", "#[derive(Clone, Copy)]", f"pub struct {name} {{"]
    for f in layout.order:
        kind = f"[u32; {f.slot // 32}]" if f.wide else kinds[f.c_type]
        lines.append(f"    pub {f.name}: {f'[{kind}; {f.max_depth}]' if f.max_depth > 1 else kind}, // {f.brief}")
    return lines + ([f"    pub padding_: [u8; {layout.padding // 8}],"] if layout.padding else []) + ["}"]


def rust_ports(b):
    """Included by a model in Rust: the structures, and a macro that makes its four functions callable from C."""
    n = b.name
    lines = ["// SPDX-License-Identifier: Apache-2.0", "// generated from the manifest; do not edit", "#[repr(C)]", "pub struct Cfg {",
             *[f"    pub {p}: i32," for p in b.params], "}", *rust_struct("In", b.in_layout), *rust_struct("Out", b.out_layout),
             *rust_struct("Regs", b.reg_layout), "macro_rules! tandem_model {", "    ($State:ty) => {"]
    for name, arguments, call in (("reset", "cfg: &Cfg, s: &mut $State", "cfg, s"), ("eval", "cfg: &Cfg, s: &$State, i: &In, o: &mut Out", "cfg, s, i, o"),
                                  ("tick", "cfg: &Cfg, s: &mut $State, i: &In, o: &Out", "cfg, s, i, o"),
                                  ("regs", "cfg: &Cfg, s: &$State, r: &mut Regs", "cfg, s, r")):
        lines += ["        #[no_mangle]", f"        pub extern \"C\" fn {n}_rust_{name}({arguments}) {{ {name}({call}) }}"]
    lines += ["        #[no_mangle]", f"        pub extern \"C\" fn {n}_rust_bytes() -> usize {{ core::mem::size_of::<$State>() }}", "    };", "}"]
    return "\n".join(lines) + "\n"


def rust_glue(b):
    """The model's table, filled when the library is loaded: only Rust knows the size of the state."""
    n = b.name
    lines = [emit_c.HEAD + f"#define {n}_model {n}_model_declared", f'#include "{n}_ports.h"', f"#undef {n}_model",
             f"size_t {n}_rust_bytes(void);", f"void {n}_rust_reset(const void *, void *);",
             f"void {n}_rust_eval(const void *, const void *, const void *, void *);",
             f"void {n}_rust_tick(const void *, void *, const void *, const void *);", f"void {n}_rust_regs(const void *, const void *, void *);",
             "static void eval(const void *cfg, const void *state, const void *in, void *out) {", f"  {n}_rust_eval(cfg, state, in, out);",
             *([f"  ((struct {n}_out *)out)->busy = 1;"] if b.implicit_busy else []), "}",
             *emit_c.row_valid(b, "uint32_t"),
             f"struct block_model {n}_model = {{.name = {emit_c.quote(n)}, .reset = {n}_rust_reset, .eval = eval, .tick = {n}_rust_tick, "
             f".regs = {n}_rust_regs{f', .row_valid = {n}_row_valid_erased' if any(f.asks for f in b.regs) else ''}}};",
             f"__attribute__((constructor)) static void fill(void) {{ {n}_model.state_bytes = {n}_rust_bytes(); }}"]
    return "\n".join(lines) + "\n"
