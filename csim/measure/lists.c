/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/lists.h"

#include "base/err.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

static int read_item(struct list *l, yaml_at value, const char *key, struct err *e) {
  char place[YAML_PLACE_BYTES];
  struct list_item *item = &l->item[l->n];
  item->name = key ? key : yaml_text(value);
  item->fields = key ? value : NULL;
  if (!item->name || !*item->name || strpbrk(item->name, "{}. :,()"))
    return err_set(e, ERR_SYNTAX, "%s: list %s: an item is a word without blanks and . : , ( ) { }",
                   yaml_place(l->tree, value, place), l->name);
  item->full_only = item->fields && yaml_get(l->tree, item->fields, "full_only");
  l->n++;
  return 0;
}

static bool same(const struct list *a, const struct list *b) {
  if (a->n != b->n) return false;
  for (unsigned i = 0; i < a->n; i++)
    if (strcmp(a->item[i].name, b->item[i].name) != 0) return false;
  return true;
}

static int read_list(struct lists *all, const struct yaml_tree *tree, yaml_at value, const char *name, struct err *e) {
  char place[YAML_PLACE_BYTES];
  yaml_place(tree, value, place);
  if (all->n == LISTS_MAX) return err_set(e, ERR_LIMIT, "%s: more than %d lists", place, (int)LISTS_MAX);
  size_t n = yaml_size(tree, value);
  if (!n || n > LIST_ITEMS_MAX)
    return err_set(e, ERR_VALUE, "%s: list %s has %zu items; write 1 to %d", place, name, n, (int)LIST_ITEMS_MAX);
  struct list *l = &all->list[all->n];
  *l = (struct list){.name = name, .tree = tree, .line = yaml_line(value)};
  for (size_t i = 0; i < n; i++) {
    const char *key;
    yaml_at item = yaml_entry(tree, value, i, &key);
    int status = read_item(l, item, key, e);
    if (status) return status;
  }
  const struct list *old = lists_find(all, name, strlen(name));
  if (old && !same(old, l))
    return err_set(e, ERR_VALUE,
                   "%s: there is another list %s with other items (line %u); name one of them differently", place, name,
                   old->line);
  if (!old) all->n++;
  return 0;
}

int lists_read(struct lists *all, const struct yaml_tree *tree, yaml_at map, struct err *e) {
  int status = 0;
  for (size_t i = 0; i < yaml_size(tree, map) && !status; i++) {
    const char *name;
    yaml_at value = yaml_entry(tree, map, i, &name);
    char place[YAML_PLACE_BYTES];
    if (!name) return err_set(e, ERR_SYNTAX, "%s: \"lists\" is a map of names to items", yaml_place(tree, map, place));
    status = read_list(all, tree, value, name, e);
  }
  return status;
}

const struct list *lists_find(const struct lists *all, const char *name, size_t length) {
  for (unsigned i = 0; i < all->n; i++)
    if (strlen(all->list[i].name) == length && !strncmp(all->list[i].name, name, length)) return &all->list[i];
  return NULL;
}

const char *list_field(const struct list *l, unsigned item, const char *field) {
  yaml_at fields = l->item[item].fields;
  return fields ? yaml_text(yaml_get(l->tree, fields, field)) : NULL;
}

/* ---- bindings ---- */

bool bindings_add(struct bindings *b, const struct list *l) {
  for (unsigned i = 0; i < b->n; i++)
    if (b->list[i] == l) return true;
  if (b->n == BINDINGS_MAX) return false;
  b->list[b->n] = l;
  b->item[b->n++] = 0;
  return true;
}

int bindings_of(const struct lists *all, const char *text, const char *place, struct bindings *b, struct err *e) {
  b->n = 0;
  for (const char *open = strchr(text, '{'); open; open = strchr(open + 1, '{')) {
    const struct list *l = lists_find(all, open + 1, strcspn(open + 1, "{}.:"));
    if (l && !bindings_add(b, l))
      return err_set(e, ERR_LIMIT, "%s: \"%s\" runs over more than %d lists", place, text, (int)BINDINGS_MAX);
  }
  return 0;
}

