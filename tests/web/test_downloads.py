"""Records to take along: one game, or all that a search finds."""

from __future__ import annotations

import io
from zipfile import ZipFile

from pbem.play.archiving import archive_finished
from pbem.play.library import search
from pbem.play.log import parse_log
from pbem.play.verification import replay_log
from pbem.web import downloads, limits
from tests.archive.annotated import ANNOTATED
from tests.archive.files import in_one
from tests.play.club import at
from tests.play.shelf import new_game, shelve
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
    for _ in range(downloads.MOST_AT_ONCE):
        assert downloads._places.acquire(blocking=False)
    assert visitor.get("/archive/games.zip").status_code == 503
    for _ in range(downloads.MOST_AT_ONCE):
        downloads._places.release()
    for _ in range(downloads.MOST_AT_ONCE + 1):
        page = visitor.get("/archive/games.zip")
        assert page.status_code == 200
        page.close()


def test_whoever_asks_too_often_waits(club_site: ClubSite) -> None:
    visitor = club_site.visitor()
    most = int(limits.FILES.split()[0])
    answers = [visitor.get("/archive/games.ogn").status_code for _ in range(most + 1)]
    assert answers == [200] * most + [429]
    assert visitor.get("/archive").status_code == 200
