# SPDX-License-Identifier: Apache-2.0
"""SystemVerilog from the manifest: sockets (DPI) and the replay shell (plain Verilog, for a second simulator)."""

HEAD = "// SPDX-License-Identifier: Apache-2.0\n// generated from the manifest; do not edit\n"
FLAG_BITS = 32  # above the inputs in the drive vector: [0] rst_n, [1] wave, [2] want state, [3] direct, [15:8] planted bug
LARGE_PROBE = 32768  # bits: clearing them takes longer than the test of one more event in every cycle (15 against 10 ns)


def sv(expression):
    return expression.text_in(lambda p: p, "$clog2")


def wire(f):
    """Declaration of a field's wire; one-bit fields are scalars, as in the RTL."""
    return "wire" if f.width.text == "1" else f"wire [({sv(f.width)})-1:0]"


def pins(b, clock, reset, inputs):
    """Connections of the block; a combinational cell has neither clock nor reset."""
    clocked = [] if b.combinational else [f".clk_i({clock})", f".rst_ni({reset})"]
    return clocked + [f".{f.name}_i({inputs(f)})" for f in b.inputs] + [f".{f.name}_o({f.name})" for f in b.outputs]


def place(where):
    """The row that a line comes from; messages of Verilator are traced back by it (own.py)."""
    return f" // {where}"


def with_places(b, connections):
    """The connections with commas; in those of a user's own block each one names its row."""
    rows = [f.where for f in b.inputs + b.outputs] if b.own else []
    rows = [None] * (len(connections) - len(rows)) + rows
    commas = [","] * (len(connections) - 1) + [""]
    return [text + comma + (place(row) if row else "") for text, comma, row in zip(connections, commas, rows)]


def parameters(b):
    return " #(\n" + ",\n".join(f"  parameter int {p} = {v}" for p, v in b.params.items()) + "\n)" if b.params else ""


def module(b):
    """The instance `dut` with its parameters: the block, or the wrapper around RTL that is not ours."""
    name = b.own.module if b.own else b.name
    return f"{name} #(" + ", ".join(f".{p}({p})" for p in b.params) + ") dut" if b.params else f"{name} dut"


def padded(layout, vector, source):
    """Statements that put each field into its slot of `vector`."""
    lines = [f"    {vector} = '0;"]
    for f in layout.order:
        if not f.rows:
            lines.append(f"    {vector}[{f.offset} +: {sv(f.width)}] = {source(f)};")
        else:
            row = "r" if f.array else f"r*({sv(f.width)}) +: {sv(f.width)}"
            lines.append(f"    for (int r = 0; r < {sv(f.depth)}; r++)")
            lines.append(f"      {vector}[{f.offset} + r*{f.slot} +: {sv(f.width)}] = {source(f)}[{row}];")
    return lines


def mirror(layout, base, vector):
    """Named wires that slice the C side's values out of `vector`."""
    lines = []
    for f in layout.fields:
        width = sv(f.width)
        if not f.rows:
            lines.append(f"    {wire(f)} {f.name} = {vector}[{base + f.offset} +: {width}];")
        else:
            lines.append(f"    wire [(({sv(f.depth)}) > 0 ? ({sv(f.depth)})*({width}) : 1)-1:0] {f.name};")
            lines.append(f"    for (genvar r = 0; r < {sv(f.depth)}; r++) begin : row_{f.name}")
            lines.append(f"      assign {f.name}[r*({width}) +: {width}] = "
                         f"{vector}[{base + f.offset} + r*{f.slot} +: {width}];")
            lines.append("    end")
    return lines


def shadows(layout):
    """Variables for the C side's values: written where a wave is wanted, so that other cycles cost nothing."""
    lines = []
    for f in layout.fields:
        if not f.rows:
            lines.append(f"    {wire(f).replace('wire', 'bit')} {f.name};")
        elif f.array:
            lines.append(f"    bit [({sv(f.width)})-1:0] {f.name} [0:({sv(f.depth)} > 0 ? {sv(f.depth)} : 1)-1];")
        else:
            rows = f"({sv(f.depth)} > 0 ? {sv(f.depth)} : 1)"
            lines.append(f"    bit [{rows}*({sv(f.width)})-1:0] {f.name};")
    return lines


