/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_out.h"

/* A new object with the keys of `j` after "schema"; anything else as it is. */
static json_t *with_schema(json_t *j, const char *schema) {
  if (!json_is_object(j)) return json_incref(j);
  json_t *out = json_pack("{s:s}", "schema", schema);
  json_object_update_missing(out, j);
  return out;
}

void json_out(json_t *j, const char *schema, unsigned precision, FILE *f) {
  json_t *out = with_schema(j, schema), *row;
  size_t i;
  if (json_is_array(j)) {
    json_decref(out);
    out = json_array();
    json_array_foreach(j, i, row) json_array_append_new(out, with_schema(row, schema));
  }
  json_dumpf(out, f, JSON_INDENT(2) | JSON_REAL_PRECISION(precision));
  fputc('\n', f);
  json_decref(out);
}
