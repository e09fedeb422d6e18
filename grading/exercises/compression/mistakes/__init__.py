"""The mistakes that students make in small models: each a few lines of wrong code, a sentence and a hint."""
