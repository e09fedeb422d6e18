"""What runs in a student's own kernel: the check below an exercise, and `my_bert`, which keeps what has passed."""
