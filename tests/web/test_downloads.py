"""Records to take along: one game, or all that a search finds."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random
from zipfile import ZipFile

import pytest
from click.testing import CliRunner

from pbem.cli.proofs import verify
from pbem.play import annotating
from pbem.play.archiving import archive_finished
from pbem.play.library import search
from pbem.play.log import parse_log
from pbem.play.verification import replay_log
from pbem.web import downloads, limits
from pbem.web.download_places import PATIENCE, SLOWEST, Places
from tests.archive.annotated import ANNOTATED, SOUND
from tests.archive.files import in_one
from tests.play.club import at
from tests.play.shelf import new_game, shelve
from tests.play.test_whole_games import play_out
from tests.web.club_site import ClubSite


def test_one_game(club_site: ClubSite) -> None:
    [number] = shelve(club_site.around, new_game("one", record="the record\n"))
    page = club_site.visitor().get(f"/archive/{number}.ogn")
    assert (page.status_code, page.text) == (200, "the record\n")
    assert page.headers["Content-Disposition"] == f'attachment; filename="{number}.ogn"'
    assert page.headers["Content-Type"].startswith("text/plain")
    assert club_site.visitor().get(f"/archive/{number + 1}.ogn").status_code == 404


def test_the_log_of_a_game_that_was_played_here(club_site: ClubSite) -> None:
    ann, ben = club_site.club.join("Ann"), club_site.club.join("Ben")
    for visibility in ("open", "private"):
        match = club_site.club.start(gold=ann, black=ben, visibility=visibility)
        match.send("gold", "resign", 1)
    archive_finished(club_site.around, {}, now=at(2))
    visitor, player = club_site.visitor(), club_site.browser(ann)
    found = search(club_site.around, viewer=ann.id).games
    assert {game.visibility for game in found} == {"open", "private"}
    for game in found:
        path = f"/archive/{game.number}.log"
        course, _ = replay_log(*parse_log(player.get(path).text.splitlines()))
        assert course.start.game_id == game.game_id
        assert f'href="{path}"' in player.get(f"/archive/{game.number}").text
        assert visitor.get(path).status_code == (200 if game.visibility == "open" else 404)
    [imported] = shelve(club_site.around, new_game("other", record=ANNOTATED))
    assert player.get(f"/archive/{imported}.log").status_code == 404
    assert ".log" not in player.get(f"/archive/{imported}").text


def test_all_that_a_search_finds(club_site: ClubSite) -> None:
    records = [f"game {number}\n" for number in range(5)]
    shelve(
        club_site.around,
        *(
            new_game(text, record=text, gold="Zoë" if number % 2 else "Ann", event="Winter Cup")
            for number, text in enumerate(records)
        ),
        new_game("other", record="other\n"),
    )
    visitor = club_site.visitor()
    assert visitor.get("/archive/games.ogn").text == in_one(*records, "other\n")
    assert visitor.get("/archive/games.ogn?player=zoë").text == in_one(*records[1::2])
    assert visitor.get("/archive/games.ogn?event=winter+cup").text == in_one(*records)
    assert visitor.get("/archive/games.ogn?player=nobody").text == ""
    zipped = visitor.get("/archive/games.zip?event=winter+cup")
    assert zipped.headers["Content-Type"] == "application/zip"
    with ZipFile(io.BytesIO(zipped.data)) as archive:
        assert archive.read("games-0001.ogn").decode() == in_one(*records)
        assert archive.read("index.csv").decode().count("\n") == 6
    assert visitor.get("/archive/games.zip?level=nonsense").status_code == 400


def test_private_games_are_their_players(club_site: ClubSite) -> None:
    ann, ben = club_site.club.join("Ann"), club_site.club.join("Ben")
    secret = new_game("x", record="secret\n", visibility="private", players=(ann.id, ben.id))
    [number] = shelve(club_site.around, secret)
    for browser, text in ((club_site.browser(ann), "secret\n"), (club_site.visitor(), "")):
        assert browser.get("/archive/games.ogn").text == text
        page = browser.get(f"/archive/{number}.ogn")
        assert page.status_code == (200 if text else 404)


def test_only_a_few_at_once(club_site: ClubSite) -> None:
    shelve(club_site.around, new_game("one", record="the record\n"))
    visitor = club_site.visitor()
    taken = [downloads._places.find(f"{each}") for each in range(downloads.MOST_AT_ONCE)]
    assert visitor.get("/archive/games.zip").status_code == 503
    for place in taken:
        assert place is not None
        place.close()
    for _ in range(downloads.MOST_AT_ONCE + 1):
        page = visitor.get("/archive/games.zip")
        assert page.status_code == 200
        page.close()


class TestPlaces:
    def test_who_takes_nothing_loses_the_place_to_who_wants_it(self) -> None:
        now = [0.0]
        places = Places(1, clock=lambda: now[0])
        idle = places.find("idle")
        assert idle is not None
        assert places.find("other") is None
        now[0] = PATIENCE + 1
        other = places.find("other")
        assert other is not None
        assert not idle.note(1)
        idle.close()
        assert other.note(1), "whoever lost a place gives back none"

    def test_who_takes_a_little_now_and_then_does_too(self) -> None:
        now = [0.0]
        places = Places(1, clock=lambda: now[0])
        slow = places.find("slow")
        assert slow is not None
        for _ in range(10):
            now[0] += PATIENCE / 2
            assert slow.note(SLOWEST), "nobody else wants it"
        assert places.find("other") is not None
        assert not slow.note(SLOWEST)

    def test_who_reads_on_keeps_it(self) -> None:
        now = [0.0]
        places = Places(1, clock=lambda: now[0])
        steady = places.find("steady")
        assert steady is not None
        for _ in range(100):
            now[0] += PATIENCE / 2
            assert steady.note(int(SLOWEST * PATIENCE))
            assert places.find("other") is None

    def test_who_has_several_keeps_one_when_others_come(self) -> None:
        """Else one visitor could keep everybody from taking games along."""
        places = Places(2)
        first, second = places.find("greedy"), places.find("greedy")
        assert first is not None
        assert second is not None
        assert places.find("greedy") is None
        other = places.find("other")
        assert other is not None
        assert not first.note(1)
        assert second.note(1)
        assert other.note(1)
        for who in ("greedy", "other", "third"):
            assert places.find(who) is None

    def test_a_download_that_lost_its_place_ends(self) -> None:
        places = Places(1)
        place = places.find("one")
        assert place is not None
        blocks = downloads._in_blocks(iter([b"x" * (1 << 16)] * 9), place)
        next(blocks)
        place.close()
        with pytest.raises(ConnectionResetError):
            next(blocks)


def test_remarks_come_along_if_they_are_asked_for(club_site: ClubSite) -> None:
    numbers = shelve(
        club_site.around,
        *(new_game(str(number), record=SOUND, gold=f"G{number}") for number in range(2)),
    )
    ann = club_site.club.join("Ann")
    text = "1g. {Well begun.}"
    annotating.take_text(club_site.around, ann.id, numbers[0], text, now=at(1))
    visitor = club_site.visitor()
    assert visitor.get("/archive/games.ogn").text == in_one(SOUND, SOUND)
    with_remarks = visitor.get("/archive/games.ogn?remarks=1").text
    assert with_remarks.endswith(f"\n{SOUND}"), "of the other game nobody has said anything"
    assert with_remarks.count("[%by Ann] Well begun.") == 1
    with ZipFile(io.BytesIO(visitor.get("/archive/games.zip?remarks=1").data)) as archive:
        assert archive.read("games-0001.ogn").decode() == with_remarks
    assert "remarks=1" in visitor.get("/archive").text


def test_what_was_played_is_proven_from_the_annotated_record_too(
    club_site: ClubSite, tmp_path: Path
) -> None:
    ann, ben = club_site.club.join("Ann"), club_site.club.join("Ben")
    match = club_site.club.start(gold=ann, black=ben)
    play_out(match, Random(3), most=20)
    archive_finished(club_site.around, {}, now=at(1000))
    [game] = search(club_site.around, viewer=None).games
    annotating.take_text(club_site.around, ann.id, game.number, "1g. ! {Hm.}", now=at(1001))
    visitor = club_site.visitor()
    record = visitor.get(f"/archive/{game.number}/annotated.ogn").text
    assert "[%by Ann] Hm." in record
    (tmp_path / "game.ogn").write_text(record)
    (tmp_path / "game.log").write_text(visitor.get(f"/archive/{game.number}.log").text)
    (tmp_path / "games.zip").write_bytes(visitor.get("/archive/games.zip?remarks=1").data)
    for files in (["game.ogn", "game.log"], ["games.zip"]):
        done = CliRunner().invoke(verify, [str(tmp_path / name) for name in files])
        assert done.exit_code == 0, done.output
        assert "1 record as the log says" in done.output


def test_whoever_asks_too_often_waits(club_site: ClubSite) -> None:
    visitor = club_site.visitor()
    most = int(limits.FILES.split()[0])
    answers = [visitor.get("/archive/games.ogn").status_code for _ in range(most + 1)]
    assert answers == [200] * most + [429]
    assert visitor.get("/archive").status_code == 200
