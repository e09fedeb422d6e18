"""The mistakes that students make with objectives: each a few lines of wrong code, a sentence and a hint."""
