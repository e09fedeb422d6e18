"""What people look at: the card below a check, each student's feedback page, and the page of the class."""
