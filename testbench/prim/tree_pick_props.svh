// SPDX-License-Identifier: Apache-2.0
// Laws of tree_pick, inside the module, for lose_i as the caller must set it. One step proves a combinational cell.
// prove: bmc=1 W=8 FIRST=0 LEVELS=3
// prove: bmc=1 cover=1 W=16 FIRST=2 LEVELS=2
// prove: bmc=1 cover=1 W=8 FIRST=0 LEVELS=1
// equal: W=8 FIRST=0 LEVELS=3
// equal: W=64 FIRST=3 LEVELS=3
// equal: W=16 FIRST=1 LEVELS=2
// equal: W=2 FIRST=0 LEVELS=1

  // The caller's contract: of two groups that meet, lose_i names exactly one, in all of its places.
  for (genvar b = 0; b < LEVELS; b++) begin : f_g_level
    for (genvar p = 0; p < W; p++) begin : f_g_place
      always_comb begin
        assume (lose_i[b*W+p] != lose_i[b*W+(p^(1<<(FIRST+b)))]);
        assume (lose_i[b*W+p] == lose_i[b*W+(p&~(((1<<b)-1)<<FIRST))]);
      end
    end
  end

  // The tournament of one arbitrary place: its candidates and its winners.
  (* anyconst *) logic [5:0] f_at;
  logic [W-1:0] f_players, f_asks, f_wins;
  for (genvar p = 0; p < W; p++) begin : f_g_player
    assign f_players[p] = ((p ^ f_at) & ~(((1 << LEVELS) - 1) << FIRST)) == 0;
  end
  assign f_asks = ask_i & f_players;
  assign f_wins = pick_o & f_players;
  always_comb begin
    assume (f_at < W);
    // Winners are candidates; each tournament with a candidate has exactly one.
    assert ((pick_o & ~ask_i) == '0);
    assert ((f_wins & (f_wins - 1'b1)) == '0);
    assert ((f_wins != '0) == (f_asks != '0));
    assert (any_o[f_at] == (f_asks != '0));
    cover (f_asks == f_players && f_wins[f_at] && ask_i != f_asks);
    cover (f_asks == '0 && ask_i != '0);
  end
