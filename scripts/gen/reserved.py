# SPDX-License-Identifier: Apache-2.0
"""Names that a port or register cannot have, because generated SystemVerilog or C would not be read. blocks.py and own.py ask."""

from marks import ManifestError

VERILOG = set("""accept_on alias always always_comb always_ff always_latch and assert assign assume automatic before begin bind bins
binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking cmos config const constraint context continue
cover covergroup coverpoint cross deassign default defparam design disable dist do edge else end endcase endchecker endclass endclocking
endconfig endfunction endgenerate endgroup endinterface endmodule endpackage endprimitive endprogram endproperty endspecify endsequence
endtable endtask enum event eventually expect export extends extern final first_match for force foreach forever fork forkjoin function
generate genvar global highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir include initial inout input
inside instance int integer interconnect interface intersect join join_any join_none large let liblist library local localparam logic
longint macromodule matches medium modport module nand negedge nettype new nexttime nmos nor noshowcancelled not notif0 notif1 null or
output package packed parameter pmos posedge primitive priority program property protected pull0 pull1 pulldown pullup
pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase randsequence rcmos real realtime ref reg reject_on release repeat restrict
return rnmos rpmos rtran rtranif0 rtranif1 s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal
showcancelled signed small soft solve specify specparam static string strong strong0 strong1 struct super supply0 supply1
sync_accept_on sync_reject_on table tagged task this throughout time timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand
trior trireg type typedef union unique unique0 unsigned until until_with untyped use uwire var vectored virtual void wait wait_order wand
weak weak0 weak1 while wildcard wire with within wor xnor xor""".split())

C = set("""asm auto bool break case catch char class const const_cast continue default delete do double dynamic_cast else enum explicit
export extern false float for friend goto if inline int long mutable namespace new operator private protected public register
reinterpret_cast restrict return short signed sizeof static static_cast struct switch template this throw true try typedef typeid typename
typeof union unsigned using virtual void volatile wchar_t while xor and or not""".split())

# of the sockets and replay shells of emit_sv.py, which declare a wire for each output
GENERATED = set("""clk smp lat WI WO WR WP id in_q late_q out_v shown drive drive_late pack_outputs sample probe regs t dut c_model
tandem_open tandem_in tandem_want tandem_direct t_word t_row t_digest t_file t_n t_cycles t_got t_r t_k t_name rows""".split())


def check(block):
    """ManifestError at the first port or register of the block whose name is taken."""
    for field in block.inputs + block.outputs + block.regs:
        name = field.name
        taken = ("a word of SystemVerilog" if name in VERILOG else "a word of C or C++" if name in C
                 else "the name of a parameter, too" if name in block.params
                 else "a name that generated code uses" if name in GENERATED and field in block.outputs
                 else "the row of valid_when" if name == "row" and field in block.regs else "")
        if taken:
            raise ManifestError(f"{field.where}: '{name}' is {taken}; choose another name (the RTL's own spelling goes into rtl:)")