def shadow_copies(layout, base, vector, scope):
    """Statements that slice the C side's values out of `vector` into the variables of `scope`."""
    lines = []
    for f in layout.fields:
        width = sv(f.width)
        if not f.rows:
            lines.append(f"    {scope}.{f.name} = {vector}[{base + f.offset} +: {width}];")
        else:
            row = "r" if f.array else f"r*({width}) +: {width}"
            lines.append(f"    for (int r = 0; r < {sv(f.depth)}; r++)")
            lines.append(f"      {scope}.{f.name}[{row}] = {vector}[{base + f.offset} + r*{f.slot} +: {width}];")
    return lines


def state_words(b):
    """Statements that read the registers; in those of a user's own block each line names its row."""
    lines = padded(b.reg_layout, "regs", lambda f: f"dut.{f.rtl}")
    if not b.own:
        return lines
    return [line + next((place(f.where) for f in b.regs if f"dut.{f.rtl}" in line), "") for line in lines]


def bug_lines(b, i):
    """How the number of a planted bug reaches the RTL: a port, or in RTL that is not ours the variable of a package."""
    if b.own:
        return ["`ifdef TANDEM_BUGS", f"  always_comb tandem_bugs::number = in_q[{i.bits + 8} +: 8];", "`endif", "`define BUG_PIN"]
    return ["`ifdef TANDEM_BUGS", f"  `define BUG_PIN .tandem_bug_i(in_q[{i.bits + 8} +: 8]),", "`else", "  `define BUG_PIN", "`endif"]


def probe(wanted, bits, statements):
    """The end of the process that samples: in a cycle that a wave shows, the C side's values. Verilator clears a call's vector whenever
    it enters the process that may make the call. For a large vector that costs more than the process of its own that prevents it."""
    statements = ["      bit [WP-1:0] t;", *statements, "    end", "  end"]
    if bits < LARGE_PROBE:
        return [f"    if ({wanted}) begin : probe", *statements]
    return [f"    if ({wanted}) shown = shown + 1;", "  end", "  always @(shown) begin", "    begin : probe", *statements]


