"""A class of twenty, as real students leave their notebooks: to try the grader on, and to hold it to its word."""
