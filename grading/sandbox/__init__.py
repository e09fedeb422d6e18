"""Where a submission runs: a process that cannot see, keep or break anything but its own.

`grading.sandbox.client.Sandbox` is what a grader holds. This package imports nothing by itself, so that the parts
which a notebook needs (`interpreter`, `values`, `errors`) also import where there are no Linux system calls.
"""
