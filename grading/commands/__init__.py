"""The commands of `python -m grading`, one a file. Each only reads its arguments and says what came of it.

What a command needs is imported when it runs: so each answers at once, and none waits for what another one needs.
"""
