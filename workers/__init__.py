"""The place of background work, which carries ids only; there is none before there is mail."""
