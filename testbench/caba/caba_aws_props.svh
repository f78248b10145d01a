// SPDX-License-Identifier: Apache-2.0
// Laws of caba_aws, inside the module. They follow one word and one routine, any, from the ports that load them to those that read them.
// prove: bmc=3 induct=2 cover=7 WORDS=4 ROUTINES=2
// prove: bmc=2 induct=2 WORDS=8 ROUTINES=3
// prove-nightly: bmc=2 induct=2 WORDS=64 ROUTINES=8
// equal: WORDS=8 ROUTINES=3
// equal-nightly: WORDS=16 ROUTINES=1
// equal-nightly: WORDS=512 ROUTINES=32

  (* anyconst *) logic [AB-1:0] f_at;
  (* anyconst *) logic [RB-1:0] f_sr;
  logic f_started = 1'b0;
  logic f_was_reset, f_was_idle;
  // The word and the routine.
  logic f_loaded, f_there;
  logic [63:0] f_word;
  logic [AB-1:0] f_base;
  logic [7:0] f_len;
  // The read of the cycle before: words that the routine still had, and whether the word was its first or second.
  logic f_read, f_is_first, f_is_second;
  logic [7:0] f_left;
  logic [63:0] f_expected;
  logic [31:0] f_first, f_second;
  logic [HALF-1:0] f_even_there, f_odd_there;
  logic [ROUTINES-1:0] f_routines;
  assign f_first = ({{(32 - AB) {1'b0}}, f_base} + {24'd0, rd_inst_i}) % WORDS;
  assign f_second = (f_first + 32'd1) % WORDS;
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_idle <= rst_ni && !clear_en_i && !ld_en_i && !dir_en_i && !rd_en_i;
    f_even_there <= even_there_q;
    f_odd_there <= odd_there_q;
    f_routines <= there_q;
    f_loaded <= rst_ni && ((ld_en_i && ld_at_i == f_at) || (f_loaded && !clear_en_i));
    if (ld_en_i && ld_at_i == f_at) f_word <= ld_word_i;
    f_there <= rst_ni && (dir_en_i && dir_sr_i == f_sr ? dir_len_i != 8'd0 : f_there && !clear_en_i);
    if (dir_en_i && dir_sr_i == f_sr) {f_base, f_len} <= {dir_base_i, dir_len_i};
    f_read <= rst_ni && rd_en_i && rd_sr_i == f_sr;
    f_left <= f_there && f_len > rd_inst_i ? f_len - rd_inst_i : 8'd0;
    f_is_first <= f_first == {{(32 - AB) {1'b0}}, f_at};
    f_is_second <= f_second == {{(32 - AB) {1'b0}}, f_at};
    f_expected <= f_loaded ? f_word : 64'd0;
    if (!f_started) assume (!rst_ni);
    assume ({{(32 - RB) {1'b0}}, f_sr} < ROUTINES);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // What was loaded is kept.
      assert ((f_at[0] ? odd_there_q[f_at[AB-1:1]] : even_there_q[f_at[AB-1:1]]) == f_loaded && there_q[f_sr] == f_there);
      if (f_loaded) assert ((f_at[0] ? odd_q[f_at[AB-1:1]] : even_q[f_at[AB-1:1]]) == f_word);
      if (f_there) assert (base_q[f_sr] == f_base && len_q[f_sr] == f_len && f_len != 8'd0);
      // A read gives as many words as the routine has left, two at most, and says when its last word is one of them.
      if (f_read) assert (n_o == (f_left > 8'd2 ? 2'd2 : f_left[1:0]) && last_o == (f_left == 8'd1 || f_left == 8'd2));
      // They are the words at the routine's place and behind it, as they were loaded last; 0 where nothing was loaded.
      if (f_read && f_left != 8'd0 && f_is_first) assert (word0_o == f_expected);
      if (f_read && f_left > 8'd1 && f_is_second) assert (word1_o == f_expected);
      // Outputs without a word are 0, and a cycle without a read gives none.
      assert (n_o != 2'd3 && (n_o != 2'd0 || (word0_o == '0 && !last_o)) && (n_o == 2'd2 || word1_o == '0));
      assert (busy_o == (n_o != 2'd0) && (one_q || !two_q));
      if (f_was_idle || f_was_reset) assert (!busy_o && !last_o);
      // An idle tick changes nothing that was loaded; a reset leaves nothing.
      if (f_was_idle && !f_was_reset)
        assert (even_there_q == f_even_there && odd_there_q == f_odd_there && there_q == f_routines);
      if (f_was_reset) assert (there_q == '0 && even_there_q == '0 && odd_there_q == '0);

      cover (f_read && n_o == 2'd2 && f_is_second && f_loaded && word1_o == '1 && last_o);
      cover (f_read && n_o == 2'd1 && f_is_first && word0_o == 64'd5);
      cover (f_read && n_o == 2'd0 && f_there);
      cover (f_read && n_o == 2'd2 && f_at == '0 && f_is_second && !last_o);
    end
  end
