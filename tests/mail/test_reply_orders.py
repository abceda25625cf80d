"""Orders that look like quotes, signatures and lists (L4.3), and what each line is (L4.5)."""

from __future__ import annotations

import pytest

from notation.reading import parse_orders
from notation.writing import format_plan
from pbem.mail.classify import Classified, Kind, classify
from pbem.mail.quotes import Doubt
from pbem.mail.reply import Reply, read_reply

ATTRIBUTION = "On Tue, May 5, 2026 at 8:14 PM Ortus <turn@games.example> wrote:"
QUOTE = ["> An order could be:", "> E1 chg H7@H9", "> end"]


def read(*lines: str) -> Reply:
    head = "From: ann@mail.example\nContent-Type: text/plain; charset=utf-8\n\n"
    return read_reply((head + "\n".join(lines)).encode())


def orders(found: Classified) -> str:
    return format_plan(parse_orders(found.orders_text)) if found.orders_text else ""


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["- fall"], "fall"),
        (["-"], "fall"),
        (["+"], "block"),
        (["Thanks, F2>G4"], "F2>G4"),
        (["My orders: F2>G4; end"], "F2>G4; end"),
        (["Bedankt, F2>G4"], "F2>G4"),
        (["1. F2>G4", "2. W3 rng H7"], "F2>G4; W3 rng H7"),
        (["1) F2>G4", "2) end"], "F2>G4; end"),
        (["W3:kite", "> E7"], "W3:kite>E7"),
        (["F2", "> G4", "end"], "F2>G4; end"),
        (["F2>G4", "--", "W3 rng H7"], "F2>G4; W3 rng H7"),
        (["Hello!", "--", "F2>G4"], "F2>G4"),
        (["Hello!", "--", "fall"], "fall"),
        (["--", "F2>G4"], "F2>G4"),
        (["- F2>G4", "- end"], "F2>G4; end"),
        (["*F2>G4*", "_end_"], "F2>G4; end"),
        (["“F2 → G4”", "end."], "F2>G4; end"),
        (["F2\u00a0\u2192\u00a0G\u200b4"], "F2>G4"),
        (["W3 rng G4 [-: W3:kite>H7; end", "| +: F2 rng G4]", "end"], None),
        (["W3 rng G4", "[-: W3:kite>H7; end]"], "W3 rng G4 [-: W3:kite>H7; end]"),
        (["F2>G4", "Sent from my iPhone"], "F2>G4"),
        (["Verzonden vanaf mijn iPhone", "", "F2>G4"], "F2>G4"),
        (["block G4, fall G5"], "G4+ G5-"),
        (["standing: block all <=2"], "standing: block all <=2"),
    ],
)
def test_no_order_is_lost(lines: list[str], expected: str | None) -> None:
    reply = read(*lines, "", ATTRIBUTION, *QUOTE)
    found = classify(reply.texts)
    assert orders(found) == (orders(classify(lines)) if expected is None else expected)
    assert not found.of(Kind.ATTEMPT)


def test_a_plan_over_several_lines_is_one_order() -> None:
    lines = ["W3 rng G4 [-: W3:kite>H7; end", "| +: F2 rng G4 [-: end]]", "F7>I9", "end"]
    kinds = [(item.kind, item.lines) for item in classify(lines).items]
    assert kinds == [(Kind.ORDERS, 2), (Kind.ORDERS, 1), (Kind.ORDERS, 1)]


def test_each_line_is_sorted() -> None:
    found = classify(
        [
            "Hi Bob,",
            "that was a fine move on Tuesday.",
            "",
            "W3:kite>E7",
            "F2 rng Q9",
            "# keep W3 near the Core",
            "See you, Ann",
        ]
    )
    assert [item.text for item in found.of(Kind.ORDERS)] == ["W3:kite>E7"]
    assert [item.text for item in found.of(Kind.ATTEMPT)] == ["F2 rng Q9"]
    assert found.notes == ("keep W3 near the Core",)
    assert found.message == "Hi Bob,\nthat was a fine move on Tuesday.\n\nSee you, Ann"
    assert found.orders_text == "W3:kite>E7\nF2 rng Q9"


