/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/caba/assemble.h"

#include "base/err.h"
#include "base/text.h"
#include "ptx/parse.h"
#include "systems/caba/assemble_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NAMES = 128, LABELS = 128, REFERENCES = 256 };

struct named {
  const struct token *token;
  uint32_t first, count; /* count: of a range, %r<count>; 0: this name alone */
  bool predicate;
};
struct label {
  const struct token *token;
  uint32_t at;
};
struct reference {
  const struct token *token;
  uint32_t instruction, place; /* place: in the list of brx.idx */
};

struct assembler {
  const char *file;
  const struct token *token;
  struct err *e;
  struct aws_store *store;
  struct aws_routine routine;
  struct aws_instruction instruction[AWS_ROUTINE_WORDS];
  uint32_t line[AWS_ROUTINE_WORDS];
  uint32_t n, n_names, n_labels, n_references;
  bool ended;
  struct named name[NAMES];
  struct label label[LABELS];
  struct reference reference[REFERENCES];
};

/* ---- tokens ---- */

__attribute__((format(printf, 4, 5))) static int refuse(const struct assembler *a, enum err_code code, uint32_t line,
                                                        const char *format, ...) {
  char text[600];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return err_set(a->e, code, "%s:%u: %s", a->file, line, text);
}

static int shown(const struct token *t) { return t->length > 60 ? 60 : (int)t->length; }

static bool same(const struct token *a, const struct token *b) {
  return a->length == b->length && !memcmp(a->text, b->text, a->length);
}

static bool accept(struct assembler *a, const char *text) {
  if (!token_is(a->token, text)) return false;
  a->token++;
  return true;
}

static int unexpected(const struct assembler *a, const char *wanted) {
  const struct token *t = a->token;
  if (t->kind == TOK_END) return refuse(a, ERR_SYNTAX, t->line, "the text ends where %s should be", wanted);
  return refuse(a, ERR_SYNTAX, t->line, "found '%.*s' where %s should be", shown(t), t->text, wanted);
}

static int expect(struct assembler *a, const char *text) {
  char wanted[40];
  if (accept(a, text)) return 0;
  snprintf(wanted, sizeof wanted, "'%s'", text);
  return unexpected(a, wanted);
}

/* A whole number from `least` to `most`; with a minus its complement of two in 32 bits. */
static int take_number(struct assembler *a, int64_t least, int64_t most, int64_t *out) {
  char text[24];
  bool minus = accept(a, "-");
  const struct token *t = a->token;
  if (t->kind != TOK_NUMBER || t->length >= sizeof text) return unexpected(a, "a number");
  snprintf(text, sizeof text, "%.*s", (int)t->length, t->text);
  if (!text_to_int64(text, out)) return unexpected(a, "a whole number");
  if (minus) *out = -*out;
  if (*out < least || *out > most)
    return refuse(a, ERR_SYNTAX, t->line, "%lld is out of range: %lld to %lld", (long long)*out, (long long)least,
                  (long long)most);
  a->token++;
  return 0;
}

/* ---- names ---- */

/* The number that `t` has in `n`, or UINT32_MAX. */
static uint32_t number_in(const struct named *n, const struct token *t) {
  if (!n->count) return same(n->token, t) ? n->first : UINT32_MAX;
  uint32_t stem = n->token->length, value = 0;
  if (t->length <= stem || t->length > stem + 3 || memcmp(t->text, n->token->text, stem)) return UINT32_MAX;
  for (uint32_t i = stem; i < t->length; i++) {
    if (t->text[i] < '0' || t->text[i] > '9' || (t->text[i] == '0' && i == stem && t->length > stem + 1))
      return UINT32_MAX;
    value = value * 10 + (uint32_t)(t->text[i] - '0');
  }
  return value < n->count ? n->first + value : UINT32_MAX;
}

