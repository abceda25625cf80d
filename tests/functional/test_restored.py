"""Two players after a restore: the store is that of yesterday, their mailboxes are not."""

from __future__ import annotations

import shutil
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from pbem.store import backups
from pbem.store.database import make_engine, open_store
from tests.functional.house import House, open_house
from tests.functional.mailbox import MailPlayer
from tests.functional.sink import Sink

LATER = 100
"""So many mails nobody has written before."""


def texts(house: House, game_id: str) -> list[str]:
    with house.around.store.read() as unit:
        return [entry.text for entry in unit.entries(game_id)]


def message_ids(sink: Sink) -> set[bytes]:
    lines = (line for mail in sink.all_mails() for line in mail.raw.split(b"\r\n"))
    return {line for line in lines if line.lower().startswith(b"message-id:")}


def test_a_game_goes_on_from_the_copy(tmp_path: Path, migrated_sqlite: Path) -> None:
    files = [tmp_path / name for name in ("first.sqlite3", "copy", "second.sqlite3")]
    shutil.copy(migrated_sqlite, files[0])
    with ExitStack() as stack:

        def house_of(file: Path) -> House:
            store = open_store(f"sqlite:///{file}")
            stack.callback(store.dispose)
            return stack.enter_context(open_house(store, stack.enter_context(Sink())))

        house = house_of(files[0])
        ann = MailPlayer(house, "Ann", "ann@example.org")
        beau = MailPlayer(house, "Beau", "beau@example.net")
        for player in (ann, beau):
            player.write(f"join@{house.office.domain}", "")
            player.reply(player.latest("address_confirmation"), "ok")
        ann.reply(ann.latest("answer"), f"invite {beau.address} master 14d as gold starter gold")
        beau.reply(beau.latest("invitation"), "accept")
        game = house.letter_of(ann.latest("setup_request")).game_id or ""
        before = {player.name: player.latest("setup_request") for player in (ann, beau)}
        _copy(files[0], files[1])
        kept = texts(house, game)
        ann.reply(before["Ann"], "setup WFEAEAFW")
        beau.reply(before["Beau"], "setup WFEAFAEW")
        lost = ann.latest("turn_request")
        assert len(texts(house, game)) > len(kept)

        _restore(files[1], files[2])
        again = house_of(files[2])
        again.clock.now = house.clock.now + timedelta(days=1)
        again.work()
        ann = replace(ann, house=again, _written=LATER)
        beau = replace(beau, house=again, _written=LATER)
        # What answers a mail of the lost time is answered, and is not played.
        ann.reply(lost, "F2>G4")
        assert [text for text in texts(again, game) if "stood" not in text] == kept
        assert len(ann.inbox) == 1
        # What answers a mail from before counts as ever.
        ann.reply(before["Ann"], "setup AAFFEEWW")
        beau.reply(before["Beau"], "setup WFEAFAEW")
        assert "setup AAFFEEWW" in texts(again, game)
        asked = ann.latest("turn_request")
        assert asked.reply_to != lost.reply_to
        assert not message_ids(again.sink) & message_ids(house.sink)


def _copy(store: Path, copy: Path) -> None:
    engine = make_engine(f"sqlite:///{store}")
    backups.back_up(engine, copy)
    engine.dispose()


def _restore(copy: Path, store: Path) -> None:
    engine = make_engine(f"sqlite:///{store}")
    backups.restore(engine, copy)
    engine.dispose()