@pytest.mark.parametrize(
    "line", ["F2 x G4", "F2 rng", "charge G4 @ F5 quickly", "F2 G4", "G4 + maybe", "W3 fly to E7"]
)
def test_an_attempt_is_not_passed_on(line: str) -> None:
    assert [item.kind for item in classify([line]).items] == [Kind.ATTEMPT]


@pytest.mark.parametrize(
    "line",
    [
        "W1 rgn G11",
        "E3 chgg D12.",
        "E3:chgg D12",
        "1. W1 rgn G11 [-: end | +: end]",
        "Wind 1 shoots at G11!",
        "W1 shoots G11; end",
        "e3 walks over to d12",
        "H7 springt naar H9",
        "My move: W1 rgn G11",
        "| +: then we wait",
        "and then [G4-,G5+: something]",
        "Move W1 to G11",
        "I shoot the one on G11 with Wind 1",
        "Schiet met W1 op G11!",
    ],
)
def test_an_order_that_is_misspelt_or_in_words_is_not_passed_on(line: str) -> None:
    assert [item.kind for item in classify(["Hi!", line]).items][1] is Kind.ATTEMPT


@pytest.mark.parametrize(
    "line",
    [
        "W1 took G11, and I did not see it coming",
        "Your W1 was on G11 all the time.",
        "I should have moved W1 earlier",
        "Nice shot with W1, G11 hurts",
        "Go easy on me :-)",
        "Let me think about it until week 12.",
        "Shall we meet at 7 on the A12?",
        "See [1] and [2]: both are about E3",
        "A4 or letter paper?",
        "Move on, nothing to see on H7",
    ],
)
def test_talk_about_the_game_is_passed_on(line: str) -> None:
    assert [item.kind for item in classify(["Hi!", line]).items][1] is Kind.MESSAGE


@pytest.mark.parametrize(
    "line",
    [
        "Well played!",
        "I will be away in week 32.",
        "The wind is cold today, and the water too.",
        "Shall we call it a draw soon?",
        "It ended 3-2.",
        "return to sender",
    ],
)
def test_prose_is_message_text(line: str) -> None:
    assert [item.kind for item in classify(["Hello", line]).items] == [Kind.MESSAGE] * 2


def test_a_sign_counts_on_the_first_line_only() -> None:
    assert classify(["", "-", "F2>G4"]).items[1].kind is Kind.ORDERS
    assert classify(["Hi", "-"]).items[1].kind is Kind.MESSAGE


def test_a_second_sign_is_asked_about() -> None:
    """It may be for a second victim, or take the first back; the game refuses the two together."""
    found = classify(["+", "thanks", "-"])
    assert [item.kind for item in found.items] == [Kind.ORDERS, Kind.MESSAGE, Kind.ATTEMPT]


def test_a_number_on_the_first_line_is_a_choice() -> None:
    assert classify(["", "2", "thanks"]).choice == 2
    assert classify(["reply 3"]).choice == 3
    assert classify(["thanks", "2"]).choice is None


def test_commands_are_left_to_who_knows_them() -> None:
    found = classify(["try F2>G4", "F2>G5"], is_command=lambda line: line.startswith("try "))
    assert [item.kind for item in found.items] == [Kind.COMMAND, Kind.ORDERS]


def test_answers_between_the_lines_are_one_set() -> None:
    reply = read(ATTRIBUTION, "> G4?", "block G4", "> G5?", "fall G5", "> Bye")
    assert reply.is_certain
    assert orders(classify(reply.sure_texts)) == "G4+ G5-"


def test_orders_above_and_others_below_are_asked_about() -> None:
    reply = read("F2>G4", "", ATTRIBUTION, *QUOTE, "", "W3:kite>E7")
    assert reply.doubts == (Doubt.TWO_SETS,)


def test_the_same_orders_above_and_below_count_once() -> None:
    reply = read("F2>G4", "", ATTRIBUTION, *QUOTE, "", "f2 to g4")
    assert reply.is_certain
    assert orders(classify(reply.sure_texts)) == "F2>G4"


def test_decisions_that_contradict_each_other_are_asked_about() -> None:
    reply = read("G4+", "", ATTRIBUTION, *QUOTE, "", "G4-")
    assert reply.doubts == (Doubt.TWO_SETS,)