static int take_named(struct assembler *a, bool predicate, uint8_t *out) {
  const struct token *t = a->token;
  const char *what = predicate ? "a predicate" : "a register";
  if (t->kind != TOK_WORD) return unexpected(a, what);
  for (uint32_t i = 0; i < a->n_names; i++) {
    uint32_t number = number_in(&a->name[i], t);
    if (number == UINT32_MAX) continue;
    if (a->name[i].predicate != predicate) return unexpected(a, what);
    *out = (uint8_t)number;
    a->token++;
    return 0;
  }
  return refuse(a, ERR_SYNTAX, t->line, "'%.*s' is not declared: write .reg .%s %.*s;", shown(t), t->text,
                predicate ? "pred" : "b32", shown(t), t->text);
}

static int limit_names(struct assembler *a, uint32_t line) {
  if (a->routine.registers > AWS_REGISTERS)
    return refuse(a, ERR_LIMIT, line, "routine '%s' has %u registers: an assist warp has at most %d", a->routine.name,
                  a->routine.registers, AWS_REGISTERS);
  if (a->routine.predicates > AWS_PREDICATES)
    return refuse(a, ERR_LIMIT, line, "routine '%s' has %u predicates: an assist warp has at most %d", a->routine.name,
                  a->routine.predicates, AWS_PREDICATES);
  return 0;
}

/* .reg .TYPE name, name<count>; */
static int parse_reg(struct assembler *a) {
  bool predicate = accept(a, ".pred");
  if (!predicate && !accept(a, ".b32") && !accept(a, ".u32") && !accept(a, ".s32"))
    return unexpected(a, ".pred, .b32, .u32 or .s32 (registers of assist warps have 32 bits)");
  do {
    const struct token *t = a->token++;
    int64_t count = 0;
    if (t->kind != TOK_WORD || t->text[0] != '%') return a->token--, unexpected(a, "a name that begins with %");
    if (accept(a, "<") && (take_number(a, 1, 255, &count) || expect(a, ">"))) return ERR_SYNTAX;
    for (uint32_t i = 0; i < a->n_names; i++)
      if (same(a->name[i].token, t))
        return refuse(a, ERR_SYNTAX, t->line, "'%.*s' is declared twice", shown(t), t->text);
    if (a->n_names == NAMES) return refuse(a, ERR_LIMIT, t->line, "more than %d names: use a range, %%r<8>", NAMES);
    uint8_t *used = predicate ? &a->routine.predicates : &a->routine.registers;
    uint32_t first = *used, more = count ? (uint32_t)count : 1;
    *used = (uint8_t)(first + more > 255 ? 255 : first + more);
    a->name[a->n_names++] = (struct named){t, first, (uint32_t)count, predicate};
    if (limit_names(a, t->line)) return ERR_LIMIT;
  } while (accept(a, ","));
  return expect(a, ";");
}

/* ---- operands ---- */

static int take_predicate(struct assembler *a, uint8_t *number, bool *negated) {
  *negated = accept(a, "!");
  return take_named(a, true, number);
}

static int take_immediate(struct assembler *a, struct aws_instruction *i) {
  int64_t value = 0;
  if (take_number(a, INT32_MIN, UINT32_MAX, &value)) return ERR_SYNTAX;
  i->immediate = true;
  i->value = (uint32_t)value;
  return 0;
}

/* [%r], [%r+n], [n] */
static int take_address(struct assembler *a, struct aws_instruction *i) {
  int64_t offset = 0;
  if (expect(a, "[")) return ERR_SYNTAX;
  i->a = AWS_ZERO;
  if (a->token->kind == TOK_WORD) {
    if (take_named(a, false, &i->a)) return ERR_SYNTAX;
    if (token_is(a->token, "+")) a->token++;
    else if (!token_is(a->token, "-")) goto close;
  }
  if (take_number(a, -AWS_LINE, AWS_LINE - 1, &offset)) return ERR_SYNTAX;
close:
  i->immediate = true;
  i->value = (uint32_t)offset;
  return expect(a, "]");
}

