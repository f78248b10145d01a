# SPDX-License-Identifier: Apache-2.0
"""C from the manifest: port structures, model glue, descriptors."""

import os

HEAD = "/* SPDX-License-Identifier: Apache-2.0 */\n/* generated from the manifest; do not edit */\n"


def quote(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def struct(name, layout, comment):
    lines = [f"/* {comment} */", f"struct {name} {{"]
    lines += [f"  {f.c_type} {f.name}{f.c_suffix}; /* {f.width.text} bit{'' if f.width.text == '1' else 's'}: {f.brief} */"
              for f in layout.order]
    if layout.padding:
        lines.append(f"  uint8_t padding_[{layout.padding // 8}];")
    lines.append("};")
    for f in layout.order:
        lines.append(f"_Static_assert(offsetof(struct {name}, {f.name}) == {f.offset // 8}, \"layout\");")
    return "\n".join(lines) + "\n"


def guard(name, body):
    return f"{HEAD}#ifndef GEN_{name}\n#define GEN_{name}\n\n{body}\n#endif\n"


def ports_h(b):
    body = '#include "block/block.h"\n\n#ifdef __cplusplus\n#include <cstddef>\n#define _Static_assert static_assert\nextern "C" {\n#endif\n'
    body += "".join(f'#include "{name}_ports.h"\n' for name in dict.fromkeys(p.name for p in b.parts.values())) + "\n"
    body += f"struct {b.name}_cfg {{\n" + "".join(f"  int32_t {p};\n" for p in b.params) + "};\n"
    body += struct(f"{b.name}_in", b.in_layout, "inputs of one cycle; the packed vector of the socket")
    body += struct(f"{b.name}_out", b.out_layout, "outputs of one cycle; bits above a width are 0")
    body += struct(f"{b.name}_regs", b.reg_layout, "registers before the tick, as both sides digest them")
    for part, p in b.parts.items():
        values = ", ".join(f".{name} = {e.text_in(lambda q: f'c->{q}', '(int32_t)block_clog2')}" for name, e in b.given[part].items())
        body += (f"/* parameters of the part {part} */\nstatic inline struct {p.name}_cfg {b.name}_{part}_cfg(const struct "
                 f"{b.name}_cfg *c) {{\n  return (struct {p.name}_cfg){{{values}}};\n}}\n")
    body += f"extern const struct block_model {b.name}_model;\nextern const struct block_desc {b.name}_desc;\n"
    body += "#ifdef __cplusplus\n}\n#endif\n"
    return guard(f"{b.name}_ports_h", body)


def of_row(b, f, lines):
    """Lines of C that a row of a user's manifest says: the compiler's messages about them name the row."""
    if not b.own:
        return lines
    line = f.where[len(b.path) + 1:].split(":")[0]
    return [f"#line {line} {quote(b.path)}", " ".join(text.strip() for text in lines), f'#line 1 "{b.name}_model.inc"']


def row_valid(b, state_type=None):
    """The function that says which rows of a register count, where the registers do not say so themselves; or nothing."""
    asked = [(i, f) for i, f in enumerate(b.regs) if f.asks]
    if not asked:
        return []
    n = b.name
    lines = [f"static bool {n}_row_valid_erased(const void *cfg, const void *state, const void *regs, uint32_t reg, uint32_t row) {{",
             f"  const struct {n}_cfg *c = (const struct {n}_cfg *)cfg;",
             f"  const {state_type or f'struct {n}_state'} *s = (const {state_type or f'struct {n}_state'} *)state;",
             f"  const struct {n}_regs *r = (const struct {n}_regs *)regs;", "  (void)c, (void)s, (void)r;", "  switch (reg) {"]
    for i, f in asked:
        asks = f.asks if isinstance(f.asks, str) else f"{n}_{f.name}_valid(c, s, row)"
        lines += of_row(b, f, [f"    case {i}: return {asks};"])
    return lines + ["    default: return true;", "  }", "}"]


def evaluations(b, cfg, state):
    """Evaluation and tick from the model's B_eval and B_tick."""
    n, inputs = b.name, f"(const struct {b.name}_in *)in"
    return [f"static void {n}_eval_erased(const void *cfg, const void *state, const void *in, void *out) {{",
            f"  {n}_eval({cfg}, (const struct {n}_state *)state, {inputs}, (struct {n}_out *)out);",
            *([f"  ((struct {n}_out *)out)->busy = 1;"] if b.implicit_busy else []), "}",
            f"static void {n}_tick_erased(const void *cfg, void *state, const void *in, const void *out) {{",
            f"  {n}_tick({cfg}, {state}, {inputs}, (const struct {n}_out *)out);", "}"]


def evaluations_of_step(b, cfg, state):
    """The same from B_settle and B_finish, which share a struct B_step; also those that leave it with the caller."""
    n, inputs, step = b.name, f"(const struct {b.name}_in *)in", f"(struct {b.name}_step *)step"
    settle = f"  {n}_settle({cfg}, (const struct {n}_state *)state, {inputs}, (struct {n}_out *)out, {{}});"
    finish = f"  {n}_finish({cfg}, {state}, {inputs}, (const struct {n}_out *)out, {{}});"
    busy = [f"  ((struct {n}_out *)out)->busy = 1;"] if b.implicit_busy else []
    return [f"static void {n}_settle_erased(const void *cfg, const void *state, const void *in, void *out, void *step) {{",
            settle.format(step), *busy, "}",
            f"static void {n}_finish_erased(const void *cfg, void *state, const void *in, const void *out, void *step) {{",
            finish.format(step), "}",
            f"static void {n}_eval_erased(const void *cfg, const void *state, const void *in, void *out) {{",
            f"  struct {n}_step step;", settle.format("&step"), *busy, "}",
            f"static void {n}_tick_erased(const void *cfg, void *state, const void *in, const void *out) {{",
            f"  struct {n}_step step;", f"  struct {n}_out again;", settle.replace(f"(struct {n}_out *)out", "&again").format("&step"),
            finish.format("&step"), "}"]


def model_inc(b):
    n = b.name
    cfg, state = f"(const struct {n}_cfg *)cfg", f"(struct {n}_state *)state"
    lines = [HEAD + f"static void {n}_reset_erased(const void *cfg, void *state) {{ {n}_reset({cfg}, {state}); }}",
             *(evaluations_of_step(b, cfg, state) if b.step else evaluations(b, cfg, state)),
             f"static void {n}_regs_erased(const void *cfg, const void *state, void *regs) {{",
             f"  const struct {n}_state *s = (const struct {n}_state *)state;", f"  struct {n}_regs *r = (struct {n}_regs *)regs;",
             "  (void)cfg, (void)s, (void)r;"]
    for part, p in b.parts.items():
        lines += [f"  struct {p.name}_cfg {part}_cfg = {n}_{part}_cfg({cfg});", f"  struct {p.name}_regs {part};",
                  f"  {p.name}_model.regs(&{part}_cfg, s->{part}, &{part});"]
        lines += [f"  __builtin_memcpy(&r->{f.name}, &{part}.{f.register}, sizeof r->{f.name});" for f in b.regs
                  if getattr(f, "part", None) == part]
    for f in b.regs:
        if hasattr(f, "part"):
            continue
        if f.max_depth > 1 or f.wide:
            lines += of_row(b, f, [f"  _Static_assert(sizeof r->{f.name} == sizeof s->{f.c}, \"{f.name} and {f.c} are of one size\");",
                                   f"  __builtin_memcpy(r->{f.name}, s->{f.c}, sizeof r->{f.name});"])
        else:
            lines += of_row(b, f, [f"  r->{f.name} = ({f.c_type})s->{f.c};"])
    valid = row_valid(b)
    lines += ["}", *valid, f"const struct block_model {n}_model = {{", f"  .name = {quote(n)},",
              f"  .state_bytes = sizeof(struct {n}_state),", f"  .reset = {n}_reset_erased,",
              f"  .eval = {n}_eval_erased,", f"  .tick = {n}_tick_erased,", f"  .regs = {n}_regs_erased,",
              f"  .row_valid = {n + '_row_valid_erased' if valid else 'NULL'},",
              *([f"  .step_bytes = sizeof(struct {n}_step),", f"  .settle = {n}_settle_erased,", f"  .finish = {n}_finish_erased,"]
                if b.step else []), "};"]
    return "\n".join(lines) + "\n"


def width_function(prefix, f, what, expression, params):
    name = f"{prefix}_{f.name}_{what}"
    text = expression.text_in(lambda p: f"(uint32_t)p[{params.index(p)}]", "block_clog2")
    return name, f"static uint32_t {name}(const int32_t *p) {{ (void)p; return {text}; }}\n"


def when(f, index):
    """1 + the output whose 1 says that the value counts; negative: whose 0 says so; 0: it always counts."""
    if f.when is None:
        return 0
    at = 1 + index[f.when.lstrip("!")]
    return -at if f.when.startswith("!") else at


def field_table(name, prefix, fields, params):
    functions, rows, tables = "", [], ""
    index = {f.name: i for i, f in enumerate(fields)}
    for f in fields:
        width, text = width_function(prefix, f, "width", f.width, params)
        functions += text
        depth = "NULL"
        if f.depth.text != "1":
            depth, text = width_function(prefix, f, "depth", f.depth, params)
            functions += text
        names = "NULL"
        if f.names:
            names = f"{prefix}_{f.name}_names"
            tables += f"static const char *const {names}[] = {{{', '.join(quote(n) for n in f.names)}, NULL}};\n"
        rows.append(f"  {{.name = {quote(f.name)}, .brief = {quote(f.brief)}, .offset = {f.offset // 8}, "
                    f".slot = {f.slot // 8}, .rows = {f.max_depth}, .width = {width}, .depth = {depth}, "
                    f".valid = {index[f.valid] if f.valid else -1}, .names = {names}, "
                    f".enable = {str(f.enable).lower()}, .late = {str(f.late).lower()}, "
                    f".timed = {str(f.timed).lower()}, "
                    f".array = {str(f.array).lower()}, .asks = {str(bool(f.asks)).lower()}, "
                    f".when = {when(f, index)}, .rtl = {'NULL' if f.rtl == f.name else quote(f.rtl)}}},")
    rows = rows or ["  {.name = NULL},"]
    return f"{functions}{tables}static const struct block_field {name}[] = {{\n" + "\n".join(rows) + "\n};\n"


def idle_test(b):
    """Enables that lie within eight bytes are tested by a mask; others by a function. Returns (function, offset, mask)."""
    enables = [f for f in b.inputs if f.enable]
    first = min((f.offset for f in enables), default=0)
    last = max((f.offset + f.slot for f in enables), default=0)
    if enables and last - first <= 64:
        mask = sum((1 << f.slot) - 1 << (f.offset - first) for f in enables)
        return "", first // 8, mask
    test = " || ".join(f"i->{f.name}" if not f.wide else
                       " || ".join(f"i->{f.name}[{w}]" for w in range(f.slot // 32)) for f in enables) or "1"
    return (f"static bool {b.name}_idle(const void *in) {{\n  const struct {b.name}_in *i = in;\n  (void)i;\n"
            f"  return !({test});\n}}\n"), 0, 0


def own_c(b):
    """What the program knows of a block of a user's own."""
    own = b.own
    return (f"extern const struct block_driver {b.name}_driver;\nstatic struct block_own {b.name}_own = {{\n"
            f"  .manifest = {quote(os.path.abspath(b.path))}, .generated = {quote(own.generated)}, .module = {quote(own.module)},\n"
            f"  .clocked = {str(own.clocked).lower()}, .top = {quote(own.top)}, .rtl = {quote(own.files[-1])}, .model = {quote(own.model)}, .driver = &{b.name}_driver,\n}};\n")


def needs_c(b, params):
    """The conditions between parameters; the list ends with a NULL sentence."""
    functions, rows = "", ""
    for i, (need, sentence) in enumerate(b.needs):
        text = need.text_in(lambda p: f"(int64_t)p[{params.index(p)}]", "block_clog2")
        functions += f"static bool {b.name}_need_{i}(const int32_t *p) {{ return {text}; }}\n"
        rows += f"  {{{b.name}_need_{i}, {quote(sentence)}}},\n"
    return f"{functions}static const struct block_need {b.name}_needs[] = {{\n{rows}  {{NULL, NULL}},\n}};\n"


def desc_c(b):
    n, params = b.name, list(b.params)
    # a combinational cell is never busy: a byte of padding is 0
    busy = b.out_layout.used // 8 if b.combinational else f"offsetof(struct {n}_out, busy)"
    body = HEAD + f'#include "{n}_ports.h"\n' + ('#include "block/own.h"\n' if b.own else "") + "\n#include <stddef.h>\n\n"
    body += f"static const struct block_param {n}_params[] = {{\n"
    body += "".join(f"  {{{quote(p)}, {v}, {b.min[p]}, {b.max[p]}}},\n" for p, v in b.params.items()) + "};\n"
    body += field_table(f"{n}_in_fields", f"{n}_in", b.inputs, params)
    body += field_table(f"{n}_out_fields", f"{n}_out", b.outputs, params)
    body += field_table(f"{n}_reg_fields", f"{n}_reg", b.regs, params)
    idle, offset, mask = idle_test(b)
    body += idle + needs_c(b, params)
    body += (f'_Static_assert({len(params)} <= BLOCK_PARAMS_MAX && {max(len(b.inputs), len(b.outputs))} <= BLOCK_PORTS_MAX, '
             f'"{n} has more parameters or ports than block.h has room for");\n')
    body += f"static const int32_t {n}_sweep[] = {{\n"
    body += "".join("  " + ", ".join([str(s[p]) for p in params] or ["0"]) + ",\n" for s in b.sets) + "};\n"
    bugs = [f"  {{{quote(m['name'])}, {quote(','.join(m.get('ports', [])))}, "
            f"{str(bool(m.get('proof', False))).lower()}}}," for m in b.mutants] or ["  {NULL, NULL, false},"]
    body += f"static const struct block_bug {n}_bugs[] = {{\n" + "\n".join(bugs) + "\n};\n"
    parts = "".join(quote(name) + ", " for name in dict.fromkeys(p.name for p in b.parts.values()))
    if parts:
        body += f"static const char *const {n}_parts[] = {{{parts}NULL}};\n"
    body += f"static const char *const {n}_laws[] = {{{''.join(quote(law) + ', ' for law in b.laws)}NULL}};\n"
    own = ""
    if b.own:
        body += own_c(b)
        own = (f"\n  .own = &{n}_own, .async_reset = {str(b.own.reset.asynchronous).lower()}, "
               f".no_reset = {str(not b.own.reset.port).lower()},")
    body += f"""const struct block_desc {n}_desc = {{
  .name = {quote(n)}, .family = {quote(b.family)}, .brief = {quote(b.brief)}, .source = {quote(b.source)},
  .params = {n}_params, .n_params = {len(params)}, .needs = {n}_needs,
  .in = {n}_in_fields, .out = {n}_out_fields, .regs = {n}_reg_fields,
  .n_in = {len(b.inputs)}, .n_out = {len(b.outputs)}, .n_regs = {len(b.regs)},
  .in_bytes = {b.in_layout.bytes}, .out_bytes = {b.out_layout.bytes}, .regs_bytes = {b.reg_layout.bytes},
  .busy_offset = {busy}, .has_late = {str(b.has_late).lower()}, .idle = {"NULL" if mask else n + "_idle"},
  .enable_offset = {offset}, .enable_mask = UINT64_C({mask:#x}),
  .model = &{n}_model, .bugs = {n}_bugs, .n_bugs = {len(b.mutants)}, .sweep = {n}_sweep, .n_sweep = {len(b.sets)},
  .laws = {n}_laws, .parts = {n + "_parts" if parts else "NULL"},{own}
}};
"""
    return body


def block_all(blocks, probes):
    body = HEAD + '#include "block/probe.h"\n\n'
    body += "".join(f"extern const struct block_desc {b.name}_desc;\n" for b in blocks)
    body += "const struct block_desc *const block_all[] = {" + "".join(f"&{b.name}_desc, " for b in blocks) + "NULL};\n"
    body += "".join(f"extern const struct probe_desc {p.name}_probe;\n" for p in probes)
    body += "const struct probe_desc *const probe_all[] = {" + "".join(f"&{p.name}_probe, " for p in probes) + "NULL};\n"
    return body


def block_drivers(blocks):
    body = HEAD + '#include "block/block_drive.h"\n\n#include <string.h>\n\n'
    body += "".join(f"extern const struct block_driver {b.name}_driver;\n" for b in blocks)
    body += ("const struct block_driver *block_driver_find(const char *name) {\n"
             "  static const struct block_driver *const all[] = {"
             + "".join(f"&{b.name}_driver, " for b in blocks) + "};\n"
             "  for (size_t i = 0; i < sizeof all / sizeof *all; i++)\n"
             "    if (!strcmp(all[i]->name, name)) return all[i];\n  return NULL;\n}\n")
    return body


def block_covers(blocks):
    """The list of coverage points; `blocks`: those that declare some."""
    body = HEAD + '#include "block/block_cover.h"\n\n#include <stddef.h>\n#include <string.h>\n\n'
    body += "".join(f"extern const struct block_cover {b.name}_cover;\n" for b in blocks)
    body += ("const struct block_cover *block_cover_find(const char *name) {\n"
             "  static const struct block_cover *const all[] = {"
             + "".join(f"&{b.name}_cover, " for b in blocks) + "NULL};\n"
             "  for (size_t i = 0; all[i]; i++)\n"
             "    if (!strcmp(all[i]->name, name)) return all[i];\n  return NULL;\n}\n")
    return body


def probe_h(p):
    body = '#include "block/probe.h"\n\n' + struct(f"{p.name}_probe", p.layout, p.brief)
    body += f"extern const struct probe_desc {p.name}_probe;\n"
    return guard(f"{p.name}_probe_h", body)


def probe_c(p):
    body = HEAD + f'#include "{p.name}_probe.h"\n\n'
    body += field_table(f"{p.name}_fields", p.name, p.fields, [])
    body += (f"const struct probe_desc {p.name}_probe = {{.name = {quote(p.name)}, .brief = {quote(p.brief)}, "
             f".fields = {p.name}_fields, .n_fields = {len(p.fields)}, .bytes = {p.layout.bytes}}};\n")
    return body
