/* SPDX-License-Identifier: Apache-2.0 */
/* A user's own program, looked at before it starts: which CUDA runtime it holds, and what must be loaded before it. */
#ifndef TANDEM_CLI_OWN_PROGRAM_H
#define TANDEM_CLI_OWN_PROGRAM_H

struct err;

/* The library that must be preloaded so that the program's calls reach Tandem's runtime, or "": none. It is needed where NVIDIA's
 * static runtime is inside the program (nvcc's default), and before a script, which may start such a program. ERR_FILE: it cannot be
 * read; ERR_UNSUPPORTED: a program with the static runtime that is stripped, or that no library can be loaded into. */
int own_program_preload(const char *path, const char **library, struct err *);

#endif
