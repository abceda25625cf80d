"""A play-by-email correspondence server. Importing this package loads nothing else."""
