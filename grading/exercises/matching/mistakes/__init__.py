"""The mistakes that students make in matching: each a few lines of wrong code, a sentence and a hint."""