bool bindings_next(struct bindings *b) {
  for (unsigned i = b->n; i-- > 0;) {
    if (++b->item[i] < b->list[i]->n) return true;
    b->item[i] = 0;
  }
  return false;
}

bool bindings_full_only(const struct bindings *b) {
  for (unsigned i = 0; i < b->n; i++)
    if (b->list[i]->item[b->item[i]].full_only) return true;
  return false;
}

/* ---- texts ---- */

struct out {
  char *text;
  size_t n, size;
};

static bool put(struct out *o, const char *text, size_t n) {
  if (o->n + n >= o->size) return false;
  memcpy(o->text + o->n, text, n);
  o->n += n;
  o->text[o->n] = 0;
  return true;
}

struct expansion {
  const struct lists *all;
  const struct bindings *b;
  const char *place;
  lists_other *other;
  void *context;
  struct err *e;
};

static const char *bound(const struct expansion *x, const char *name) {
  size_t length = strcspn(name, ".");
  for (unsigned i = 0; x->b && i < x->b->n; i++) {
    const struct list *l = x->b->list[i];
    if (strlen(l->name) != length || strncmp(l->name, name, length) != 0) continue;
    if (!name[length]) return l->item[x->b->item[i]].name;
    const char *field = name + length + 1;
    if (strcmp(field, "size") != 0) return list_field(l, x->b->item[i], field);
    const char *small = x->all->form == FORM_UNIVERSE ? list_field(l, x->b->item[i], "universe") : NULL;
    return small ? small : list_field(l, x->b->item[i], x->all->form == FORM_QUICK ? "quick" : "full");
  }
  return NULL;
}

/* Copies the text up to an unmatched } or its end, and returns that place. */
static const char *expand(const struct expansion *x, const char *at, struct out *o, int depth) {
  char inner[512];
  while (*at && *at != '}') {
    size_t plain = strcspn(at, "{}");
    if (!put(o, at, plain)) goto too_long;
    at += plain;
    if (*at != '{') break;
    struct out name = {inner, 0, sizeof inner};
    inner[0] = 0;
    at = depth < 8 ? expand(x, at + 1, &name, depth + 1) : NULL;
    if (!at) return NULL;
    if (*at++ != '}') {
      err_set(x->e, ERR_SYNTAX, "%s: a } is missing after \"{%s\"", x->place, inner);
      return NULL;
    }
    const char *value = bound(x, inner);
    if (!value && x->other) value = x->other(x->context, inner);
    if (!value) {
      err_set(x->e, ERR_VALUE, "%s: {%s} is no item or field of a list here", x->place, inner);
      return NULL;
    }
    if (!put(o, value, strlen(value))) goto too_long;
  }
  return at;
too_long:
  err_set(x->e, ERR_LIMIT, "%s: a text of more than %zu characters", x->place, o->size);
  return NULL;
}

int lists_expand(const struct lists *all, const struct bindings *b, const char *text, const char *place,
                 lists_other *other, void *context, char *out, size_t size, struct err *e) {
  struct err own = {.code = ERR_NONE};
  struct expansion x = {all, b, place, other, context, e ? e : &own};
  struct out o = {out, 0, size};
  out[0] = 0;
  const char *end = expand(&x, text, &o, 0);
  if (!end) return (int)x.e->code;
  return *end ? err_set(e, ERR_SYNTAX, "%s: a } too many in \"%s\"", place, text) : 0;
}

/* ---- functions over lists ---- */

struct unfolding {
  const struct lists *all;
  const char *place, *dropped;
  struct err *e;
};

static const char *closing(const char *at) {
  int depth = 0;
  for (; *at; at++) {
    if (*at == '(') depth++;
    if (*at == ')' && depth-- == 0) return at;
  }
  return NULL;
}

static int unfold(const struct unfolding *u, const struct bindings *b, const char *text, size_t n, struct out *o);

