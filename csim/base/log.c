/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

void log_line(const char *format, ...) {
  const char *path = getenv("TANDEM_LOG");
  char line[16384];
  time_t now = time(NULL);
  struct tm utc;
  if (!path || !*path) return;
  gmtime_r(&now, &utc);
  size_t n = strftime(line, sizeof line, "%FT%TZ ", &utc);
  n += (size_t)snprintf(line + n, sizeof line - n, "%d ", (int)getpid());
  size_t text = n;
  va_list args;
  va_start(args, format);
  int m = vsnprintf(line + n, sizeof line - n - 1, format, args);
  va_end(args);
  n += m < 0 ? 0 : (size_t)m < sizeof line - n - 1 ? (size_t)m : sizeof line - n - 2;
  for (size_t i = text; i < n; i++)
    if (line[i] == '\n') line[i] = ' ';
  line[n++] = '\n';
  int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) return;
  if (write(fd, line, n) < 0) { /* see log.h */
  }
  close(fd);
}
