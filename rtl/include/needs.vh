// SPDX-License-Identifier: Apache-2.0
//
// Parameter check: `NEEDS(N >= 1, rr_arb_needs_n_at_least_1) in a module stops the elaboration unless the condition holds. It
// instantiates a module that does not exist, so that Verilator, Icarus and Yosys all print the sentence; no sentence may
// contain a double underscore (Verilator 5.006 reports it even where the condition holds).
//
// A file that includes this ends with `undef NEEDS: Icarus 11 crashes if a macro with arguments is defined when it looks for
// a module in a library folder.
`define NEEDS(condition, sentence) if (!(condition)) begin : sentence sentence u_check (); end
