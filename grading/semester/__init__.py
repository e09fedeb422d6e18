"""A semester: one course folder with its chapters, people, times and marks."""
