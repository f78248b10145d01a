/* SPDX-License-Identifier: Apache-2.0 */
/* Where the files of Tandem lie. An installation and a build folder have the same layout under one folder, the prefix:
 *
 *   bin/tandem
 *   lib/tandem/      libcuda.so.1, libcudart.so.12 and .13, and workloads/; neither loader nor linker searches it by itself
 *   share/tandem/    what the program reads: configs, rtl, dpi, scripts, testbench, generated, version; in a build folder links to
 *                    the source tree, and `cache`, a link to the build folder
 *
 * The prefix is the nearest folder with share/tandem above the file that this code was loaded from: the program, or libcuda.so.1 in
 * a user's own program. So a prefix can be moved as a whole. Nothing here fails: the path of a missing file is returned all the
 * same, and the reader's error names it. Paths are absolute and stay the same while the program runs. */
#ifndef TANDEM_BASE_PLACE_H
#define TANDEM_BASE_PLACE_H

#include <stddef.h>

enum { PLACE_BYTES = 1024 }; /* of a path */

/* share/tandem, or $TANDEM_DATA_DIR. */
const char *place_data(void);

/* configs in that folder. */
const char *place_configs(void);

/* NAME in that folder. Links are followed, so that messages of a build folder name the source file. `out` has room for `size`
 * bytes; a longer path is cut. */
void place_data_file(const char *name, char *out, size_t size);

/* lib/tandem. */
const char *place_libraries(void);

/* Where results are kept from call to call: $TANDEM_CACHE, else the build folder, else tandem in $XDG_CACHE_HOME or ~/.cache. */
const char *place_cache(void);

/* The version and, of a build from a git tree, the commit: "0.1.0 (2d1e95c)". */
const char *place_version(void);

#endif
