"""What mails say, to whom, and when there is nothing left to say (L3.4, L5, L6)."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from pbem.archive.remark_reading import read_remarks
from pbem.cli.sample_mails import MIDDLE, PLAN, SEVERAL, play_samples
from pbem.cli.stage import OFFICE, Sample, Stage, at
from pbem.games.base import Refused
from pbem.mail.answers import SECTIONS, Section
from pbem.mail.commands import NAMES as COMMANDS
from pbem.mail.commands import find_command
from pbem.mail.compose import NoAddressError, compose
from pbem.mail.composing.answer_mails import HEADLINES
from pbem.mail.composing.model import Composed
from pbem.mail.html_lines import html_lines
from pbem.mail.known_lines import KnownLines, prints_of
from pbem.mail.languages import SENTINELS
from pbem.mail.mime import to_bytes
from pbem.mail.parts import read_message
from pbem.mail.remark_lines import cut_remarks
from pbem.mail.text_lines import plain_lines
from pbem.mail.what import find_wanted
from pbem.play import games, invitations, players
from pbem.play.model import Preferences
from pbem.play.players import LANGUAGES
from pbem.play.post import HELD, AddressHealth, Outgoing
from tests.mail.stages import Sketches, parsed, part, without_links
from tests.play.hasty_store import HastyStore

QUICK = replace(OFFICE, drawings=Sketches())


@pytest.fixture
def quick(new_store: HastyStore) -> Stage:
    """A stage on which nothing is drawn."""
    return Stage(new_store, office=QUICK)


def claim(stage: Stage, hours: float) -> dict[tuple[str, int], Outgoing]:
    """The rows that are due, by kind and player."""
    with stage.around.store.begin() as unit:
        rows = unit.claim_notices(at(hours), lease=timedelta(minutes=1), limit=100)
    return {(row.notice.kind, row.notice.player_id): row for row in rows}


def attack(stage: Stage, hours: float = 0, **more: object) -> str:
    """A game in which Ben is asked for a defence; all mails before are written."""
    game_id = stage.start(hours, position=MIDDLE, level="master", **more)
    stage.post(hours)
    stage.send(game_id, 0, PLAN, hours + 1)
    return game_id


def answer_links(mail: Composed) -> list[tuple[str, str]]:
    """Address and text of each reply that a link opens."""
    links = []
    for link in re.findall(r'href="(mailto:[^"]*)"', mail.html):
        parts = urlsplit(link.replace("&amp;", "&"))
        links.append((unquote(parts.path), parse_qs(parts.query).get("body", [""])[0]))
    return links


def on_one_line(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture(scope="module")
def all_samples(tmp_path_factory: pytest.TempPathFactory, migrated_sqlite: object) -> list[Sample]:
    """One sample of everything, in Dutch, which has the longer words."""
    import shutil

    file = tmp_path_factory.mktemp("samples") / "pbem.sqlite3"
    shutil.copy(str(migrated_sqlite), file)
    store = HastyStore.open(f"sqlite:///{file}")
    try:
        return list(play_samples(Stage(store, language="nl", board="text", office=QUICK)))
    finally:
        store.dispose()


class TestEverySample:
    def test_every_section_has_words_and_a_sample(self, all_samples: list[Sample]) -> None:
        shown = {re.sub(r"\d+$", "", each.name.removeprefix("answer_")) for each in all_samples}
        assert set(SECTIONS) == set(HEADLINES)
        assert set(SECTIONS) - shown == set()

    def test_the_token_stands_only_in_links_that_open_a_reply(
        self, all_samples: list[Sample]
    ) -> None:
        for sample in all_samples:
            mail = sample.mail
            token = OFFICE.keys.reply_token(mail.letter.message_id)
            assert token in mail.reply_to
            assert token not in mail.text, sample.name
            assert token not in mail.subject
            assert token in mail.html, "at least the link to help has it"
            assert token not in without_links(mail.html), sample.name

    def test_lines_of_text_are_short(self, all_samples: list[Sample]) -> None:
        for sample in all_samples:
            for line in sample.mail.text.splitlines():
                assert len(line) <= 78 or "https://" in line, f"{sample.name}: {line}"

    def test_the_reply_goes_above_the_first_line(self, all_samples: list[Sample]) -> None:
        for sample in all_samples:
            sentinel = SENTINELS[sample.mail.language]
            assert sample.mail.text.startswith(f"{sentinel}\n")
            shown = re.sub(r"<style>.*</style>|<title>.*</title>", "", sample.mail.html, flags=re.S)
            first = re.sub(r"<[^>]*>", "", shown).strip().splitlines()[0]
            assert first == sentinel, sample.name

    def test_what_is_kept_of_a_letter_are_its_lines(self, all_samples: list[Sample]) -> None:
        for sample in all_samples:
            # As anybody's program finds them: which form it quotes, and how it turns HTML into
            # text, differs.
            found = set[str]()
            for form in read_message(to_bytes(sample.mail, QUICK)).parts:
                is_html = form.subtype == "html"
                lines = html_lines(form.text)[0] if is_html else plain_lines(form.text)
                found.update(line.text for line in lines)
            assert numbers(sample.mail.letter.prints) == numbers(prints_of(found)), sample.name

    def test_no_mail_of_ours_that_comes_back_says_anything(self, all_samples: list[Sample]) -> None:
        """Whoever replies without a word, and without any mark on the quote, has said nothing."""
        for sample in all_samples:
            mail = sample.mail
            raw = f"From: ann@example.org\r\n\r\n{mail.text}".encode()
            wanted = find_wanted(read_message(raw), sent=KnownLines(mail.letter.prints))
            assert wanted.parts == (), sample.name

    def test_html_is_whole(self, all_samples: list[Sample]) -> None:
        for sample in all_samples:
            for tag in ("table", "tr", "td", "div", "p", "ul", "pre", "a", "span"):
                opened = len(re.findall(rf"<{tag}[ >]", sample.mail.html))
                assert opened == sample.mail.html.count(f"</{tag}>"), f"{sample.name}: {tag}"

    def test_subjects_keep_the_id_of_the_game(self, all_samples: list[Sample]) -> None:
        for sample in all_samples:
            game_id = sample.mail.letter.game_id
            if game_id is not None:
                assert sample.mail.subject.startswith(f"[{game_id}] ")


def numbers(prints: bytes) -> set[int]:
    return set(memoryview(prints).cast("Q"))


class TestDefence:
    def test_it_can_be_answered_without_looking_anything_up(self, quick: Stage) -> None:
        attack(quick)
        mail = quick.pick("defence_request", 1)
        board = mail.text.index("O1")
        for said in (
            "Answer by",
            "left.",
            "If nothing comes by then, whoever is attacked falls.",
            "Gold's Wind 1 on F6 shoots at your Wind 1 on G11.",
            "Power 4",
            "You have 9.",
            "+   Save Wind 1 on G11",
            "5 Energy left.",
            "-   Let Wind 1 on G11 fall",
        ):
            assert mail.text.index(said) < board, "all of it stands above the board"

    @pytest.mark.parametrize(("text", "saved"), [("+", True), ("-", False)])
    def test_a_link_is_the_whole_answer(self, quick: Stage, text: str, saved: bool) -> None:
        game_id = attack(quick)
        mail = quick.pick("defence_request", 1)
        assert (mail.reply_to, text) in answer_links(mail)
        raw = f"From: ben@example.net\r\n\r\n{text}\r\n\r\n{mail.text}".encode()
        (wanted,) = find_wanted(read_message(raw), sent=KnownLines(mail.letter.prints)).parts
        assert wanted.orders == text
        done = games.submit(
            quick.around,
            game_id,
            1,
            wanted.orders,
            arrived=at(2),
            request_id=mail.letter.request_id,
        )
        assert isinstance(done, games.Taken)
        event = next(each for each in done.done.events if each.name == "defended")
        assert event.facts["verdicts"] == (("G11", saved),)

    def test_of_several_victims_each_answer_that_can_be_paid_is_a_link(self, quick: Stage) -> None:
        game_id = quick.start(0, position=SEVERAL, level="master")
        quick.send(game_id, 0, "A4 six L8@K8", 1)
        mail = quick.pick("defence_request", 1)
        answers = [text for _, text in answer_links(mail) if text != "help"]
        assert answers == ["L8+ K9-", "L8- K9+", "L8- K9-"], "both together cost 6 and there are 5"
        for text in answers:
            assert not isinstance(games.preview(quick.around, game_id, 1, text), Refused)

    @pytest.mark.parametrize(
        ("clock", "said"),
        [
            ("30d defence 3d save", "whoever you can pay for is saved"),
            ("30d defence 3d fall", "whoever is attacked falls"),
            ("30d", "you lose the game on time"),
        ],
    )
    def test_what_silence_leads_to(self, quick: Stage, clock: str, said: str) -> None:
        attack(quick, clock=clock)
        mail = quick.pick("defence_request", 1)
        assert f"If nothing comes by then, {said}." in mail.text
        assert f"If nothing comes by then, {said}." in mail.html

    def test_times_are_those_of_the_reader(self, new_store: HastyStore) -> None:
        stage = Stage(new_store, office=QUICK)
        chosen = Preferences(time_zone="Asia/Tokyo")
        players.set_preferences(stage.around, stage.ben.id, chosen, now=at(0))
        attack(stage)
        mail = stage.pick("defence_request", 1)
        assert "Answer by Friday 20 November, 22:00 (Tokyo): 4 days left." in mail.text


class TestBoards:
    def test_as_a_picture(self, stage: Stage) -> None:
        attack(stage)
        mail = stage.pick("defence_request", 1)
        message = parsed(mail, OFFICE)
        (picture,) = [each for each in message.walk() if each.get_content_type() == "image/png"]
        cid = str(picture["Content-ID"]).strip("<>")
        assert f'src="cid:{cid}"' in mail.html
        data = picture.get_content()
        assert isinstance(data, bytes)
        assert data.startswith(b"\x89PNG\r\n\x1a\n")
        assert "W8  =   E6" in part(message, "text/plain"), "the text has a text board"
        assert re.search(r'<img[^>]* alt="[^"]{10,}"', mail.html)
        assert "http" not in re.sub(r'<a href="[^"]*"', "", mail.html), "nothing is loaded"

    def test_as_text(self, new_store: HastyStore) -> None:
        stage = Stage(new_store, board="text", office=QUICK)
        attack(stage)
        mail = stage.pick("defence_request", 1)
        assert mail.pictures == ()
        assert "<img" not in mail.html
        board = mail.html[mail.html.index("<pre") : mail.html.index("</pre>")]
        rows = board.splitlines()
        assert any(row.startswith("              O2  .   .") for row in rows), "nothing is moved"

    def test_in_words(self, new_store: HastyStore) -> None:
        stage = Stage(new_store, board="spoken", office=QUICK)
        attack(stage)
        mail = stage.pick("defence_request", 1)
        assert mail.pictures == ()
        for form in (mail.text, mail.html):
            assert "Water 4 on H11 and Water 5 on L8." in form
            assert "<img" not in form
            assert ".   .   ." not in form

    def test_where_nobody_draws_boards_are_told(self, new_store: HastyStore) -> None:
        stage = Stage(new_store, office=replace(OFFICE, drawings=None))
        attack(stage)
        mail = stage.pick("defence_request", 1)
        assert "Water 4 on H11 and Water 5 on L8." in mail.text


class TestOnce:
    def test_the_same_row_is_the_same_mail(self, quick: Stage) -> None:
        game_id = attack(quick)
        games.write_message(quick.around, game_id, 0, "Well?", now=at(1.5))
        rows = claim(quick, 2)
        row = rows["defence_request", quick.ben.id]
        first = compose(quick.around, QUICK, row, at(2))
        assert first is not None
        with quick.around.store.begin() as unit:
            unit.save_letter(first.letter)
        again = compose(quick.around, QUICK, row, at(2))
        assert again == first
        assert to_bytes(again, QUICK) == to_bytes(first, QUICK)

    def test_a_mail_tells_what_the_last_one_did_not(self, quick: Stage) -> None:
        game_id = attack(quick)
        assert "Wind 1 on F6 shot at" in quick.pick("defence_request", 1).text
        quick.send(game_id, 1, "+", 2)
        told = quick.pick("receipt", 2, to=quick.ben).text
        news = told[told.index("What happened") :]
        assert "shot at" not in news
        assert "flew from F6 to F8" in news

    def test_nothing_later_is_told(self, quick: Stage) -> None:
        game_id = attack(quick)
        rows = claim(quick, 1)
        quick.send(game_id, 1, "-", 2)
        receipt = compose(quick.around, QUICK, rows["receipt", quick.ann.id], at(3))
        assert receipt is not None
        assert "fell" not in receipt.text
        assert "Ben is asked to defend." in receipt.text

    def test_a_request_that_is_answered_is_not_asked(self, quick: Stage) -> None:
        game_id = attack(quick)
        rows = claim(quick, 1)
        quick.send(game_id, 1, "-", 2)
        assert compose(quick.around, QUICK, rows["defence_request", quick.ben.id], at(3)) is None

    def test_an_invitation_that_is_closed_is_not_sent(self, quick: Stage) -> None:
        invited = invitations.invite(quick.around, quick.ann.id, quick.ben.id, {}, now=at(0))
        rows = claim(quick, 1)
        invitations.decline(quick.around, quick.ann.id, invited.id, now=at(1))
        assert compose(quick.around, QUICK, rows["invitation", quick.ben.id], at(2)) is None

    def test_a_message_comes_along_with_the_orders_of_its_mail(self, quick: Stage) -> None:
        game_id = quick.start(0, position=MIDDLE, level="master")
        quick.post(0)
        games.write_message(quick.around, game_id, 0, "Hello Ben", now=at(1))
        quick.send(game_id, 0, PLAN, 1)
        mails = [mail for mail in quick.post(1) if mail.letter.player_id == quick.ben.id]
        assert [mail.letter.kind for mail in mails] == ["defence_request"]
        assert "Hello Ben" in mails[0].text
        assert "Hello Ben" in mails[0].html
        quick.send(game_id, 1, "+", 2)
        assert not any("Hello Ben" in mail.text for mail in quick.post(2)), "it is told once"

    def test_a_message_alone_is_a_mail(self, quick: Stage) -> None:
        game_id = attack(quick)
        quick.post(1)
        games.write_message(quick.around, game_id, 0, "Take <your>\n\n time", now=at(2))
        mail = quick.pick("message", 2)
        assert "  | Take <your>\n" in mail.text
        assert "Take &lt;your&gt;<br><br> time" in mail.html
        assert mail.letter.request_id is not None, "it can be answered with orders"

    def test_a_held_mail_is_mentioned_once(self, quick: Stage) -> None:
        game_id = attack(quick)
        quick.mail_in("away", quick.ben, 1, game_id=game_id, state=HELD, reason="auto_submitted")
        mail = quick.pick("defence_request", 1)
        assert "not played, because it says that a machine sent it." in on_one_line(mail.text)
        quick.send(game_id, 1, "-", 2)
        assert not any("machine" in mail.text for mail in quick.post(2))


class TestGamesThatAreOver:
    @pytest.fixture
    def over(self, quick: Stage) -> str:
        game_id = attack(quick)
        quick.send(game_id, 1, "resign", 2)
        return game_id

    def mails(self, stage: Stage, game_id: str) -> list[Composed]:
        """One of each kind that a player can get when a game is over."""
        found = [mail for mail in stage.post(2) if mail.letter.kind == "game_over"]
        games.write_message(stage.around, game_id, 1, "Thanks!", now=at(3))
        found.append(stage.pick("message", 3, to=stage.ann))
        sections = [Section("status"), Section("board"), Section("history")]
        sections += [Section("not_asked", {"text": "end"}), Section("doubt", {"reasons": []})]
        found += [
            stage.answered(section, 4 + number, game_id).mail
            for number, section in enumerate(sections)
        ]
        return found

    def test_no_mail_speaks_of_them_as_running(self, quick: Stage, over: str) -> None:
        mails = self.mails(quick, over)
        assert [mail.letter.kind for mail in mails] == ["game_over"] * 2 + ["message"] + [
            "answer"
        ] * 5
        for mail in mails:
            for text in (on_one_line(mail.text), on_one_line(mail.html)):
                for wrong in ("Time left", "plays", "you play ", "if it is no order"):
                    assert wrong not in text, (mail.letter.kind, wrong)

    def test_each_mail_leads_to_the_game_in_the_archive_once(self, quick: Stage, over: str) -> None:
        for mail in self.mails(quick, over):
            assert mail.text.count(f"{QUICK.site_url}/games/{over}/replay\n") == 1
            assert mail.html.count(f'href="{QUICK.site_url}/games/{over}/replay"') == 1

    def test_a_running_game_is_in_no_archive(self, quick: Stage) -> None:
        attack(quick)
        for mail in quick.post(1):
            assert "/replay" not in mail.html + mail.text

    def test_how_it_ended_is_told_to_who_asks_how_it_stands(self, quick: Stage, over: str) -> None:
        mail = quick.answered(Section("status"), 3, over).mail
        assert "The game is over: you have " in mail.text

    def test_orders_for_it_are_told_what_can_still_be_said(self, quick: Stage, over: str) -> None:
        mail = quick.answered(Section("not_asked", {"text": "end"}), 3, over).mail
        assert "Nothing was played: the game is over." in on_one_line(mail.text)
        assert "3b. ! {…}" in mail.text


class TestPlayers:
    def test_names_and_messages_are_escaped(self, quick: Stage) -> None:
        players.rename(quick.around, quick.ann.id, '<b>"Ann"</b> & co')
        attack(quick)
        mail = quick.pick("defence_request", 1)
        assert "<b>&#34;" not in mail.html
        assert "&lt;b&gt;&#34;Ann&#34;&lt;/b&gt; &amp; co plays Gold" in mail.html
        assert '<b>"Ann"</b> & co' in mail.text

    def test_braces_in_a_name_are_no_placeholders(self, quick: Stage) -> None:
        players.rename(quick.around, quick.ann.id, "{name} {0} {{}}")
        attack(quick)
        assert "{name} {0} {{}}" in quick.pick("defence_request", 1).text

    def test_to_an_address_that_nobody_confirmed_no_name_is_told(self, quick: Stage) -> None:
        """Nobody can have us carry a text of theirs to somebody who did not ask for it (L5)."""
        players.rename(quick.around, quick.ann.id, "Buy now at evil")
        guest = players.join(quick.around, "You won", "cleo@example.com", now=at(0))
        invitations.invite(quick.around, quick.ann.id, guest.id, {}, now=at(0))
        mail = quick.pick("invitation", 0)
        whole = to_bytes(mail, QUICK).decode() + mail.text + mail.html + mail.subject
        assert "evil" not in whole
        assert "You won" not in whole
        assert "ann@example.org invites you" in mail.subject
        assert mail.letter.address == "cleo@example.com"
        assert mail.letter.facts["invitation"]

    def test_without_an_address_the_operator_is_to_look(self, quick: Stage) -> None:
        attack(quick)
        rows = claim(quick, 1)
        with quick.around.store.begin() as unit:
            unit.save_health(AddressHealth("ben@example.net", bounced_at=at(1)))
        with pytest.raises(NoAddressError):
            compose(quick.around, QUICK, rows["defence_request", quick.ben.id], at(1))

    def test_who_has_left_gets_nothing(self, quick: Stage) -> None:
        from pbem.play import farewell

        attack(quick)
        rows = claim(quick, 1)
        farewell.delete(quick.around, quick.ben.id, now=at(1))
        assert compose(quick.around, QUICK, rows["defence_request", quick.ben.id], at(1)) is None


class TestAnswers:
    def test_a_number_shows_all_that_it_plays(self, quick: Stage) -> None:
        game_id = quick.start(0, position=MIDDLE, level="master")
        quick.post(0)
        short = quick.answered(Section("refusal", {"text": "F2>G44; end"}), 1, game_id).mail
        assert re.search(r"^ +1  F2>G4; end$", short.text, re.MULTILINE)
        several = Section("refusal", {"text": "W1 rng G11\nF2>G44; end"})
        long = quick.answered(several, 2, game_id).mail
        assert re.search(r"^ +1  … F2>G4 …$", long.text, re.MULTILINE)

    @pytest.mark.parametrize(
        ("command", "hint"), [("accept", ["draw+"]), ("decline", ["draw-"]), ("withdraw", [])]
    )
    @pytest.mark.parametrize("invitations", [[], ["k3f9abcd"]])
    def test_in_a_mail_about_a_game_a_draw_may_be_meant(
        self, quick: Stage, command: str, hint: list[str], invitations: list[str]
    ) -> None:
        game_id = quick.start(0, position=MIDDLE, level="master")
        quick.post(0)
        name = "which_invitation" if invitations else "no_invitation"
        section = Section(name, {"command": command, "invitations": invitations})
        mail = quick.answered(section, 1, game_id).mail
        assert re.findall(r"an offer of a draw, write `(.*)`", mail.text) == hint

    def test_a_refusal_shows_the_place_and_what_could_be_meant(self, quick: Stage) -> None:
        game_id = quick.start(0, position=MIDDLE, level="master")
        quick.post(0)
        orders = "W1 rng G11\nF2>G44; end"
        mail = quick.answered(Section("refusal", {"text": orders}), 1, game_id).mail
        assert "  F2>G44; end\n     ^\n" in mail.text
        assert "Line 2:" in mail.text
        assert "(N1)" in mail.text
        chosen = [text for _, text in answer_links(mail) if text.isdigit()]
        assert chosen == [str(number) for number in range(1, len(chosen) + 1)]
        assert chosen
        assert mail.letter.request_id is not None, "mended orders can be sent as a reply"
        assert mail.letter.facts["inbound"]

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_all_that_help_names_is_understood(self, new_store: HastyStore, language: str) -> None:
        stage = Stage(new_store, language=language, office=QUICK)
        text = stage.answered(Section("help"), 1, None).mail.text
        rows = re.findall(r"^  (\S+)(?: …)?  +\S", text, flags=re.MULTILINE)
        shown = re.findall(r"`([^`]*)`", re.sub(r"\n *", " ", text))
        orders = ("standing:", "draw?", "resign", "#", "draw+", "draw-", "block", "W1>F5;")
        understood = set()
        [remark] = re.findall(r"^  (3b\. .+?)  +\S", text, flags=re.MULTILINE)
        assert cut_remarks([remark]).remarks == remark
        assert [draft.kind for draft in read_remarks(remark)] == ["sign", "comment"]
        [withdrawal] = [line for line in shown if line.startswith("3b.")]
        assert cut_remarks([withdrawal]).withdrawals == (("3b", None),)
        for line in (*rows, *shown):
            if line != withdrawal and not line.startswith(orders):
                command = find_command(line, games=["k3f9abcd"])
                command = command or find_command(f"{line} W1>F5")
                assert command is not None, line
                understood.add(command.name)
        assert understood == set(COMMANDS) - {"rules"}

    def test_it_goes_into_the_thread_of_the_mail_it_answers(self, quick: Stage) -> None:
        game_id = attack(quick)
        quick.post(1)
        mail = quick.answered(Section("status"), 2, game_id).mail
        message = parsed(mail, QUICK)
        assert str(message["In-Reply-To"]).endswith("@mail.example>")
        assert str(message["References"]).startswith(f"<game.{game_id}.")
        assert message["Auto-Submitted"] == "auto-replied"

    def test_a_bundle_asks_for_all_in_one(self, quick: Stage) -> None:
        ids = [attack(quick, hours) for hours in (0, 10)]
        quick.post(20)
        with quick.around.store.read() as unit:
            asked = [row.id for game_id in ids for row in unit.requests_of(game_id)]
        part = Section("bundle", {"requests": asked})
        mail = quick.answered(part, 21, None, player=quick.ben).mail
        assert mail.letter.facts["requests"] == asked
        for game_id in ids:
            assert (mail.reply_to, f"{game_id}: +") in answer_links(mail)
        raw = f"From: ben@example.net\r\n\r\n{ids[0]}: +\r\n{ids[1]}: -\r\n".encode()
        wanted = find_wanted(read_message(raw), games=ids, has_headings=True)
        assert [(each.game_id, each.orders) for each in wanted.parts] == [
            (ids[0], "+"),
            (ids[1], "-"),
        ]
