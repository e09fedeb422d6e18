"""The commands of `python -m grading`, one per file. Each only reads its arguments and reports the outcome.

A command imports what it needs when it runs, so `--help` answers at once and no command loads another's dependencies.
"""