/* {%a, %b}: two registers whose numbers follow each other, the first even */
static int take_pair(struct assembler *a, struct aws_instruction *i) {
  uint8_t second = 0;
  uint32_t line = a->token->line;
  if (expect(a, "{") || take_named(a, false, &i->d) || expect(a, ",") || take_named(a, false, &second) ||
      expect(a, "}"))
    return ERR_SYNTAX;
  if (second == i->d + 1 && i->d % 2 == 0) return 0;
  return refuse(a, ERR_SYNTAX, line,
                "registers %u and %u are no pair: declare the two one after the other, the first as an even one", i->d,
                second);
}

static int take_label(struct assembler *a, uint32_t place) {
  const struct token *t = a->token;
  if (t->kind != TOK_WORD || t->text[0] == '%') return unexpected(a, "a label");
  if (a->n_references == REFERENCES)
    return refuse(a, ERR_LIMIT, t->line, "more than %d branch targets in a routine", REFERENCES);
  a->reference[a->n_references++] = (struct reference){t, a->n, place};
  a->token++;
  return 0;
}

static int take_labels(struct assembler *a, struct aws_instruction *i) {
  uint32_t n = 0;
  if (expect(a, "{")) return ERR_SYNTAX;
  do {
    if (take_label(a, n++)) return ERR_SYNTAX;
  } while (accept(a, ","));
  i->immediate = true;
  i->value = n << 16;
  return expect(a, "}");
}

static int take_operand(struct assembler *a, char letter, struct aws_instruction *i) {
  bool negated;
  switch (letter) {
    case 'D':
    case 'S': return take_named(a, false, &i->d);
    case 'P': return take_named(a, true, &i->d);
    case 'A': return take_named(a, false, &i->a);
    case 'B': return a->token->kind == TOK_WORD ? take_named(a, false, &i->b) : take_immediate(a, i);
    case 'I': return take_immediate(a, i);
    case 'p': return take_predicate(a, &i->p, &i->p_negated);
    case 'q':
      if (take_predicate(a, &i->a, &negated)) return ERR_SYNTAX;
      i->a |= (uint8_t)(negated << 3);
      return 0;
    case 'M': return take_address(a, i);
    case 'L': i->immediate = true; return take_label(a, 0);
    case 'T': return take_labels(a, i);
    default: return take_pair(a, i);
  }
}

/* ---- instructions ---- */

static const char *const compares[AWS_N_COMPARES] = {
#define X(identifier, name) name,
  AWS_COMPARES(X)
#undef X
};

/* setp.COMPARE[.and|.or].TYPE */
static bool is_setp(const char *text, struct aws_instruction *i) {
  char compare[8], second[8], third[8] = "";
  int n = sscanf(text, "setp.%7[^.].%7[^.].%7[^.]", compare, second, third);
  if (n < 2) return false;
  const char *type = n == 3 ? third : second;
  if (n == 3 && strcmp(second, "and") && strcmp(second, "or")) return false;
  i->op = n == 2 ? AWS_SETP : !strcmp(second, "and") ? AWS_SETP_AND : AWS_SETP_OR;
  i->is_signed = !strcmp(type, "s32");
  if (!i->is_signed && strcmp(type, "u32") && strcmp(type, "b32")) return false;
  for (i->compare = 0; i->compare < AWS_N_COMPARES; i->compare++)
    if (!strcmp(compares[i->compare], compare)) return true;
  return false;
}

static int find_operation(struct assembler *a, struct aws_instruction *i) {
  const struct token *t = a->token;
  char text[40];
  if (t->kind != TOK_WORD || t->length >= sizeof text) return unexpected(a, "an instruction");
  snprintf(text, sizeof text, "%.*s", (int)t->length, t->text);
  a->token++;
  if (!strcmp(text, "mov.u32")) snprintf(text, sizeof text, "mov.b32");
  if (is_setp(text, i)) return 0;
  for (uint32_t op = 0; op < AWS_N_OPS; op++)
    if (op != AWS_SETP && !strcmp(aws_operations[op].mnemonic, text)) return i->op = (uint8_t)op, 0;
  if (!strncmp(text, "bar", 3))
    return refuse(a, ERR_UNSUPPORTED, t->line, "%s: a routine waits for no other warp, so that it has no barriers",
                  text);
  return refuse(a, ERR_UNSUPPORTED, t->line, "%s is no instruction of assist warps: docs/caba.md lists them", text);
}

