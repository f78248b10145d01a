/* SPDX-License-Identifier: Apache-2.0 */
/* A listing as a page of the reference: one table, or for rows that hold lists (blocks) a section each. */
#ifndef TANDEM_CLI_LIST_MARKDOWN_H
#define TANDEM_CLI_LIST_MARKDOWN_H

#include <jansson.h>

void list_markdown(const char *title, const json_t *rows);

#endif
