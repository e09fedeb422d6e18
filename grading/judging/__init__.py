"""From an exercise and a student's definition to a verdict: which checks hold, and which mistake it is."""
