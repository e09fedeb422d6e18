"""The pages of a graded class and the tables in the terminal."""
