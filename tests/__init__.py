"""A package, and not just a folder: the library ``glicko2`` brings a package ``tests`` along, which
processes that the tests start would find instead."""
