/* SPDX-License-Identifier: Apache-2.0 */
/* What the two halves of the GPU configuration table share: GPU configuration.c (table, values, relations), yaml_machine.c (files). */
#ifndef TANDEM_CONFIG_GPU_CONFIG_FILE_H
#define TANDEM_CONFIG_GPU_CONFIG_FILE_H

#include "config/gpu_config.h"

/* Row of `key`, or NULL. */
const struct gpu_parameter *gpu_config_find(const char *key);
/* Unknown key: fills *e with the sentence, which names the nearest known key. `place`: file:line, or the option. */
int gpu_config_unknown_key(const char *place, const char *key, struct err *e);
/* Parses `text` into the parameter: ERR_VALUE and the mend when it is not a number or name of the table, or outside. */
int gpu_config_assign(struct gpu_config *m, const struct gpu_parameter *p, const char *place, const char *text,
                      struct err *e);

#endif
