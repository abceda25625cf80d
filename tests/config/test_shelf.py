"""Things that are kept a while."""

from __future__ import annotations

from pbem.shelf import Shelf


def kept(shelf: Shelf[str, str], names: str) -> str:
    return "".join(name for name in names if shelf.find(name) is not None)


def test_what_was_not_asked_for_longest_has_to_go() -> None:
    shelf: Shelf[str, str] = Shelf(6, len)
    for name in "abc":
        shelf.keep(name, name * 2)
    assert shelf.find("a") == "aa"
    shelf.keep("d", "dd")
    assert kept(shelf, "abcd") == "acd"


def test_the_weight_counts_and_not_the_number() -> None:
    shelf: Shelf[str, str] = Shelf(6, len)
    for name in "abcdef":
        shelf.keep(name, name)
    shelf.keep("g", "gggg")
    assert kept(shelf, "abcdefg") == "efg"
    shelf.keep("h", "h" * 7)
    assert kept(shelf, "abcdefgh") == "efg", "what does not fit drives nothing away"


def test_another_thing_in_its_place() -> None:
    shelf: Shelf[str, str] = Shelf(6, len)
    for length in (5, 1, 3):
        shelf.keep("a", "a" * length)
    shelf.keep("b", "bbb")
    assert (shelf.find("a"), shelf.find("b")) == ("aaa", "bbb")
    shelf.clear()
    assert kept(shelf, "ab") == ""
    shelf.keep("c", "c" * 6)
    assert kept(shelf, "c") == "c"