def socket(b):
    n, i, o, r = b.name, b.in_layout, b.out_layout, b.reg_layout
    wp = 32 + o.bits + r.bits
    direct = f"in_q[{i.bits + 3}]"
    lines = [HEAD + "// Socket: the RTL block, driven and compared through DPI. clk rises: last cycle's tick and this cycle's",
             "// inputs. smp changes: outputs are sampled. lat changes: late inputs arrive. With TANDEM_DIRECT a checker of recorded",
             "// cycles may drive it instead, without a call: while tandem_direct is 1, tandem_in are the inputs of the cycle, late",
             "// ones too, and out_v the outputs; tandem_want asks for the registers where smp changes.",
             f"module {n}_socket{parameters(b)} (\n  input bit clk,\n  input bit smp,\n  input bit lat\n`ifdef TANDEM_DIRECT",
             "  // verilator tracing_off",
             f"  , input bit tandem_direct, input bit tandem_want, input bit [{i.bits + FLAG_BITS - 1}:0] tandem_in, output bit [{o.bits - 1}:0] out_v",
             "  // verilator tracing_on\n`endif\n);",
             "`ifndef TANDEM_DIRECT", "  bit tandem_direct = 0, tandem_want = 0;", f"  bit [{i.bits + FLAG_BITS - 1}:0] tandem_in = '0;",
             f"  bit [{o.bits - 1}:0] out_v;", "`endif",
             f"  localparam int WI = {i.bits + FLAG_BITS}, WO = {o.bits}, WR = {r.bits}, WP = {wp};",
             '  import "DPI-C" function int tandem_open(input string path);',
             f'  import "DPI-C" function void {n}_drive(input int id, output bit [WI-1:0] v);',
             f'  import "DPI-C" function void {n}_late(input int id, output bit [WI-1:0] v);',
             f'  import "DPI-C" function void {n}_sample(input int id, input bit [WO-1:0] v);',
             f'  import "DPI-C" function void {n}_state(input int id, input bit [WR-1:0] v);',
             f'  import "DPI-C" function void {n}_probe(input int id, output bit [WP-1:0] v);',
             "  int id /* verilator public_flat_rd */;",
             "  bit [WI-1:0] in_q = '0;", "  bit [WI-1:0] late_q = '0;",
             *(["  int shown = 0;  // cycles that a wave shows"] if wp >= LARGE_PROBE else []),
             '  initial id = tandem_open($sformatf("%m"));',
             "  always @(posedge clk) begin", "    if (tandem_direct) in_q <= tandem_in;", "    else begin : drive", "      bit [WI-1:0] t;",
             f"      {n}_drive(id, t);", "      in_q <= t;", "    end", "  end"]
    if b.has_late:
        lines += ["  always @(lat) begin : drive_late", "    bit [WI-1:0] t;", f"    {n}_late(id, t);",
                  "    late_q <= t;", "  end"]
    for f in b.outputs:
        lines.append(f"  {wire(f)} {f.name};")
    connections = pins(b, "clk", f"in_q[{i.bits}]",
                       lambda f: f"{direct} ? in_q[{f.offset} +: {sv(f.width)}] : late_q[{f.offset} +: {sv(f.width)}]" if f.late
                       else f"in_q[{f.offset} +: {sv(f.width)}]")
    lines += bug_lines(b, i)
    lines.append(f"  {module(b)} ({place(b.where('params') + ': params') if b.own else ''}\n    `BUG_PIN\n    "
                 + "\n    ".join(with_places(b, connections)) + "\n  );")
    lines += ["  always_comb begin : pack_outputs", *padded(o, "out_v", lambda f: f.name), "  end",
              "  always @(smp) begin : sample", "    bit [WR-1:0] regs;",
              f"    {n}_sample(id, out_v);",
              f"    if (in_q[{i.bits + 2}] || tandem_want) begin", *["  " + t for t in state_words(b)],
              f"      {n}_state(id, regs);", "    end",
              *probe(f"in_q[{i.bits + 1}]", wp,
                     [f"      {n}_probe(id, t);", "      c_model.mismatch = t[0];", "      c_model.executed = {1'b0, t[31:1]};",
                      *shadow_copies(o, 32, "t", "c_model.out"), *shadow_copies(r, 32 + o.bits, "t", "c_model.state")])]
    lines += ["  // the C model's side of the wave", "  if (1) begin : c_model",
              "    bit mismatch;", "    bit [31:0] executed;",
              "    if (1) begin : out", *shadows(o), "    end",
              "    if (1) begin : state", *shadows(r), "    end", "  end", "endmodule"]
    return "\n".join(lines) + "\n"


def probe_socket(p):
    n, bits = p.name, p.layout.bits
    lines = [HEAD + "// Probe: state of a C component, shown in waves.",
             f"module {n}_socket (\n  input bit clk,\n  input bit smp,\n  input bit lat\n);",
             '  import "DPI-C" function int tandem_open(input string path);',
             f'  import "DPI-C" function void {n}_probe(input int id, output bit [{bits - 1}:0] v);',
             "  int id;", f"  bit [{bits - 1}:0] c_q = '0;",
             '  initial id = tandem_open($sformatf("%m"));',
             "  always @(smp) begin : sample", f"    bit [{bits - 1}:0] t;", f"    {n}_probe(id, t);",
             "    c_q <= t;", "  end", *mirror(p.layout, 0, "c_q"), "endmodule"]
    return "\n".join(lines) + "\n"


def counts(b, f):
    """The condition under which an output is compared, in the replay shell: its flag among the expected outputs."""
    if f.when is None:
        return ""
    flag = next(o for o in b.outputs if o.name == f.when.lstrip("!"))
    return f"{'!' if f.when.startswith('!') else ''}t_word[{flag.offset}] && "


