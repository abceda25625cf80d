"""From a row of the outbox to a mail (L6).

A mail is a function of the game's log up to the entry it is about, of what its reader has chosen,
and of the clock: the same row written twice is the same mail. What each kind consists of is in
``composing``; bytes are made by ``mime``; when and how it is sent is ``sending``.
"""

from __future__ import annotations

from datetime import datetime
from functools import partial

from pbem.catalogues import get_tongue
from pbem.errors import PbemError
from pbem.mail.answers import ANSWER
from pbem.mail.bounces import BOUNCE_NOTICE
from pbem.mail.composing import bundles
from pbem.mail.composing.answer_mails import draft_answer
from pbem.mail.composing.desk import Desk
from pbem.mail.composing.drafts import Draft
from pbem.mail.composing.event_mails import EVENT_MAILS
from pbem.mail.composing.event_rounds import wait_for_games
from pbem.mail.composing.game_mails import draft_game_mail, is_about_a_game
from pbem.mail.composing.model import Composed
from pbem.mail.composing.other_mails import OTHER_MAILS
from pbem.mail.composing.rendering import render, render_subject
from pbem.mail.delivery_address import choose_address
from pbem.mail.keys import token_hash
from pbem.mail.known_lines import prints_of
from pbem.mail.links import unsubscribe_url
from pbem.mail.mime import content_id
from pbem.mail.office import Office
from pbem.mail.own_lines import own_lines
from pbem.mail.text_lines import LINE_BREAKS
from pbem.mail.who import OPENING_KINDS
from pbem.play.model import Notice, Player, Preferences
from pbem.play.notices import GAME_OVER
from pbem.play.ports import Surroundings, Unit
from pbem.play.post import NO_ADDRESS, Letter, Outgoing, mail_number


class NoAddressError(PbemError):
    """There is no address at which the player takes mail: for the operator to look at."""


def compose(
    around: Surroundings, office: Office, outgoing: Outgoing, now: datetime
) -> Composed | None:
    """The mail of a row; None if there is nothing left to say.

    Raises NoAddressError if it can go nowhere.
    """
    with around.store.read() as unit:
        player = unit.find_player(outgoing.notice.player_id)
        if player is None or player.deleted_at is not None:
            return None
        address = _find_address(unit, office, player, outgoing.notice)
        if address is None:
            raise NoAddressError(NO_ADDRESS)
        tongue = get_tongue(_preferences(player, outgoing.notice).language)
        desk = Desk(unit, office, outgoing, player, address, tongue, now)
        draft = _draft(desk)
        return None if draft is None else _write(desk, draft)


def when_to_send(unit: Unit, player: Player, outgoing: Outgoing, now: datetime) -> datetime | None:
    """When a mail goes out: now, with the player's next digest, or never (None)."""
    notice = outgoing.notice
    if _ends_by_own_mail(unit, notice):
        return now
    address = choose_address(unit, player)
    health = None if address is None else unit.find_health(address.address)
    is_silent = health is not None and health.unsubscribed_at is not None
    if is_silent and not bundles.is_answer(notice):
        return None
    pause = wait_for_games(unit, notice)
    if pause is not None:
        return now + pause
    return bundles.when_to_send(player, notice, now)


def _ends_by_own_mail(unit: Unit, notice: Notice) -> bool:
    """Whether the reader has ended a game by mail, as by resigning: then this is the answer."""
    entry, seat = notice.facts.get("entry"), notice.facts.get("seat")
    if notice.kind != GAME_OVER or notice.game_id is None or not isinstance(entry, int):
        return False
    ends = unit.entries(notice.game_id, since=entry)[:1]
    return any(each.seat == seat and mail_number(each.key) is not None for each in ends)


def _draft(desk: Desk) -> Draft | None:
    kind = desk.notice.kind
    if bundles.is_digested(desk.player, desk.notice):
        return bundles.draft_digest(desk)
    if is_about_a_game(kind):
        return draft_game_mail(desk)
    if kind == ANSWER:
        return draft_answer(desk)
    if kind in EVENT_MAILS:
        return EVENT_MAILS[kind](desk)
    return OTHER_MAILS[kind](desk)


def _find_address(unit: Unit, office: Office, player: Player, notice: Notice) -> str | None:
    """Where a mail goes. Only what asks for a confirmation goes where nothing is confirmed."""
    if notice.kind == BOUNCE_NOTICE:
        return office.director
    named = notice.facts.get("address")
    chosen = choose_address(unit, player)
    if isinstance(named, str) and (chosen is None or notice.kind in OPENING_KINDS):
        return named
    if chosen is not None:
        return chosen.address
    if notice.kind in OPENING_KINDS:
        return next((each.address for each in unit.addresses_of(player.id)), None)
    return None


def _preferences(player: Player, notice: Notice) -> Preferences:
    """How the reader wants to be written to; the director is no player."""
    return Preferences() if notice.kind == BOUNCE_NOTICE else player.preferences


def _write(desk: Desk, draft: Draft) -> Composed:
    """A draft in words, and what is kept of it."""
    office, outgoing = desk.office, desk.outgoing
    mark = outgoing.message_id
    is_ours = desk.notice.kind == BOUNCE_NOTICE
    url = None if is_ours else unsubscribe_url(office, mark)
    content = dict(draft.content)
    subject = render_subject(f"{draft.template}/subject.txt", desk.tongue, content)
    content |= {
        "subject": subject,
        "office": office.name,
        "domain": office.domain,
        "game_id": draft.game_id or "",
        "unsubscribe_url": url or "",
        "cid": partial(content_id, mark=mark),
    }
    text = render(f"{draft.template}/body.txt", desk.tongue, content)
    # Only the HTML part has links with the token in them (L3.4).
    link = partial(desk.answer_link, draft.about, subject)
    html = render(f"{draft.template}/body.html", desk.tongue, {**content, "link": link})
    before = desk.unit.find_letter_by_message_id(mark)
    letter = Letter(
        message_id=mark,
        token_hash=token_hash(desk.token),
        kind=draft.template,
        player_id=desk.player.id,
        address=desk.address,
        made_at=desk.now if before is None else before.made_at,
        game_id=draft.game_id,
        seat=draft.seat,
        request_id=draft.request_id,
        facts=dict(draft.opens),
        prints=_prints(text, html),
    )
    return Composed(
        letter=letter,
        name="" if is_ours else _name(desk),
        language=desk.tongue.language,
        subject=subject,
        text=text,
        html=html,
        reply_to=desk.reply_to(draft.about),
        thread=draft.thread,
        pictures=tuple(desk.folder.pictures),
        attachments=draft.attachments,
        unsubscribe_url=url,
    )


def _name(desk: Desk) -> str:
    """Whose name stands in To: none before the address is confirmed, for somebody else may have
    written it (L5)."""
    own = desk.unit.addresses_of(desk.player.id)
    is_verified = any(each.address == desk.address and each.verified_at for each in own)
    return desk.player.name if is_verified else ""


def _prints(text: str, html: str) -> bytes:
    """Of the lines of both parts: which of them a program quotes differs."""
    return prints_of([*LINE_BREAKS.split(text), *own_lines(html)])