static int parse_operands(struct assembler *a, struct aws_instruction *i) {
  const char *letters = aws_operations[i->op].operands;
  for (uint32_t k = 0; letters[k]; k++) {
    if (k && expect(a, ",")) return ERR_SYNTAX;
    if (i->op == AWS_MOV && k == 1 && accept(a, "%laneid")) i->op = AWS_LANE;
    else if (take_operand(a, letters[k], i)) return ERR_SYNTAX;
    if (i->op == AWS_LANE) break;
  }
  return expect(a, ";");
}

static int parse_instruction(struct assembler *a) {
  struct aws_instruction i = {.guard = AWS_ALWAYS, .p = AWS_ALWAYS}, again;
  uint32_t line = a->token->line;
  if (accept(a, "@") && take_predicate(a, &i.guard, &i.guard_negated)) return ERR_SYNTAX;
  int code = find_operation(a, &i);
  if (code) return code;
  if (a->n == AWS_ROUTINE_WORDS)
    return refuse(a, ERR_LIMIT, line, "routine '%s' has more than %d instructions", a->routine.name, AWS_ROUTINE_WORDS);
  if ((code = parse_operands(a, &i))) return code;
  if (i.op == AWS_SETLEN && i.immediate && i.value > AWS_MOST)
    return refuse(a, ERR_SYNTAX, line,
                  "setlen.u32 %u: an image has at most %d bytes, and 0 says that the line stays plain", i.value,
                  AWS_MOST);
  if (i.op != AWS_BRA && i.op != AWS_BRX && !aws_decode(aws_encode(&i), &again))
    return refuse(a, ERR_SYNTAX, line, "%s: an operand is out of range: %d live-ins, %d live-outs, %d arguments",
                  aws_operations[i.op].mnemonic, AWS_LIVE_IN, AWS_LIVE_OUT, AWS_ARGUMENTS);
  if (i.op == AWS_MOVE_IN && i.value >= a->routine.live_in)
    return refuse(a, ERR_SYNTAX, line, "live-in %u of %u: write .live_in(%u)", i.value, a->routine.live_in,
                  i.value + 1);
  if (i.op == AWS_MOVE_OUT && i.value >= a->routine.live_out)
    return refuse(a, ERR_SYNTAX, line, "live-out %u of %u: write .live_out(%u)", i.value, a->routine.live_out,
                  i.value + 1);
  a->line[a->n] = line;
  a->instruction[a->n++] = i;
  return 0;
}

static int parse_label(struct assembler *a) {
  const struct token *t = a->token;
  for (uint32_t i = 0; i < a->n_labels; i++)
    if (same(a->label[i].token, t))
      return refuse(a, ERR_SYNTAX, t->line, "label '%.*s' stands twice", shown(t), t->text);
  if (a->n_labels == LABELS) return refuse(a, ERR_LIMIT, t->line, "more than %d labels in a routine", LABELS);
  a->label[a->n_labels++] = (struct label){t, a->n};
  a->token += 2;
  return 0;
}

/* The words from one `target` of brx.idx to the next are the same, since the table is a distance. */
static int place_target(struct assembler *a, const struct reference *r, uint32_t target) {
  struct aws_instruction *i = &a->instruction[r->instruction];
  uint32_t first = i->value & 255, step = i->value >> 8 & 255;
  if (i->op == AWS_BRA) i->value = target;
  else if (r->place == 0) i->value |= target;
  else if (r->place == 1 && target > first) i->value |= (target - first) << 8;
  else if (r->place == 1 || target != first + r->place * step)
    return refuse(a, ERR_SYNTAX, a->line[r->instruction],
                  "targets of brx.idx must follow each other at equal distances: '%.*s' does not; add nop instructions",
                  shown(r->token), r->token->text);
  return 0;
}

