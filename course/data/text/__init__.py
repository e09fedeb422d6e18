"""From text to ids: a vocabulary is learned and kept, and texts are cut into its pieces."""
