#!/usr/bin/env python3
"""cvc5, as its Python package has it, on an SMT-LIB file: prints the answers. For `proofs.py --solver`."""
import sys

import cvc5

solver = cvc5.Solver()
solver.setOption("tlimit-per", "10000")
parser = cvc5.InputParser(solver)
parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.argv[1])
symbols = parser.getSymbolManager()
while not (command := parser.nextCommand()).isNull():
    print(command.invoke(solver, symbols), end="")
