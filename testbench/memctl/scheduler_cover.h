/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage points that the DRAM schedulers share: commands, what kept them, and the state of the banks. */
#ifndef TANDEM_MEMCTL_SCHEDULER_COVER_H
#define TANDEM_MEMCTL_SCHEDULER_COVER_H

#include "block/block_cover.h"

enum { CMD_NONE, CMD_COLUMN, CMD_ACTIVATE, CMD_PRECHARGE };

#define SCHEDULER_POINTS                                                                                          \
  bool takes = in->enq_valid && out->enq_ready;                                                                   \
  bool all = (in->bank_can_act & in->bank_can_pre & in->bank_can_col) == (uint16_t)cover_ones((uint32_t)cfg->NB); \
  bool same_bank = out->cmd && was_out->cmd && FOLLOWS && out->cmd_bank == was_out->cmd_bank;                     \
  POINT("a request arrives at the empty queue", takes && !out->busy);                                             \
  POINT("a request arrives and finds no room", in->enq_valid && !out->enq_ready);                                 \
  POINT("a request arrives beside a command", takes && out->cmd);                                                 \
  POINT("requests wait, and the timing allows nothing",                                                           \
        out->busy && !(in->bank_can_act | in->bank_can_pre | in->bank_can_col));                                  \
  POINT("the timing allows everything, and nothing waits", all && !out->busy);                                    \
  POINT("a column command follows the activation of its bank",                                                    \
        same_bank && was_out->cmd == CMD_ACTIVATE && out->cmd == CMD_COLUMN);                                     \
  POINT("an activation follows the precharge of its bank",                                                        \
        same_bank && was_out->cmd == CMD_PRECHARGE && out->cmd == CMD_ACTIVATE);                                  \
  POINT("two column commands in a row to one bank",                                                               \
        same_bank && was_out->cmd == CMD_COLUMN && out->cmd == CMD_COLUMN);                                       \
  POINT_IF(cfg->NB > 1, "commands to different banks in a row",                                                   \
           out->cmd && was_out->cmd && out->cmd_bank != was_out->cmd_bank);                                       \
  POINT("a bank is closed for another row", out->cmd == CMD_PRECHARGE);                                           \
  POINT("every bank is open", regs->open_q == (uint16_t)cover_ones((uint32_t)cfg->NB));                           \
  POINT("no bank is open", !regs->open_q);                                                                        \
  POINT("a column command with the row open", out->cmd == CMD_COLUMN && regs->open_q >> out->cmd_bank & 1);       \
  POINT_IF(cfg->NB &(cfg->NB - 1), "a request names a bank that does not exist",                                  \
           in->enq_valid && in->enq_bank >= cfg->NB)

#endif
