/* SPDX-License-Identifier: Apache-2.0 */
/* A block of the user's in the place of one of the GPU's: the component that owns the instance sees the same ports. */
#include "runtime.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

int replace_rule_parse(const char *origin, const char *text, struct replace_rule *rule, struct err *e) {
  const char *equal = strrchr(text, '=');
  if (!equal || equal == text || !equal[1])
    return err_set(e, ERR_USAGE, "%s %s: write PATTERN=BLOCK, as l2.*.amu=my_amu", origin, text);
  if ((size_t)(equal - text) >= sizeof rule->pattern)
    return err_set(e, ERR_USAGE, "%s %s: the pattern is longer than %zu characters", origin, text,
                   sizeof rule->pattern - 1);
  snprintf(rule->pattern, sizeof rule->pattern, "%.*s", (int)(equal - text), text);
  rule->block = block_find(equal + 1);
  if (rule->block && rule->block->own) return 0;
  return err_set(e, ERR_VALUE, "%s %s: no block '%s' in a manifest of yours; give it with --manifest FILE", origin,
                 text, equal + 1);
}

static int check_ports(const char *path, const struct block_desc *ours, const struct block_desc *yours, bool inputs,
                       struct err *e) {
  const struct block_field *a = inputs ? ours->in : ours->out, *b = inputs ? yours->in : yours->out;
  uint32_t n = inputs ? ours->n_in : ours->n_out, m = inputs ? yours->n_in : yours->n_out;
  const char *kind = inputs ? "input" : "output";
  for (uint32_t i = 0; i < n; i++) {
    const struct block_field *f = block_field_find(b, m, a[i].name);
    if (!f)
      return err_set(e, ERR_VALUE, "--replace: %s has no %s '%s', which the instance %s (block %s) needs", yours->name,
                     kind, a[i].name, path, ours->name);
    if (f->slot != a[i].slot || f->offset != a[i].offset || f->late != a[i].late || f->enable != a[i].enable)
      return err_set(
        e, ERR_VALUE,
        "--replace: the %s '%s' of %s is not that of %s; give it the same width, flags and max: of the parameters",
        kind, a[i].name, yours->name, ours->name);
  }
  for (uint32_t i = 0; i < m; i++)
    if (!block_field_find(a, n, b[i].name))
      return err_set(e, ERR_VALUE, "--replace: the %s '%s' of %s is none of %s; the instance %s does not drive it",
                     kind, b[i].name, yours->name, ours->name, path);
  return 0;
}

/* The parameters of the instance, by name. */
static int take_params(const struct block_desc *ours, const int32_t *params, const struct block_desc *yours,
                       int32_t *taken, struct err *e) {
  block_default_params(yours, taken);
  for (uint32_t i = 0; i < ours->n_params; i++) {
    struct block_setting s = {.name = ours->params[i].name, .value = params[i]};
    if (block_set_params(yours, &s, 1, taken, e)) return err_prefix(e, "--replace");
  }
  return 0;
}

int replace_block(struct dpi *d, const struct block_desc **desc, const char *path, const int32_t **params,
                  int32_t *taken, struct err *e) {
  const struct block_desc *ours = *desc;
  for (uint32_t i = d->config.n_replaces; i-- > 0;) {
    struct replace_rule *r = &d->replaces[i];
    if (fnmatch(r->pattern, path, 0) && strcmp(r->pattern, ours->name) != 0) continue;
    int status = check_ports(path, ours, r->block, true, e);
    if (!status) status = check_ports(path, ours, r->block, false, e);
    if (!status) status = take_params(ours, *params, r->block, taken, e);
    r->used = true;
    *desc = r->block;
    *params = taken;
    return status;
  }
  return 0;
}

const char *dpi_unused_replace(const struct dpi *d) {
  for (uint32_t i = 0; i < d->config.n_replaces; i++)
    if (!d->replaces[i].used) return d->replaces[i].pattern;
  return NULL;
}