static int place_labels(struct assembler *a) {
  for (uint32_t k = 0; k < a->n_references; k++) {
    const struct reference *r = &a->reference[k];
    uint32_t n = 0;
    while (n < a->n_labels && !same(a->label[n].token, r->token)) n++;
    if (n == a->n_labels)
      return refuse(a, ERR_SYNTAX, r->token->line, "label '%.*s' is not in routine '%s': a branch stays inside",
                    shown(r->token), r->token->text, a->routine.name);
    if (a->label[n].at >= a->n)
      return refuse(a, ERR_SYNTAX, a->label[n].token->line, "label '%.*s' names no instruction of routine '%s'",
                    shown(r->token), r->token->text, a->routine.name);
    if (place_target(a, r, a->label[n].at)) return ERR_SYNTAX;
  }
  return 0;
}

/* ---- routines ---- */

static int parse_body(struct assembler *a) {
  int code = expect(a, "{");
  while (!code && !accept(a, "}")) {
    uint32_t line = a->token->line;
    if (a->token->kind == TOK_END) return refuse(a, ERR_SYNTAX, line, "routine '%s' has no '}'", a->routine.name);
    if (a->ended)
      return refuse(a, ERR_SYNTAX, line, "instructions after end;: it stands last, and branches lead to it");
    if (accept(a, ".reg")) code = parse_reg(a);
    else if (a->token->kind == TOK_WORD && token_is(a->token + 1, ":")) code = parse_label(a);
    else if (accept(a, "end")) code = expect(a, ";"), a->ended = true;
    else code = parse_instruction(a);
  }
  return code;
}

static int parse_event(struct assembler *a) {
  static const char *const names[] = {
#define X(identifier, name) #name,
    AWS_EVENTS(X)
#undef X
  };
  for (uint32_t i = 0; i < AWS_N_EVENTS; i++)
    if (accept(a, names[i])) return a->routine.event = (uint8_t)i, 0;
  return unexpected(a, "an event: fill, store, mark or none");
}

static int parse_encoding(struct assembler *a) {
  int64_t value, mask = 255;
  if (take_number(a, 0, 255, &value)) return ERR_SYNTAX;
  if (accept(a, ",") && take_number(a, 0, 255, &mask)) return ERR_SYNTAX;
  a->routine.encoding = (uint8_t)value;
  a->routine.mask = (uint8_t)mask;
  return 0;
}

static int parse_attribute(struct assembler *a) {
  const struct token *t = a->token++;
  int64_t n = 0;
  int code = expect(a, "(");
  if (code) return code;
  if (token_is(t, ".event")) code = parse_event(a);
  else if (token_is(t, ".encoding")) code = parse_encoding(a);
  else if (token_is(t, ".live_in")) code = take_number(a, 0, AWS_LIVE_IN, &n), a->routine.live_in = (uint8_t)n;
  else if (token_is(t, ".live_out")) code = take_number(a, 0, AWS_LIVE_OUT, &n), a->routine.live_out = (uint8_t)n;
  else if (token_is(t, ".kept")) code = take_number(a, 0, AWS_KEPT, &n), a->routine.kept = (uint8_t)n;
  else if (token_is(t, ".priority") && accept(a, "high")) a->routine.high = true;
  else if (!token_is(t, ".priority") || !accept(a, "low"))
    return refuse(a, ERR_SYNTAX, t->line,
                  "'%.*s' is no attribute of a routine: .event(fill|store|mark|none), .encoding(value, mask), "
                  ".priority(high|low), .live_in(n), .live_out(n), .kept(n)",
                  shown(t), t->text);
  return code ? code : expect(a, ")");
}

