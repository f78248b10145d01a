// SPDX-License-Identifier: Apache-2.0
// Laws of cta_cluster_dispatch, inside the module. Those of one cycle follow a cluster's registers, any one's, by induction. Those of a
// whole launch follow two CTAs, any two, from reset for some cycles (SMS=2): grids of at most 3 CTAs an axis, and a driver that gives
// clusters in the order of the walk, with gaps, in runs of one or two.
// prove: bmc=6 SMS=2 STEAL=0
// prove-nightly: bmc=2 induct=2 SMS=3 STEAL=0
// prove-nightly: bmc=2 induct=2 SMS=3 STEAL=1
// prove-nightly: bmc=7 cover=9 SMS=2 STEAL=0
// prove-nightly: bmc=7 cover=9 SMS=2 STEAL=1
// equal: SMS=2 STEAL=0
// equal-nightly: SMS=1 STEAL=1
// equal-nightly: SMS=3 STEAL=0
// equal-nightly: SMS=5 STEAL=1
// equal-nightly: SMS=15 STEAL=0
// equal-nightly: SMS=16 STEAL=0

  (* anyconst *) logic [RB-1:0] f_row;
  logic f_started = 1'b0;
  logic f_was_reset, f_was_idle, f_was_done;
  logic [SMS:0] f_was_left;
  logic [47:0] f_first, f_at, f_last, f_top;
  logic f_left, f_ours, f_at_top, f_at_first;
  assign f_left = left_q[f_row];
  assign f_first = first_q[f_row];
  assign f_at = at_q[f_row];
  assign f_ours = cta_valid_o && !takes_next && row == f_row;  // the CTA is of this cluster
  for (genvar d = 0; d < 3; d++) begin : f_axis
    logic [16:0] behind;
    assign behind = {1'b0, f_first[d*16+:16]} + {1'b0, cls_q[d*16+:16]};
    assign f_top[d*16+:16] = behind > {1'b0, grid_q[d*16+:16]} ? grid_q[d*16+:16] - 16'd1 : behind[15:0] - 16'd1;
  end
  if (STEAL != 0) begin : f_steal
    assign f_last = last_q[f_row*48+:48];
  end else begin : f_steal
    assign f_last = f_top;
  end
  // Is a position in the box from `low` to `high`?
  function automatic logic f_in(input logic [47:0] at, input logic [47:0] low, input logic [47:0] high);
    f_in = at[15:0] >= low[15:0] && at[15:0] <= high[15:0] && at[31:16] >= low[31:16] && at[31:16] <= high[31:16] &&
           at[47:32] >= low[47:32] && at[47:32] <= high[47:32];
  endfunction
  function automatic logic f_in_grid(input logic [47:0] at);
    f_in_grid = at[15:0] < grid_q[15:0] && at[31:16] < grid_q[31:16] && at[47:32] < grid_q[47:32];
  endfunction
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_idle <= rst_ni && !busy_o && !start_en_i && !run_valid_i && free_i == '0;
    f_was_left <= left_q;
    f_was_done <= done_o;
    if (!f_started) assume (!rst_ni);
    assume ({{(32 - RB) {1'b0}}, f_row} <= SMS);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // A CTA goes to an SM with a free slot, and is in the grid.
      if (cta_valid_o) assert ({{(32 - SB) {1'b0}}, cta_sm_o} < SMS && free_i[cta_sm_o] && !start_en_i);
      if (takes_next) assert (f_in_grid({cta_z_o, cta_y_o, cta_x_o}));
      if (f_ours) assert (f_left && f_in_grid({cta_z_o, cta_y_o, cta_x_o}) && f_in({cta_z_o, cta_y_o, cta_x_o}, f_first, f_top));
      // An SM with a cluster of its own gets a CTA of that; the cluster that is spread is the only one that several SMs serve, but for
      // CTAs that are stolen.
      if (cta_valid_o && left_q[cta_sm_o]) assert (!takes_next && row == cta_sm_o);
      if (f_ours && {{(32 - RB) {1'b0}}, f_row} != SMS && STEAL == 0) assert (cta_sm_o == f_row);
      if (takes_next && whole_q != '0) assert (!left_q[cta_sm_o] && left_d[SMS] == left_q[SMS]);
      // While SMs with free slots have CTAs, or some cluster is to be begun, a CTA goes.
      if (!start_en_i && ((left_q[SMS-1:0] & free_i) != '0 || (front && free_i != '0))) assert (cta_valid_o);
      // The list's end.
      if (done_o) assert (!cta_valid_o && !run_ready_o);
      if (!cta_valid_o) assert ({cta_z_o, cta_y_o, cta_x_o} == 48'd0 && cta_sm_o == '0);
      // Invariants: sizes are not 0 in a launch, the next CTA lies in its cluster's box, which begins in the grid, and not behind the last.
      if (open_q || waits_q != 2'd0 || left_q != '0) assert (cls_q[15:0] != '0 && cls_q[31:16] != '0 && cls_q[47:32] != '0);
      assert (waits_q != 2'd2 && {{(32 - SB) {1'b0}}, turn_q} < SMS);
      if (f_left) assert (f_in_grid(f_first) && f_in(f_at, f_first, f_top) && f_in(f_last, f_first, f_top) && f_at <= f_last);
      // An idle tick changes nothing; a reset leaves no launch.
      if (f_was_idle && !f_was_reset) assert (left_q == f_was_left && done_o == f_was_done);
      if (f_was_reset) assert (done_o && !busy_o);
    end
  end

  if (SMS == 2) begin : f_launch
    (* anyconst *) logic [47:0] f_cta, f_mate;
    logic [47:0] f_grid, f_cls, f_walk, f_second, f_behind, f_run, f_skipped;
    logic [31:0] f_whole, f_clusters, f_of;  // clusters that came; the number of the one that has f_cta
    logic f_in_one, f_in_two, f_mate_in_one, f_mate_in_two, f_due, f_mate_due, f_gone, f_goes, f_mate_gone, f_end;
    logic [SB-1:0] f_sm, f_mate_sm;
    // The cluster after another one; the highest bit says that the walk is over.
    function automatic logic [47:0] f_after(input logic [47:0] at, input logic [47:0] cls, input logic [47:0] grid);
      f_after = at;
      f_after[15:0] = at[15:0] + cls[15:0];
      if (f_after[15:0] >= grid[15:0]) begin
        f_after[15:0] = '0;
        f_after[31:16] = at[31:16] + cls[31:16];
        if (f_after[31:16] >= grid[31:16]) begin
          f_after[31:16] = '0;
          f_after[47:32] = at[47:32] + cls[47:32];
          if (f_after[47:32] >= grid[47:32]) f_after[47] = 1'b1;
        end
      end
    endfunction
    // Whether the cluster at `at` has a CTA of the grid.
    function automatic logic f_has(input logic [47:0] at, input logic [47:0] cta, input logic [47:0] cls, input logic [47:0] grid);
      f_has = !at[47] && cta[15:0] >= at[15:0] && cta[15:0] < at[15:0] + cls[15:0] && cta[31:16] >= at[31:16] &&
              cta[31:16] < at[31:16] + cls[31:16] && cta[47:32] >= at[47:32] && cta[47:32] < at[47:32] + cls[47:32] &&
              cta[15:0] < grid[15:0] && cta[31:16] < grid[31:16] && cta[47:32] < grid[47:32];
    endfunction
    assign f_skipped = f_after(f_walk, f_cls, f_grid);
    assign f_run = {run_z_i, run_y_i, run_x_i};
    assign f_second = f_after(f_run, f_cls, f_grid);
    assign f_behind = run_count_i == 32'd2 && !f_second[47] ? f_after(f_second, f_cls, f_grid) : f_second;
    assign f_in_one = f_has(f_run, f_cta, f_cls, f_grid);
    assign f_in_two = run_count_i == 32'd2 && f_has(f_second, f_cta, f_cls, f_grid);
    assign f_mate_in_one = f_has(f_run, f_mate, f_cls, f_grid);
    assign f_mate_in_two = run_count_i == 32'd2 && f_has(f_second, f_mate, f_cls, f_grid);
    assign f_goes = cta_valid_o && {cta_z_o, cta_y_o, cta_x_o} == f_cta;
    always @(posedge clk_i) begin
      if (start_en_i || !rst_ni) begin
        f_grid <= {grid_z_i, grid_y_i, grid_x_i};
        f_cls <= {cls_z_i, cls_y_i, cls_x_i};
        f_whole <= whole_i;
        {f_walk, f_clusters, f_end, f_due, f_mate_due, f_gone, f_mate_gone} <= '0;
      end else begin
        if (push) begin
          f_walk <= f_behind;
          f_clusters <= f_clusters + (f_behind == f_second ? 32'd1 : 32'd2);
          f_end <= run_last_i;
          if (f_in_one || f_in_two) begin
            f_due <= 1'b1;
            f_mate_due <= f_in_one ? f_mate_in_one : f_mate_in_two;
            f_of <= f_clusters + {31'd0, f_in_two};
          end
        end
        if (f_goes) {f_gone, f_sm} <= {1'b1, cta_sm_o};
        if (cta_valid_o && {cta_z_o, cta_y_o, cta_x_o} == f_mate) {f_mate_gone, f_mate_sm} <= {1'b1, cta_sm_o};
      end
      // The environment: small grids, clusters of the walk in its order.
      assume (grid_x_i <= 16'd3 && grid_y_i <= 16'd3 && grid_z_i <= 16'd3 && cls_x_i <= 16'd3 && cls_y_i <= 16'd3 && cls_z_i <= 16'd3);
      assume (grid_x_i != '0 && grid_y_i != '0 && grid_z_i != '0 && cls_x_i != '0 && cls_y_i != '0 && cls_z_i != '0);
      if (push) assume ((run_count_i == 32'd1 || run_count_i == 32'd2) && !f_run[47] && (f_run == f_walk || f_run == f_skipped));
      if (start_en_i) assume (done_o);
      if (f_started) assume (rst_ni);
    end
    always @(posedge clk_i) begin
      if (f_started && !f_was_reset) begin
        // A CTA of the list goes, and only once; when the launch is done, it has gone.
        if (f_goes) assert (f_due && !f_gone);
        if (done_o && f_end && !start_en_i) assert (f_gone == f_due);
        // Two CTAs of a cluster that is not spread go to one SM.
        if (STEAL == 0 && f_due && f_mate_due && f_of < f_whole && f_gone && f_mate_gone) assert (f_sm == f_mate_sm);

        cover (done_o && f_end && f_gone && f_clusters == 32'd3);
        cover (f_due && f_mate_due && f_of >= f_whole && f_gone && f_mate_gone && f_sm != f_mate_sm);
        cover (f_due && f_mate_due && f_of < f_whole && f_gone && f_mate_gone && f_cta != f_mate);
        cover (f_goes && f_in(f_cta, 48'h000000010001, 48'h000100010001));
        if (STEAL != 0) cover (steals && f_goes);
      end
    end
  end
