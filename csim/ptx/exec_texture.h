/* SPDX-License-Identifier: Apache-2.0 */
/* What tex and suld share: the texture or surface of a lane. */
#ifndef TANDEM_PTX_EXEC_TEXTURE_H
#define TANDEM_PTX_EXEC_TEXTURE_H

#include "ptx/execute.h"
#include "ptx/texture.h"

/* The last one that was looked up: lanes mostly use the same one. */
struct texture_seen {
  uint64_t handle;
  bool valid;
  struct texture texture;
};

/* The texture or surface whose handle is source 0 of the lane; NULL after a fault. */
const struct texture *ptx_texture_look_up(const struct ptx_op *, struct ptx_warp *, uint32_t lane, bool surface,
                                          struct texture_seen *last);

#endif
