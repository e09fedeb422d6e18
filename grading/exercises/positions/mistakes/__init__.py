"""The mistakes that students make with positions: each a few lines of wrong code, a sentence and a hint."""
