"""The code that runs in a student's kernel: the check below an exercise, and `my_bert`, which keeps passed code."""
