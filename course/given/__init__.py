"""The code that is given around chapter 11: packed rows, hidden spans, and the parts of ELECTRA."""
