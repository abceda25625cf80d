"""Every text for players is there in every language, with the same facts in it."""

from __future__ import annotations

from collections.abc import Sequence
from string import Formatter

import pytest

from pbem.catalogues import LOCALE_DIR, get_tongue, languages
from pbem.mail.languages import SENTINELS
from pbem.play.players import LANGUAGES
from pbem.tongue import ENGLISH
from tests.locale.extraction import collect_texts, entries, first_form

OTHERS = [language for language in LANGUAGES if language != ENGLISH.language]
SAME = {
    "nl": {
        "API",
        "Arena",
        "Arena: {arena}.",
        "Charge",
        "Dossier",
        "Handicap",
        "Knock-out",
        "Ladder",
        "Mails",
        "R{round}",
        "Team",
        "Teams",
        "Rating",
        "Ratings",
        "Studies",
        "Water",
        "Wind",
        "water",
        "arena {arena}",
        "wind",
    }
}
"""Texts that are the same in English and in that language."""


def forms(text: str | Sequence[str] | None) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text or ("",))


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def words(text: str) -> str:
    """What is left of a text without its facts: letters only."""
    literals = "".join(literal for literal, _, _, _ in Formatter().parse(text))
    return "".join(filter(str.isalpha, literals))


def test_a_player_can_choose_just_the_languages_that_there_are() -> None:
    assert set(languages()) == set(LANGUAGES) == set(SENTINELS)
    assert languages()[0] == ENGLISH.language


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_is_translated(language: str) -> None:
    known = {
        form
        for _, message in entries(language)
        if not message.fuzzy and all(forms(message.string))
        for form in forms(message.id)
    }
    missing = sorted(
        {
            f"{text.place}: {form}"
            for text in collect_texts()
            for form in text.forms
            if form not in known
        }
    )
    assert not missing, "\n".join([f"{len(missing)} texts are missing:", *missing])


@pytest.mark.parametrize("language", OTHERS)
def test_a_text_that_counts_is_translated_as_one(language: str) -> None:
    pairs = {message.id for _, message in entries(language) if not isinstance(message.id, str)}
    counting = {text.id for text in collect_texts() if not isinstance(text.id, str)}
    assert counting <= pairs


@pytest.mark.parametrize("language", OTHERS)
def test_no_translation_is_left_over(language: str) -> None:
    said = {form for text in collect_texts() for form in text.forms}
    left_over = [f"{name}: {m.id}" for name, m in entries(language) if not said & set(forms(m.id))]
    assert left_over == []


@pytest.mark.parametrize("language", OTHERS)
def test_translations_have_the_same_facts(language: str) -> None:
    for name, message in entries(language):
        originals, translations = forms(message.id), forms(message.string)
        wanted = set().union(*map(fields, originals))
        for translation in translations:
            # A singular may say *one* instead of the number.
            missing = wanted - fields(translation) - ({"count"} if len(originals) > 1 else set())
            assert not missing, (name, message.id)
            assert fields(translation) <= wanted, (name, message.id)
            if not wanted:
                assert "{" not in translation, (name, message.id)


@pytest.mark.parametrize("language", OTHERS)
def test_no_text_stays_english_by_accident(language: str) -> None:
    same = [
        f"{name}: {message.id}"
        for name, message in entries(language)
        if forms(message.id)[0] == forms(message.string)[0]
        and words(forms(message.id)[0])
        and forms(message.id)[0] not in SAME[language]
    ]
    assert same == []


@pytest.mark.parametrize("language", OTHERS)
def test_catalogues_agree_on_what_they_share(language: str) -> None:
    found: dict[str, tuple[str, ...]] = {}
    for _, message in entries(language):
        said = forms(message.string)
        assert found.setdefault(first_form(message), said) == said


@pytest.mark.parametrize("language", OTHERS)
def test_spaces_and_line_ends_at_both_ends_are_kept(language: str) -> None:
    for _, message in entries(language):
        for original, translation in zip(forms(message.id), forms(message.string), strict=False):
            assert original[:1].isspace() == translation[:1].isspace(), message.id
            assert original[-1:].isspace() == translation[-1:].isspace(), message.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_line_above_which_to_reply_is_the_one_that_is_looked_for(language: str) -> None:
    assert get_tongue(language).say(SENTINELS["en"]) == SENTINELS[language]


def test_a_language_that_we_do_not_have_is_english() -> None:
    for unknown in ("de", "", "../nl", "nlx", "en", "en-GB"):
        assert get_tongue(unknown) is ENGLISH
    assert get_tongue("nl-BE") is get_tongue("nl_NL") is get_tongue("NL") is get_tongue("nl")
    assert get_tongue("nl").language == "nl"


def test_dutch_says_what_its_catalogues_have_and_english_what_they_have_not() -> None:
    dutch = get_tongue("nl")
    assert dutch.say("Gold") == "Goud"
    assert dutch.say("{warrior} on {hex}", warrior="Vuur 2", hex="G4") == "Vuur 2 op G4"
    assert dutch.say("No catalogue has {this}.", this="it") == "No catalogue has it."
    texts = "{house} holds one Well.", "{house} holds {count} Wells."
    assert dutch.count(*texts, 1, house="Goud") == "Goud bezet één Bron."
    assert dutch.count(*texts, 0, house="Goud") == "Goud bezet 0 Bronnen."
    assert dutch.count(*texts, 3, house="Goud") == "Goud bezet 3 Bronnen."
    assert dutch.count("{count} x", "{count} xs", 2) == "2 xs"


def test_catalogues_are_there_when_the_program_is_installed() -> None:
    assert LOCALE_DIR.joinpath("nl", "ortus.po").is_file()
