"""The students of the sample class: for each chapter a module of its name, which holds `STUDENTS`."""