def test_a_line_that_lost_its_mark_when_it_was_wrapped() -> None:
    long = "> The attack on your warrior costs five Energy and leaves you with nine, and"
    reply = read("Fine.", "", ATTRIBUTION, long, "then your turn.", "> Bye")
    assert reply.text == "Fine."
    reply = read("Fine.", "", ATTRIBUTION, long, long[2:], "then your turn.", "> Bye")
    assert reply.text == "Fine."
    reply = read("Fine.", "", ATTRIBUTION, long, "F2>G4", "> Bye")
    assert reply.doubts == (Doubt.WRAPPED_QUOTE,)
    reply = read(ATTRIBUTION, "> G4 is attacked.", "block G4", "> G5 too.", "fall G5", "> Bye")
    assert reply.is_certain


def test_an_answer_below_an_attribution_without_a_quote_is_asked_about() -> None:
    reply = read(ATTRIBUTION, "", "F2>G4")
    assert reply.texts == ("F2>G4",)
    assert reply.doubts == (Doubt.ATTRIBUTION_ON_TOP,)


def test_text_below_a_device_line_is_not_passed_on() -> None:
    reply = read("F2>G4", "", "Sent from my iPhone", "", "You have 14 Energy.")
    assert reply.is_certain
    assert [text for text in reply.sure_texts if text] == ["F2>G4"]
    reply = read("Hello", "", "Sent from my iPhone", "", "F2>G4")
    assert reply.doubts == (Doubt.BELOW_SIGNATURE,)


def test_orders_in_a_signature_are_asked_about() -> None:
    reply = read("Hello", "", "-- ", "Ann", "F2>G4 is my favourite", "F2>G4")
    assert reply.doubts == (Doubt.BELOW_SIGNATURE,)
    reply = read("Hello", "", "-- ", "F2>G4", "end", "Ann", "Utrecht")
    assert reply.is_certain
    assert reply.sure_texts[-2:] == ("F2>G4", "end")


@pytest.mark.parametrize(
    "line",
    [
        "Sent from my iPhone",
        "Sent from my Galaxy",
        "Sent from my TI-85",
        "Sent from Mail for Windows",
        "Sent from Yahoo Mail on Android",
        "Sent from my mobile. Please excuse typos.",
        "Sent with Proton Mail secure email.",
        "Get Outlook for iOS<https://aka.ms/o0ukef>",
        "Get [Outlook for Android](https://aka.ms/ghei36)",
        "(sent from my phone)",
        "Verstuurd vanaf mijn iPhone",
        "Verzonden vanaf Outlook voor Android",
        "Von meinem iPhone gesendet",
        "Gesendet von Mail für Windows",
        "Envoyé de mon iPhone",
        "Envoyé depuis mon appareil Galaxy",
        "Télécharger Outlook pour iOS",
        "Enviado desde mi iPhone",
        "Enviado do meu iPhone",
        "Inviato da iPhone",
        "Skickat från min iPhone",
        "Sendt fra min iPhone",
        "Lähetetty iPhonesta",
        "Wysłane z iPhone'a",
        "Odesláno z iPhonu",
        "Trimis de pe iPhone-ul meu",
        "Elküldve az iPhone-omról",
        "Отправлено с iPhone",
        "Надіслано з iPhone",
        "Изпратено от моя iPhone",
        "Στάλθηκε από το iPhone μου",
        "iPhone'umdan gönderildi",
        "נשלח מה-iPhone שלי",
        "أُرسلت من الـ iPhone",
        "ส่งจาก iPhone ของฉัน",
        "Đã gửi từ iPhone của tôi",
        "Dikirim dari iPhone saya",
        "iPhoneから送信",
        "나의 iPhone에서 보냄",
        "发自我的iPhone",
        "從我的 iPhone 傳送",
    ],
)
def test_device_lines(line: str) -> None:
    assert read("Well played", "", line).text == "Well played"


@pytest.mark.parametrize(
    "line",
    [
        "Sent from my desk, is much easier than my mobile phone.",
        "I play from my phone today",
        "They were sent from above to save us all, I think",
        "My mail was lost",
    ],
)
def test_lines_about_devices_are_kept(line: str) -> None:
    assert line in read("Hello", "", line).texts
