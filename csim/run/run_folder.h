/* SPDX-License-Identifier: Apache-2.0 */
/* Folders for what a run leaves to be read by the command that made it. */
#ifndef TANDEM_RUN_RUN_FOLDER_H
#define TANDEM_RUN_RUN_FOLDER_H

enum { RUN_FOLDER_BYTES = 512 };

struct err;
/* Makes an empty folder in $TMPDIR, or in /tmp: "tandem-NAME-" and six letters. The caller removes it. */
int run_folder(char folder[RUN_FOLDER_BYTES], const char *name, struct err *);

#endif
