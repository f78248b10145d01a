// SPDX-License-Identifier: Apache-2.0
// Laws of teleport_ctrl that concern the parts together, from reset. A first message takes 11 cycles. What each part is given
// is proved by equality.
// prove: bmc=5 ROWS=2 STREAMS=2 WIDE=0
// prove-nightly: bmc=12 cover=11 ROWS=2 STREAMS=2 WIDE=0
// prove-nightly: bmc=12 cover=11 ROWS=2 STREAMS=2 WIDE=0 OVERLAP=1
// equal: ROWS=1 STREAMS=1 WIDE=0
// equal-nightly: ROWS=2 STREAMS=3 WIDE=1
// equal-nightly: ROWS=1 STREAMS=1 WIDE=0 OVERLAP=1

  logic f_started = 1'b0;
  logic f_on, f_waited, f_was_reset;
  logic [1:0] f_unit;  // rows in the range unit
  logic [15:0] f_lines;
  logic [63:0] f_addr;
  logic f_take;
  assign f_take = cta_valid_i && cta_ready_o;
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_waited <= rst_ni && line_valid_o && !line_ready_i;
    f_addr <= line_addr_o;
    if (!rst_ni) begin
      {f_on, f_unit} <= '0;
    end else begin
      f_on <= f_take || (f_on && !(msg_valid_o && msg_ready_i));
      f_unit <= f_unit + {1'b0, row_valid && row_ready} - {1'b0, row_end};
      f_lines <= f_take ? 16'd0 : f_lines + {15'd0, line_valid_o && line_ready_i};
    end
    if (!f_started) assume (!rst_ni);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // Lines come only for a CTA that was taken, and none once its message is offered.
      if (line_valid_o || row_last_o || msg_valid_o) assert (f_on);
      assert (!(line_valid_o && msg_valid_o) && !(row_last_o && msg_valid_o));
      // The message has the number of lines that were taken.
      if (msg_valid_o) assert (msg_total_o == f_lines && f_unit == 2'd0 && !range_busy);
      // The unit holds rows of the CTA, one or three at most.
      assert (range_busy == (f_unit != 2'd0));
      if (row_valid && row_ready) assert (f_unit < (OVERLAP != 0 ? 2'd3 : 2'd1) || row_end);
      // A line stays until it is taken.
      if (f_waited && !f_was_reset) assert (line_valid_o && line_addr_o == f_addr);
      // The next CTA is taken after the message.
      if (f_on) assert (!cta_ready_o);
      assert (walking_o == f_on);
      assert (busy_o == (f_on || f_unit != 2'd0));
      if (f_was_reset) assert (!busy_o && !walking_o);

      cover (msg_valid_o && f_lines == 16'd1);
      cover (msg_valid_o && f_lines == 16'd0 && f_unit == 2'd0);
      cover (f_waited && line_ready_i);
    end
  end
