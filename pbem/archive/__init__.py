"""What can be known from records alone: pure, between the use cases and the games."""
