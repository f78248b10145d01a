#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs_block.sh BUILD_DIR: the files of the tutorial "your block" are a block: in a copy of the tree the generators accept the manifest row, C
# compiles, lint finds nothing, registers agree with the netlist, the properties are proved, and lockstep finds no difference.
. tests/kit/shell.sh
tutorial=$root/docs/tutorials/your-block.md
block=credit_counter
cd "$work"
cp -r "$root/configs" "$root/csim" "$root/dpi" "$root/rtl" "$root/scripts" "$root/testbench" .
mkdir tests && cp -r "$root/tests/kit" tests # scripts/lint uses it
# a block "LANGUAGE FILE" of the page is the file; the manifest row is appended
awk '/^```[a-z]+ [^ ]+$/ { file = $2; next } /^```/ { if (file) close(file); file = ""; next } file { print >>file }' "$tutorial"
python=/usr/bin/python3
[ -x $python ] || python=python3
$python scripts/gen/blocks.py configs/blocks.yaml generated >/dev/null
$python scripts/gen/plant.py $block --all -o generated/${block}_bugs.v
for file in csim/blocks/prim/$block.c testbench/prim/${block}_drive.c generated/${block}_desc.c; do
  gcc -std=gnu11 -Wall -Wextra -Werror -O1 -fPIC -Icsim -Igenerated -c "$file" -o "$(basename "$file" .c).o"
done
export TANDEM_BUILD=$build
bash scripts/lint rtl $block
bash scripts/prove --state $block
bash scripts/prove $block | grep -c proved

# C model against Verilog, without the simulator around them: random inputs from the driver, every output, every cycle (Icarus)
cat >bench.c <<'C'
#include "block/block_drive.h"
#include "credit_counter_ports.h"
#include <stdio.h>
#include <stdlib.h>
extern const struct block_driver credit_counter_driver;
int main(void) {
  struct credit_counter_cfg cfg = {.N = 4};
  struct credit_counter_in in = {0};
  struct credit_counter_out out = {0};
  struct rng rng;
  rng_seed(&rng, 1);
  void *state = calloc(1, credit_counter_model.state_bytes), *drive = calloc(1, credit_counter_driver.state_bytes);
  credit_counter_model.reset(&cfg, state);
  for (int i = 0; i < 2000; i++) {
    credit_counter_driver.drive(&cfg, &rng, drive, &out, &in);
    credit_counter_model.eval(&cfg, state, &in, &out);
    printf("%d%d%d\n", in.take, in.give, out.ready);
    credit_counter_model.tick(&cfg, state, &in, &out);
  }
}
C
gcc -std=gnu11 -O1 -Icsim -Igenerated bench.c ./*.o csim/base/rng.c -o bench
./bench >vectors
cat >bench.v <<'V'
module bench;
  reg clk = 0, rst_n = 0;
  reg [2:0] vector [0:1999];
  reg [2:0] now = 0;
  wire ready, busy;
  integer i, errors = 0;
  credit_counter u_dut (.clk_i(clk), .rst_ni(rst_n), .take_i(now[2]), .give_i(now[1]), .ready_o(ready), .busy_o(busy));
  initial begin
    $readmemb("vectors", vector);
    #1 clk = 1; #1 clk = 0; rst_n = 1;
    for (i = 0; i < 2000; i = i + 1) begin
      now = vector[i]; #1 if (ready !== now[0] || busy !== 1'b0) errors = errors + 1;
      clk = 1; #1 clk = 0;
    end
    $display("%0d errors", errors);
  end
endmodule
V
compare() { iverilog -g2012 -o bench.vvp bench.v "$1" && vvp -n bench.vvp; }
[ "$(compare rtl/prim/$block.v)" = "0 errors" ] || { echo "C model and Verilog differ"; exit 1; }
sed 's/give \&\& !take/give/' rtl/prim/$block.v >wrong.v
[ "$(compare wrong.v)" != "0 errors" ] || { echo "a planted bug is not noticed"; exit 1; }
