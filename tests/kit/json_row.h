/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of a JSON object that must be there. */
#ifndef TANDEM_TESTS_KIT_JSON_ROW_H
#define TANDEM_TESTS_KIT_JSON_ROW_H

#include "kit/test.h"

#include <jansson.h>

static inline const json_t *get(const json_t *j, const char *key) {
  const json_t *value = json_object_get(j, key);
  if (!value) fail_msg("no key '%s'", key);
  return value;
}
static inline const char *text(const json_t *j, const char *key) { return json_string_value(get(j, key)); }
static inline double number(const json_t *j, const char *key) { return json_number_value(get(j, key)); }

#endif
