/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/block_arguments.h"

#include "base/err.h"
#include "base/text.h"
#include "run/session.h"

#include <stdio.h>
#include <string.h>

static const char *block_name(const void *list, unsigned i) {
  const struct block_desc *const *all = list;
  return all[i] ? all[i]->name : NULL;
}

/* Whether the manifest in the source tree has a row of this name. */
static bool in_manifest(const char *name) {
  char path[1100], line[512];
  bool found = false;
  size_t n = strlen(name);
  snprintf(path, sizeof path, "%s/blocks.yaml", session_config_dir());
  FILE *f = fopen(path, "r");
  while (f && !found && fgets(line, sizeof line, f)) found = !strncmp(line, name, n) && line[n] == ':';
  if (f) fclose(f);
  return found;
}

int block_argument(const char *name, const struct block_desc **desc, struct err *e) {
  *desc = block_find(name);
  if (*desc) return 0;
  if (in_manifest(name))
    return err_set(e, ERR_VALUE,
                   "the block '%s' was added to configs/blocks.yaml after this program was built; build it again",
                   name);
  const char *near = text_nearest(name, block_name, block_list());
  return err_set(e, ERR_VALUE, "no block '%s'%s%s%s; tandem list blocks names them", name,
                 near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

int params_read(const struct block_desc *desc, const struct cli_list *list, int32_t *params, struct err *e) {
  block_default_params(desc, params);
  for (unsigned i = 0; i < list->n; i++)
    if (block_set_param_text(desc, list->text[i], params, e)) return err_prefix(e, "--param %s", list->text[i]);
  return 0;
}

int params_argument(const struct block_desc *desc, const struct cli_list *list, int32_t *params, struct err *e) {
  int status = params_read(desc, list, params, e);
  if (!status && (status = block_check_params(desc, params, e))) err_prefix(e, "--param");
  return status;
}

int engine_argument(const char *text, enum block_engine *engine, struct err *e) {
  for (int i = 0; block_engine_names[i]; i++)
    if (!strcmp(text, block_engine_names[i])) {
      *engine = (enum block_engine)i;
      return 0;
    }
  return err_set(e, ERR_USAGE, "--engine %s: engines are c, rtl, lockstep", text);
}

const char *params_text(const struct block_desc *desc, const int32_t *params, char *out, size_t size) {
  size_t n = 0;
  if (size) *out = 0;
  for (uint32_t i = 0; i < desc->n_params && n < size; i++)
    n += (size_t)snprintf(out + n, size - n, "%s%s=%d", i ? " " : "", desc->params[i].name, params[i]);
  return out;
}
