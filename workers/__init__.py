"""Background work: reading, sending and sweeping mail, as tasks that carry ids only."""