/* Into the store, if it has room. */
static int keep(struct assembler *a) {
  struct aws_store *s = a->store;
  struct aws_routine *r = &a->routine;
  if (!a->ended)
    return refuse(a, ERR_SYNTAX, r->line, "routine '%s' has no end;: its last instruction is not marked", r->name);
  if (!a->n) return refuse(a, ERR_SYNTAX, r->line, "routine '%s' has no instructions", r->name);
  if (r->kept > r->registers)
    return refuse(a, ERR_SYNTAX, r->line, "routine '%s' keeps %u registers of %u", r->name, r->kept, r->registers);
  if (s->n_kept + r->kept > AWS_KEPT)
    return refuse(a, ERR_LIMIT, r->line, "routine '%s' keeps %u registers: all routines together keep at most %d",
                  r->name, r->kept, AWS_KEPT);
  if (place_labels(a)) return ERR_SYNTAX;
  if (s->n_words + a->n > AWS_WORDS)
    return refuse(a, ERR_LIMIT, r->line,
                  "routine '%s' of %u instructions does not fit: the store has %d words, %u are left", r->name, a->n,
                  AWS_WORDS, AWS_WORDS - s->n_words);
  r->base = (uint16_t)s->n_words;
  r->words = (uint8_t)a->n;
  a->instruction[a->n - 1].end = true;
  for (uint32_t i = 0; i < a->n; i++) {
    s->word[s->n_words + i] = aws_encode(&a->instruction[i]);
    s->line[s->n_words + i] = a->line[i];
  }
  int code = caba_check_routine(a->file, r, &s->word[r->base], &s->line[r->base], a->e);
  if (code) return code;
  s->n_words += a->n;
  s->n_kept += r->kept;
  s->n_triggers += r->event == AWS_FILL || r->event == AWS_STORE;
  s->routine[s->n_routines++] = *r;
  return 0;
}

static int parse_routine(struct assembler *a) {
  const struct token *t = a->token;
  if (t->kind != TOK_WORD || t->length >= AWS_NAME) return unexpected(a, "a routine's name of at most 31 characters");
  a->routine = (struct aws_routine){.line = t->line, .mask = 255};
  snprintf(a->routine.name, AWS_NAME, "%.*s", (int)t->length, t->text);
  a->n = a->n_names = a->n_labels = a->n_references = 0;
  a->ended = false;
  a->token++;
  for (uint32_t i = 0; i < a->store->n_routines; i++)
    if (!strcmp(a->store->routine[i].name, a->routine.name))
      return refuse(a, ERR_SYNTAX, t->line, "routine '%s' stands twice", a->routine.name);
  if (a->store->n_routines == AWS_ROUTINES)
    return refuse(a, ERR_LIMIT, t->line, "routine '%s' is one too many: a store has %d", a->routine.name, AWS_ROUTINES);
  if (accept(a, ".attribute")) {
    int code = expect(a, "(");
    do {
      if (!code) code = parse_attribute(a);
    } while (!code && accept(a, ","));
    if (code || (code = expect(a, ")"))) return code;
  }
  if ((a->routine.event == AWS_FILL || a->routine.event == AWS_STORE) && a->store->n_triggers == AWS_TRIGGERS)
    return refuse(a, ERR_LIMIT, t->line, "routine '%s' has one trigger too many: there are %d", a->routine.name,
                  AWS_TRIGGERS);
  int code = parse_body(a);
  return code ? code : keep(a);
}

int caba_assemble(const char *file, const char *text, size_t length, struct aws_store *store, struct err *e) {
  struct arena arena = {0};
  struct token *tokens;
  struct assembler a = {.file = file, .e = e, .store = store};
  int code = ptx_lex(file, text, length, &arena, &tokens, e);
  if (!code) a.token = tokens;
  while (!code && a.token->kind != TOK_END)
    code = accept(&a, ".entry") ? parse_routine(&a) : unexpected(&a, "'.entry'");
  arena_free(&arena);
  return code;
}

const struct aws_routine *caba_routine_for(const struct aws_store *s, enum aws_event event, uint8_t encoding) {
  for (uint32_t i = 0; i < s->n_routines; i++) {
    const struct aws_routine *r = &s->routine[i];
    if (r->event == event && !((r->encoding ^ encoding) & r->mask)) return r;
  }
  return NULL;
}
