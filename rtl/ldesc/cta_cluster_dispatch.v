// SPDX-License-Identifier: Apache-2.0
//
// cta_cluster_dispatch: gives the thread blocks (CTAs) of a launch to the SMs of a GPU module, cluster by cluster: every CTA of a cluster
// runs on one SM (Vijaykumar 2019, 3.4.1, "CTA scheduling"; assumption: the rule of the last clusters, ports and cycle behaviour). One a
// module. Clusters of one CTA, or no whole cluster, give the usual order: CTA by CTA over the SMs.
//
// Clusters   boxes of cls_*_i CTAs, walked x first, then y, then z. Which of them this module has is the driver's decision; it gives
//            them as runs of clusters that follow each other in this walk, before and during the launch: the first CTA of the first
//            cluster, a multiple of the cluster's sizes, and the number of clusters. Two runs wait here. Coordinates move on by the
//            cluster's size with a carry; there is neither a divider nor a multiplier.
// SMs        free_i has a one for each SM with a free slot; the CTA of this cycle is the SM's (cta_sm_o). In a cycle one SM of those that
//            can get one is served, round robin. It gets the next CTA of its cluster; if it has none left, the first CTA of the next
//            cluster, which becomes its own.
// Tail       assumption: the first whole_i clusters are given so (the driver takes the largest multiple of SMS). The rest are spread CTA
//            by CTA over the SMs, one cluster after the other.
// STEAL=1    assumption, not in the source: after the end of the list, an SM without CTAs takes the last CTA of the SM with the most
//            CTAs left, the lowest among equals. The number of CTAs of a cluster comes from the driver (size_i), by the axes on which the
//            grid cuts it; it only decides from whom to take.
// Grid       a cluster that the grid cuts has the CTAs inside of it, and costs no cycle for the others. A run ends where it leaves the
//            grid. A run without a cluster in the grid costs one cycle, in which no new cluster begins.
// Launch     start_en_i begins one: what is left of the one before leaves, also its runs. In that cycle no CTA goes and no run is taken.
//            Runs are taken from then on, up to the one that is marked as the last.
// End        done_o: the last run has come, no run waits, and every CTA has gone.
// Reset      synchronous, active low: no launch, no cluster, no run; SM 0 is served first.
// Idle       busy_o: a run without a cluster leaves in this cycle.

