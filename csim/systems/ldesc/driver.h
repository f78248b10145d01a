/* SPDX-License-Identifier: Apache-2.0 */
/* What the files on the driver's side of the Locality Descriptor share: the calls of ldesc.h (api.c), what is done before a launch
 * (launch.c), and how it is told (decision.c). All of it is guarded by the driver's lock. */
#ifndef TANDEM_SYSTEMS_LDESC_DRIVER_H
#define TANDEM_SYSTEMS_LDESC_DRIVER_H

#include "systems/driver.h"
#include "systems/ldesc/choose.h"

/* The descriptors that the program has said, the earliest first. */
struct ldesc_table {
  uint32_t n;
  uint64_t version; /* another one after each change */
  struct ldesc_record record[LDESC_ROWS];
};

/* The bytes are one allocation's. */
bool ldesc_is_allocated(const struct driver_services *, const struct ldesc_record *);

/* Chooses, places and hands the policy to the hardware. ERR_VALUE: a C-Tile does not fit the grid, or a structure was freed. */
int ldesc_launch(const struct driver_services *, const struct ldesc_table *, const struct driver_launch *,
                 struct err *);

/* ---- decision.c ---- */

struct ldesc_decision {
  const struct driver_launch *launch;
  const struct ldesc_choose_in *in;
  const struct ldesc_choice *choice;
  double seconds; /* processor time of the host, for choosing */
  uint64_t moved; /* bytes */
};

/* Adds a line of JSON to the file. ERR_FILE: it cannot be written. */
int ldesc_decision_write(const char *path, const struct ldesc_decision *, struct err *);

#endif
