# SPDX-License-Identifier: Apache-2.0
"""A cocotb test for any block of the manifest: the RTL gets the inputs that `tandem drive` prints, and must have the outputs of the C model.

Environment: TANDEM_MANIFEST (configs/blocks.yaml), TANDEM_BLOCK, TANDEM_CSV (what `tandem drive BLOCK FILE` printed)."""
import csv
import os

import cocotb
import yaml
from cocotb.triggers import Timer


def ports(direction):
    """Names of the block's ports: the RTL's are NAME_i and NAME_o."""
    with open(os.environ["TANDEM_MANIFEST"], encoding="utf-8") as file:
        block = yaml.safe_load(file)[os.environ["TANDEM_BLOCK"]]
    return [port[0] for port in block["ports"] if port[1] == direction]


async def tick(dut):
    """A clock edge, if the block is no combinational cell."""
    if hasattr(dut, "clk_i"):
        dut.clk_i.value = 1
        await Timer(1, "ns")
        dut.clk_i.value = 0
    await Timer(1, "ns")


async def drive(dut, rst_n, values):
    """The inputs of a cycle; afterwards the outputs have settled."""
    if hasattr(dut, "rst_ni"):
        dut.rst_ni.value = rst_n
    for name, value in values.items():
        getattr(dut, f"{name}_i").value = value
    await Timer(1, "ns")


@cocotb.test()
async def follows_the_model(dut):
    """Every output of every cycle is the C model's."""
    inputs, outputs = ports("in"), ports("out")
    if hasattr(dut, "clk_i"):
        dut.clk_i.value = 0
    for _ in range(2):  # as tandem drive does before the first cycle
        await drive(dut, 0, {name: 0 for name in inputs})
        await tick(dut)
    with open(os.environ["TANDEM_CSV"], encoding="utf-8") as file:
        for row in csv.DictReader(file):
            await drive(dut, int(row["rst_n"]), {name: int(row[name], 0) for name in inputs})
            for name in outputs:
                if row[name] == "-":  # it does not count in this cycle
                    continue
                got, wanted = int(getattr(dut, f"{name}_o").value), int(row[name], 0)
                assert got == wanted, f"cycle {row['cycle']} port {name}: expected {wanted}, got {got}"
            await tick(dut)
