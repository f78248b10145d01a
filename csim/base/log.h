/* SPDX-License-Identifier: Apache-2.0 */
/* A log of what was called: one line for the begin and the end of each command, and for each tool that it started. TANDEM_LOG names
 * the file; programs that Tandem starts write to the same one. Lines of several programs do not mix. Without TANDEM_LOG nothing is
 * written, and what cannot be written is lost: a log must not end the work that it is about. */
#ifndef TANDEM_BASE_LOG_H
#define TANDEM_BASE_LOG_H

/* "2026-11-22T21:37:35Z PID TEXT" and a line end; line ends in the text become blanks. */
void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