/* "LIST: EXPR" for each item, with commas. */
static int each(const struct unfolding *u, const struct bindings *outer, const struct list *l, const char *body,
                size_t n, struct out *o) {
  struct bindings b = *outer;
  bool first = true;
  if (!bindings_add(&b, l))
    return err_set(u->e, ERR_LIMIT, "%s: functions over more than %d lists in each other", u->place, (int)BINDINGS_MAX);
  unsigned at = 0;
  while (b.list[at] != l) at++;
  bool outermost = outer->n == 0 && l->n > 1;
  for (unsigned i = 0; i < l->n; i++) {
    if (u->all->form == FORM_QUICK && l->item[i].full_only) continue;
    if (outermost && u->dropped && !strcmp(u->dropped, l->item[i].name)) continue;
    b.item[at] = i;
    if (!first && !put(o, ", ", 2)) return err_set(u->e, ERR_LIMIT, "%s: the expression is too long", u->place);
    first = false;
    int status = unfold(u, &b, body, n, o);
    if (status) return status;
  }
  return 0;
}

static int plain(const struct unfolding *u, const struct bindings *b, const char *text, size_t n, struct out *o) {
  char *piece = strndup(text, n);
  if (!piece) return err_set(u->e, ERR_LIMIT, "%s: out of memory", u->place);
  int status = lists_expand(u->all, b, piece, u->place, NULL, NULL, o->text + o->n, o->size - o->n, u->e);
  o->n += strlen(o->text + o->n);
  free(piece);
  return status;
}

/* If a function over a list begins at `at`: its list; *body: after the colon. */
static const struct list *over_list(const struct unfolding *u, const char *at, const char *end, size_t *word,
                                    const char **body) {
  size_t n = 0;
  while (at + n < end && isalpha((unsigned char)at[n])) n++;
  if (!n || at + n >= end || at[n] != '(') return NULL;
  const char *name = at + n + 1;
  size_t length = 0;
  while (name + length < end && (isalnum((unsigned char)name[length]) || name[length] == '_')) length++;
  if (!length || name + length >= end || name[length] != ':') return NULL;
  *word = n;
  *body = name + length + 1;
  const struct list *l = lists_find(u->all, name, length);
  if (!l) err_set(u->e, ERR_VALUE, "%s: there is no list \"%.*s\"", u->place, (int)length, name);
  return l;
}

static int unfold(const struct unfolding *u, const struct bindings *b, const char *text, size_t n, struct out *o) {
  const char *end = text + n, *from = text, *at = text;
  while (at < end) {
    size_t word = 0;
    const char *body = NULL;
    bool begins = at == text || !(isalnum((unsigned char)at[-1]) || strchr("_.{", at[-1]));
    const struct list *l = begins ? over_list(u, at, end, &word, &body) : NULL;
    if (!l && body) return (int)u->e->code;
    if (!l) {
      at++;
      continue;
    }
    const char *close = closing(body);
    if (!close || close >= end) return err_set(u->e, ERR_SYNTAX, "%s: a ) is missing in \"%s\"", u->place, text);
    bool counts = word == 5 && !strncmp(at, "count", 5);
    int status = plain(u, b, from, (size_t)(at - from), o);
    if (!status && !(put(o, counts ? "sum" : at, counts ? 3 : word) && put(o, "(", 1)))
      status = err_set(u->e, ERR_LIMIT, "%s: the expression is too long", u->place);
    if (!status) status = each(u, b, l, body, (size_t)(close - body), o);
    if (status) return status;
    from = at = close; /* the ) itself is copied with what follows */
  }
  return plain(u, b, from, (size_t)(end - from), o);
}

int lists_unfold(const struct lists *all, const struct bindings *b, const char *text, const char *place,
                 const char *dropped, char *out, size_t size, struct err *e) {
  static const struct bindings none;
  struct err own = {.code = ERR_NONE};
  struct unfolding u = {all, place, dropped, e ? e : &own};
  struct out o = {out, 0, size};
  out[0] = 0;
  return unfold(&u, b ? b : &none, text, strlen(text), &o);
}
