"""What can be played. ``base`` is the seam every game fills; ``registry`` names the games."""