def digest_lines(b):
    """Statements that fold the registers into `digest`, as replay_state_digest() of dpi/replay.c does the C model's. A valid row that is
    not known (x) makes all of it unknown."""
    lines = ["      t_digest = 64'hcbf29ce484222325;"]
    by_name = {f.name: f for f in b.reg_layout.fields}
    for f in b.reg_layout.fields:
        if f.asks:
            continue
        value = f"dut.{f.rtl}" if not f.rows else f"dut.{f.rtl}[t_r]" if f.array else f"dut.{f.rtl}[t_r*({sv(f.width)}) +: {sv(f.width)}]"
        counts = ""
        if f.valid:
            v = by_name[f.valid]
            bits = f"dut.{v.rtl}[t_r / ({sv(v.width)})] >> (t_r % ({sv(v.width)}))" if v.array else f"dut.{v.rtl} >> t_r"
            counts = f"if (({bits}) & 1'b1) "
        fold = (f"for (t_k = 0; t_k < (({sv(f.width)}) + 31) / 32; t_k = t_k + 1) "
                f"t_digest = (t_digest ^ {{32'b0, t_row[32*t_k +: 32]}}) * 64'h100000001b3;")
        lines.append(f"      for (t_r = 0; t_r < {sv(f.depth) if f.rows else 1}; t_r = t_r + 1)")
        lines.append(f"        {counts}begin t_row = {value}; {fold} end")
    return lines


def replay(b):
    """Plain Verilog shell for the bare RTL: reads one hex word a cycle, {digest, rst_n, in, out}, and compares."""
    n, i, o = b.name, b.in_layout, b.out_layout
    word = 96 + i.bits + o.bits
    widest = max([32, *(f.slot for f in b.reg_layout.fields)])
    lines = [HEAD + "// Replays recorded vectors on the bare RTL, without DPI: for a second simulator.",
             "// vvp -N ... +vectors=FILE +cycles=N; each word is {digest of the registers, 31'b0, rst_n, inputs, expected outputs}.",
             "`timescale 1ns/1ps",
             f"module {n}_replay;", *[f"  parameter {p} = {v};" for p, v in b.params.items()],
             f"  reg [{word - 1}:0] t_word;", f"  reg [{widest - 1}:0] t_row;", "  reg [63:0] t_digest;", "  reg clk;",
             "  integer t_file, t_n, t_cycles, t_got, t_r, t_k;  // no output may have one of these names (reserved.py)",
             "  reg [8*1024-1:0] t_name;"]
    for f in b.outputs:
        lines.append(f"  {wire(f)} {f.name};")
    connections = pins(b, "clk", f"t_word[{i.bits + o.bits}]", lambda f: f"t_word[{o.bits + f.offset} +: {sv(f.width)}]")
    lines.append(f"  {module(b)} (\n    "
                 + ",\n    ".join(connections) + "\n  );")
    lines += ["  initial begin", "    if (!$value$plusargs(\"vectors=%s\", t_name) || !$value$plusargs(\"cycles=%d\", t_cycles))",
              "      begin $display(\"usage: +vectors=FILE +cycles=N\"); $stop; end",
              "    t_file = $fopen(t_name, \"r\"); clk = 0; t_word = 0;",
              "    #1 clk = 1; #1 clk = 0;  // one reset tick",
              "    for (t_n = 0; t_n < t_cycles; t_n = t_n + 1) begin", "      t_got = $fscanf(t_file, \"%h\\n\", t_word);",
              "      if (t_got != 1) begin $display(\"vectors end at cycle %0d of %0d\", t_n, t_cycles); $stop; end",
              "      #1;"]
    for f in b.outputs:
        lines.append(f"      if ({counts(b, f)}{f.name} !== t_word[{f.offset} +: {sv(f.width)}]) begin $display(\"cycle %0d port {f.name}: "
                     f"expected %h, got %h\", t_n, t_word[{f.offset} +: {sv(f.width)}], {f.name}); $stop; end")
    lines += digest_lines(b)
    lines.append(f"      if (t_digest !== t_word[{word - 64} +: 64]) begin $display(\"cycle %0d registers: digest %h expected, got %h\", "
                 f"t_n, t_word[{word - 64} +: 64], t_digest); $stop; end")
    lines += ["      clk = 1; #1 clk = 0;", "    end", "    $display(\"replayed %0d cycles\", t_cycles);",
              "    $finish;", "  end", "endmodule"]
    return "\n".join(lines) + "\n"
