"""The mistakes that students make with decoders: each a few lines of wrong code, a sentence and a hint."""
