/* SPDX-License-Identifier: Apache-2.0 */
/* The output folder of a run. */
#ifndef TANDEM_RUN_OUT_DIR_H
#define TANDEM_RUN_OUT_DIR_H

#include <stdbool.h>
#include <stddef.h>

struct err;

/* Makes the folder and proves that it can be written. */
int out_dir_make(const char *dir, struct err *);
/* The folder of process `n` of a program, from 2 on (run/out_claim.h); false: there is no such process. */
bool out_dir_process(const char *dir, unsigned n, char *folder, size_t size);
/* Removes every result of an earlier run, which must not pass for this one's. */
void out_dir_remove_results(const char *dir);
/* The same of a process, with its folder. */
void out_dir_remove_process(const char *folder);
/* Removes recordings of stimuli and of DRAM requests: they count only when the workload found its results right. */
void out_dir_remove_recordings(const char *dir);
/* Removes the flight recorder's file, which a run that fails keeps. */
void out_dir_remove_flight(const char *dir);

#endif
