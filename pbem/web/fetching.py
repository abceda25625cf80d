"""Fetching a small file over HTTPS: the one thing that the web asks of another server."""

from __future__ import annotations

import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from typing import Final

Fetch = Callable[[str], bytes]
"""The content at an address. Raises FetchError."""

_TIMEOUT: Final = 5.0
_MAX_BYTES: Final = 64 << 10


class FetchError(Exception):
    """It could not be fetched now."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """An address was checked; where it would lead on was not."""

    def redirect_request(self, *_: object, **__: object) -> None:
        """None: the answer that would lead on is an error."""


def fetch_https(url: str) -> bytes:
    """The content at an address that the caller has checked. Raises FetchError."""
    if not url.startswith("https://"):
        raise FetchError("not https")
    opener = urllib.request.build_opener(_NoRedirects)
    try:
        with opener.open(url, timeout=_TIMEOUT) as response:
            content: bytes = response.read(_MAX_BYTES + 1)
    except (OSError, HTTPException, ValueError) as error:
        raise FetchError(type(error).__name__) from None
    if len(content) > _MAX_BYTES:
        raise FetchError("too large")
    return content
