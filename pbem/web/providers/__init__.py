"""Providers of mail over HTTP, one module each: how their requests are checked and read."""
