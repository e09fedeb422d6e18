"""Files that are written atomically, folders that do not outlive a run, and where the project is."""