`include "needs.vh"

module cta_cluster_dispatch #(
    parameter int SMS = 16,   // SMs of the module, 1..16
    parameter int STEAL = 0   // 1: an SM without CTAs takes one of another SM's cluster; 0: never
) (
    input  logic                                    clk_i,
    input  logic                                    rst_ni,
    // launch
    input  logic                                    start_en_i,   // a launch begins
    input  logic [15:0]                             grid_x_i,     // CTAs of the grid
    input  logic [15:0]                             grid_y_i,
    input  logic [15:0]                             grid_z_i,
    input  logic [15:0]                             cls_x_i,      // CTAs of a cluster; 0 counts as 1
    input  logic [15:0]                             cls_y_i,
    input  logic [15:0]                             cls_z_i,
    input  logic [31:0]                             whole_i,      // clusters that are not spread
    input  logic [127:0]                            size_i,       // STEAL=1: CTAs of a cluster, 16 bits each, by cuts {z, y, x}
    // runs
    input  logic                                    run_valid_i,  // a run is offered
    input  logic [15:0]                             run_x_i,      // first CTA of its first cluster
    input  logic [15:0]                             run_y_i,
    input  logic [15:0]                             run_z_i,
    input  logic [31:0]                             run_count_i,  // clusters
    input  logic                                    run_last_i,   // the list ends with it
    output logic                                    run_ready_o,  // it is taken
    // CTAs
    input  logic [SMS-1:0]                          free_i,       // SMs with a free slot
    output logic                                    cta_valid_o,  // a CTA goes
    output logic [(SMS <= 2 ? 1 : $clog2(SMS))-1:0] cta_sm_o,     // to this SM; 0 without one
    output logic [15:0]                             cta_x_o,      // its index; 0 without one
    output logic [15:0]                             cta_y_o,
    output logic [15:0]                             cta_z_o,
    output logic                                    done_o,       // no launch, or all of its CTAs have gone
    output logic                                    busy_o        // a run without a cluster leaves
);
  localparam int SB = SMS <= 2 ? 1 : $clog2(SMS);
  localparam int RB = $clog2(SMS + 1);
  localparam int LAST_SM = SMS - 1;

  `NEEDS(SMS >= 1 && SMS <= 16, cta_cluster_dispatch_needs_sms_in_1_to_16)
  `NEEDS(STEAL == 0 || STEAL == 1, cta_cluster_dispatch_needs_steal_0_or_1)

  // Positions are {z, y, x}. Row SMS of a cluster's registers is the cluster that is spread.
  logic [47:0] grid_q, cls_q;
  logic [31:0] whole_q, whole_d;             // clusters still to be given whole
  logic [127:0] size_q;
  logic [1:0] waits_q, waits_d;              // runs that wait, the first one lowest
  logic [95:0] run_at_q;                     // first CTA of their next cluster
  logic [63:0] run_count_q;                  // clusters that are left of them
  logic open_q;                              // the list's last run has not come
  logic [SMS:0] left_q, left_d;              // a CTA of this cluster is still to go
  logic [47:0] first_q[0:SMS], at_q[0:SMS];  // its first CTA, and the next one
  logic [(SMS+1)*48-1:0] last_q;             // STEAL=1: the last one that has not gone
  logic [(SMS+1)*16-1:0] count_q;            // STEAL=1: how many have not
  logic [SB-1:0] turn_q, turn_d;             // the SM that is served first

  // The next cluster of the list.
  logic [47:0] next;
  logic [31:0] clusters;
  logic front;
  assign next = run_at_q[47:0];
  assign clusters = run_count_q[31:0];
  assign front = waits_q[0] && clusters != 32'd0 && next[15:0] < grid_q[15:0] && next[31:16] < grid_q[31:16] &&
                 next[47:32] < grid_q[47:32];
  assign busy_o = waits_q[0] && !front;

  // Who is served, and with what: a CTA of its own cluster, of the next one, of the one that is spread, or of another SM's.
  logic [SMS-1:0] own, ask, grant;
  logic spread, some_new, may_steal, is_own, takes_next, steals;
  logic [SB-1:0] sm;
  logic [31:0] sm_number, victim_number, row_number, to_number;
  logic [RB-1:0] row, to;  // the cluster of the CTA; where it is kept
  assign own = left_q[SMS-1:0] & free_i;
  assign spread = whole_q == 32'd0;
  assign some_new = front || (spread && left_q[SMS]);
  assign may_steal = STEAL != 0 && !open_q && waits_q == 2'd0 && !left_q[SMS] && left_q[SMS-1:0] != '0;
  assign ask = start_en_i ? '0 : some_new || may_steal ? free_i : own;
  first_from #(.N(SMS)) u_turn (.req_i(ask), .from_i(turn_q), .pick_o(grant));
  onehot_index #(.N(SMS)) u_sm (.onehot_i(grant), .index_o(sm));
  assign cta_valid_o = ask != '0;
  assign cta_sm_o = sm;
  assign is_own = (grant & own) != '0;
  assign takes_next = cta_valid_o && !is_own && front && !(spread && left_q[SMS]);
  assign steals = cta_valid_o && !is_own && !some_new;
  assign sm_number = {{(32 - SB) {1'b0}}, sm};
  assign row_number = is_own ? sm_number : steals ? victim_number : SMS;
  assign to_number = takes_next && !spread ? sm_number : row_number;
  assign row = row_number[RB-1:0];
  assign to = to_number[RB-1:0];

  // The cluster, its box in the grid, and the CTA.
  logic [47:0] first, at, last, top, cta, after, earlier;
  logic [2:0] cut;               // x lowest
  logic [1:0] at_top, at_first;
  assign first = takes_next ? next : first_q[row];
  assign at = takes_next ? next : at_q[row];
  for (genvar d = 0; d < 3; d++) begin : g_axis
    logic [16:0] behind;
    assign behind = {1'b0, first[d*16+:16]} + {1'b0, cls_q[d*16+:16]};
    assign cut[d] = behind > {1'b0, grid_q[d*16+:16]};
    assign top[d*16+:16] = (cut[d] ? grid_q[d*16+:16] : behind[15:0]) - 16'd1;
    if (d < 2) begin : g_carry
      assign at_top[d] = at[d*16+:16] >= top[d*16+:16];
      assign at_first[d] = last[d*16+:16] <= first[d*16+:16];
    end
  end
  assign cta = !cta_valid_o ? '0 : steals ? last : at;
  assign {cta_z_o, cta_y_o, cta_x_o} = cta;
  // The CTA after this one, x first, and the one before the last.
  assign after[15:0] = at_top[0] ? first[15:0] : at[15:0] + 16'd1;
  assign after[31:16] = !at_top[0] ? at[31:16] : at_top[1] ? first[31:16] : at[31:16] + 16'd1;
  assign after[47:32] = at_top != 2'b11 ? at[47:32] : at[47:32] + 16'd1;
  assign earlier[15:0] = at_first[0] ? top[15:0] : last[15:0] - 16'd1;
  assign earlier[31:16] = !at_first[0] ? last[31:16] : at_first[1] ? top[31:16] : last[31:16] - 16'd1;
  assign earlier[47:32] = at_first != 2'b11 ? last[47:32] : last[47:32] - 16'd1;
  logic over;  // the cluster's last CTA goes
  logic [SMS:0] place, to_place;
  assign over = at == last;
  for (genvar s = 0; s <= SMS; s++) begin : g_place
    assign to_place[s] = to_number == s;
  end
  assign place = cta_valid_o ? to_place : '0;
  assign left_d = start_en_i ? '0 : over ? left_q & ~place : left_q | place;

  // Who has the most CTAs left.
  if (STEAL != 0) begin : g_steal
    logic [15:0] most, count, count_d;
    always_comb begin
      victim_number = '0;
      most = '0;
      if (may_steal) begin
        for (int s = SMS - 1; s >= 0; s--) begin
          if (left_q[s] && count_q[s*16+:16] >= most) begin
            victim_number = s;
            most = count_q[s*16+:16];
          end
        end
      end
    end
    assign last = takes_next ? top : last_q[row*48+:48];
    assign count = takes_next ? size_q[cut*16+:16] : count_q[row*16+:16];
    assign count_d = count == 16'd0 ? 16'd0 : count - 16'd1;
    always_ff @(posedge clk_i) begin
      for (int s = 0; s <= SMS; s++) begin
        if (place[s]) begin
          last_q[s*48+:48] <= steals ? earlier : last;
          count_q[s*16+:16] <= count_d;
        end
      end
      if (!rst_ni) size_q <= '0;
      else if (start_en_i) size_q <= size_i;
    end
  end else begin : g_steal
    logic unused;
    assign unused = &{1'b0, size_i, earlier, last_q, count_q, size_q};
    assign victim_number = '0;
    assign last = top;
    assign last_q = '0;
    assign count_q = '0;
    assign size_q = '0;
  end

  // The list: the cluster leaves it, with its run if that ends or leaves the grid.
  logic [16:0] sum_x, sum_y, sum_z;
  logic carry_x, carry_y, carry_z, push, pop, more;
  logic [47:0] moved;
  assign sum_x = {1'b0, next[15:0]} + {1'b0, cls_q[15:0]};
  assign sum_y = {1'b0, next[31:16]} + {1'b0, cls_q[31:16]};
  assign sum_z = {1'b0, next[47:32]} + {1'b0, cls_q[47:32]};
  assign carry_x = sum_x >= {1'b0, grid_q[15:0]};
  assign carry_y = carry_x && sum_y >= {1'b0, grid_q[31:16]};
  assign carry_z = carry_y && sum_z >= {1'b0, grid_q[47:32]};
  assign moved[15:0] = carry_x ? 16'd0 : sum_x[15:0];
  assign moved[31:16] = !carry_x ? next[31:16] : carry_y ? 16'd0 : sum_y[15:0];
  assign moved[47:32] = !carry_y ? next[47:32] : sum_z[15:0];
  assign more = clusters != 32'd1 && !carry_z;
  assign run_ready_o = open_q && !waits_q[1] && !start_en_i;
  assign push = run_valid_i && run_ready_o;
  assign pop = busy_o || (takes_next && !more);
  assign waits_d = pop ? {1'b0, waits_q[1] || push} : push ? {waits_q[0], 1'b1} : waits_q;
  assign done_o = !open_q && waits_q == 2'd0 && left_q == '0;
  assign whole_d = takes_next && !spread ? whole_q - 32'd1 : whole_q;
  assign turn_d = sm == LAST_SM[SB-1:0] ? '0 : sm + 1'b1;

  // Registers. A cluster's count where left_q has a one, a run where waits_q has.
  logic [47:0] cls;
  assign cls[15:0] = cls_x_i == 16'd0 ? 16'd1 : cls_x_i;
  assign cls[31:16] = cls_y_i == 16'd0 ? 16'd1 : cls_y_i;
  assign cls[47:32] = cls_z_i == 16'd0 ? 16'd1 : cls_z_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {grid_q, cls_q, whole_q, waits_q, open_q, left_q, turn_q} <= '0;
    end else begin
      whole_q <= whole_d;
      waits_q <= start_en_i ? 2'd0 : waits_d;
      open_q <= start_en_i || (open_q && !(push && run_last_i));
      left_q <= left_d;
      if (cta_valid_o) turn_q <= turn_d;
      if (start_en_i) begin
        grid_q <= {grid_z_i, grid_y_i, grid_x_i};
        cls_q <= cls;
        whole_q <= whole_i;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (push && (pop || !waits_q[0])) begin
      run_at_q[47:0] <= {run_z_i, run_y_i, run_x_i};
      run_count_q[31:0] <= run_count_i;
    end else if (pop) begin
      run_at_q[47:0] <= run_at_q[95:48];
      run_count_q[31:0] <= run_count_q[63:32];
    end else if (takes_next) begin
      run_at_q[47:0] <= moved;
      run_count_q[31:0] <= clusters - 32'd1;
    end
    if (push) begin
      run_at_q[95:48] <= {run_z_i, run_y_i, run_x_i};
      run_count_q[63:32] <= run_count_i;
    end
    if (cta_valid_o) begin
      first_q[to] <= first;
      at_q[to] <= steals ? at : after;
    end
  end

`ifdef FORMAL
  `include "cta_cluster_dispatch_props.svh"
`endif
endmodule
`undef NEEDS
