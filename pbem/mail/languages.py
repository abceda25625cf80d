"""The words by which mail programs mark what is quoted, forwarded or a signature (L4.2).

Owns data only, and the patterns built from it: words for "wrote" in an attribution line, the
names of the fields in a header block, the phrases between dashes above an old mail, the lines
that telephones add, and our own sentinel in each language we ship. Which of them is evidence
enough to cut is ``quotes.py``.

The tables are one word list a meaning, not one a language: a mail often mixes the language of
its program with that of its writer, and no word here means something else in another language.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

SENTINELS: Final[dict[str, str]] = {
    "en": "— reply above this line —",
    "nl": "— antwoord boven deze regel —",
}
"""The line on top of each mail of ours, by language; a test holds it against the catalogues."""

# English, Dutch, German, Luxembourgish, Afrikaans, the Nordic and Baltic languages, the Romance
# ones, the Slavic ones, Hungarian, Greek, Turkish, Basque, Celtic, and others in Latin letters.
_WROTE: Final = """
wrote|writes|wrote the following|quoting|zitat von|citeren|citando|quoted|selon|cytat|citat från
schreef|geschreven|schrijft|schreef het volgende
schrieb|schrieb folgendes|geschrieben|schreibt|geschriwwen|geskryf
skrev|skriver|skrifaði|kirjoitti|kirjutas|rakstīja|rašė|parašė
a écrit|écrit|écrivait|a ecrit|écrivit|a scrì
escribió|escribio|ha escrito|ha escrit|va escriure|escribiu|escreveu|escreva
ha scritto|scritto|scrisse|scrive|a scris|scris
napisał|napisała|napisał(a)|napisal|napisala|napisal(a)|pisze|napsal|napsala|napsal(a)|napsal/a
napísal|napísala|napísal(a)|píše|je napisal|napisao|napisala je|je napisao|je napisala|piše
írta|ezt írta|következőt írta|írta a következőt|keltezéssel
έγραψε|έγραψαν|yazdı|yazmış|şunu yazdı|şunları yazdı|yazıb|idatzi du|idatzi zuen|idatzi
scríobh|ysgrifennodd|shkroi|kiteb|skribis|menulis|tulis|đã viết|viết|sumulat|aliandika
написал|написала|написал(а)|написали|пишет|писали|писал|писала|писал(а)|написав|написала|написав(ла)
пише|писав|напісаў|напісала|піша|написа|написао|написала је|је написао|је написала|напиша|жазды
"""
# Scripts that do not set words apart, or change the ends of words freely: found anywhere.
_WROTE_ANYWHERE: Final = """
写道|寫道|写到|寫到|写的|來信|来信|のメッセージ|書きました|書いた|さんの書|作成
작성|썼습니다|님이 쓴|보낸 메시지|כתב|כתבה|כתבו|كتب|كتبت|نوشت|نوشته|ने लिखा|लिखा|লিখেছেন|எழுதினார்
เขียน|գրել|დაწერა|წერდა
"""

# What each field of a header block is called. Where one word could be two fields, the first wins.
_FIELDS: Final[dict[str, str]] = {
    "from": """
        from|van|von|de|da|från|fra|lähettäjä|frá|saatja|no|nuo|od|odesílatel|odosielateľ|feladó
        expéditeur|remitente|remetente|mittente|expeditor|de la
        от|від|ад|од|от кого|from/von|pošiljatelj
        από|kimden|gönderen|מאת|من|از|प्रेषक|จาก
        từ|người gửi|dari|差出人|送信者|보낸 사람|보낸사람|발신
        发件人|寄件者|寄件人|發件人|nga|igorlea|nork
        oddelil|šalje|šalju|პირადი|von/from|발신인|送信元
        """,
    "sent": """
        sent|date|verzonden|datum|gesendet|envoyé|envoyé le|date d'envoi|enviado|enviado el|fecha
        enviada|enviado em|enviada em|data|inviato|inviata|data invio|message du|skickat
        sendt|dato|sendt den|lähetetty|päiväys
        päivämäärä|pvm|sent/gesendet|sent at|date sent|sendt dato
        sendt kl|dagsetning|sent on|saadetud|kuupäev|nosūtīts|datums|išsiųsta|data i godzina
        wysłano|wysłane|odesláno|odesláno dne|dátum|odoslané|poslano|elküldve|küldve|küldés dátuma
        trimis|expediat|отправлено|дата|отправлен|надіслано|відправлено|изпратено|изпратен|послато
        ημερομηνία|στάλθηκε|gönderildi|gönderme tarihi|tarih
        gönderilme|נשלח|תאריך|تاريخ الإرسال|التاريخ
        تم الإرسال|أرسلت|تاریخ|ارسال|भेजा गया|दिनांक
        ส่ง|วันที่|ส่งเมื่อ|đã gửi|ngày|thời gian gửi|terkirim
        dikirim|tanggal|送信日時|日時|日付|送信|보낸 날짜
        날짜|보낸날짜|일시|发送时间|发送日期|日期|時間
        寄件日期|傳送時間|發送時間|时间|bidalia|envoyée|enviat|expédié|datum i vrijeme|afsendt
        """,
    "to": """
        to|aan|an|à|a|para|till|til|vastaanottaja|saaja|kellele|kam|komu|do|címzett|către|catre
        destinataire|destinatario|destinatário|кому|до|на|към|за|προς|kime|alıcı|אל|ל|إلى|به|گیرنده
        प्रति|ถึง|đến|tới|người nhận|kepada|ke|untuk
        宛先|받는 사람|받는사람|수신|收件人|收件者|nori|prima|za
        adressat|příjemce|příjemci|prejemnik|수신인|destinataires|per a
        """,
    "cc": """
        cc|copie|copie à|copia|kopie|kopia|kopi|kopio|cópia|másolatot kap|másolat|kopija|копия|копія
        копие|κοιν|κοινοποίηση|bilgi|עותק|نسخة|رونوشت|สำเนา
        참조|抄送|副本|dw|c.c|bcc|cópia para|cci|kk
        """,
    "subject": """
        subject|onderwerp|betreff|betrifft|objet|sujet|asunto|assunto|oggetto|ämne|emne|aihe|efni
        teema|temats|tema|temat|předmět|predmet|zadeva|naslov|tárgy|subiect|тема|предмет|относно
        заглавие|θέμα|konu|נושא|הנדון|الموضوع|موضوع
        विषय|เรื่อง|หัวเรื่อง|chủ đề|tiêu đề|subjek|perihal
        judul|件名|제목|主题|主題|标题|標題|assumpte|gaia|re|pealkiri|sujet du message
        """,
    "other": """
        reply-to|répondre à|risposta|rispondi a|antwoord aan|antwort an|responder a|attachments
        bijlagen|anlagen|pièces jointes|allegati|adjuntos|anexos|bilagor|vedlegg|importance|priorité
        belang|wichtigkeit|importancia|priority|prioridad|odpowiedź do|ответить|odpověď|organization
        """,
}

# Between dashes above an old mail, or followed by a colon on a line of its own.
_OLD_MAIL: Final = """
original message|original mail|original email|forwarded message|forwarded mail|forwarded by
reply message|begin forwarded message|start of forwarded message|original appointment
previous message|message d'origine|message original|message transféré|message initial
début du message transféré|début du message réexpédié|mail original|courriel original
oorspronkelijk bericht|origineel bericht|doorgestuurd bericht|begin doorgestuurd bericht
oorspronkelijke bericht|antwoord bericht|doorgezonden bericht
ursprüngliche nachricht|ursprungsnachricht|originalnachricht|original-nachricht
weitergeleitete nachricht|urspruengliche nachricht|anfang der weitergeleiteten nachricht
anfang der weitergeleiteten e-mail|ursprüngliche mail|weitergeleitete mail
mensaje original|mensaje reenviado|inicio del mensaje reenviado|mensaje enviado|missatge original
missatge reenviat|mensagem original|mensagem encaminhada|mensagem reencaminhada
início da mensagem encaminhada|início da mensagem reencaminhada|messaggio originale
messaggio inoltrato|inizio messaggio inoltrato|inizio del messaggio inoltrato|messaggio inviato
ursprungligt meddelande|originalmeddelande|vidarebefordrat meddelande|vidarebefordrat brev
original meddelelse|oprindelig meddelelse|videresendt meddelelse|oprindelig besked
videresendt besked|start på videresendt besked|opprinnelig melding|videresendt melding
start på videresendt melding|begynnelse på videresendt melding|alkuperäinen viesti
edelleenlähetetty viesti|välitetty viesti|välitetty viesti alkaa|upprunaleg skilaboð
algne kiri|algne sõnum|edastatud sõnum|sākotnējais ziņojums|pārsūtīta vēstule|originalus laiškas
persiųstas laiškas|oryginalna wiadomość|wiadomość oryginalna|wiadomość pierwotna
wiadomość przekazana dalej|przekazana wiadomość|początek przekazywanej wiadomości
treść przekazanej wiadomości|původní zpráva|původní e-mail|přeposlaná zpráva
začátek přeposílané zprávy|přeposlaný e-mail|pôvodná správa|preposlaná správa
izvirno sporočilo|posredovano sporočilo|izvorna poruka|originalna poruka|proslijeđena poruka
prosleđena poruka|изворна порука|eredeti üzenet|továbbított üzenet|továbbított levél kezdete
mesaj original|mesajul original|mesaj redirecționat|mesaj inițial
исходное сообщение|оригинальное сообщение|пересылаемое сообщение|пересланное сообщение
начало переадресованного сообщения|исходное письмо|пересылаемое письмо|вихідне повідомлення
оригінальне повідомлення|переслане повідомлення|початок листа, що пересилається
оригинално съобщение|препратено съобщение|първоначално съобщение|αρχικό μήνυμα
προωθημένο μήνυμα|orijinal mesaj|özgün ileti|iletilen mesaj|iletilmiş ileti|orijinal ileti
הודעה מקורית|הודעה שהועברה|הודעה מועברת|الرسالة الأصلية|رسالة معاد توجيهها|الرسالة المعاد توجيهها
پیام اصلی|मूल संदेश|अग्रेषित संदेश|ข้อความต้นฉบับ|ข้อความที่ส่งต่อ|tin nhắn gốc|thư gốc
thư đã chuyển tiếp|thư chuyển tiếp|pesan asli|pesan yang diteruskan|pesan terusan|mesej asal
元のメッセージ|転送メッセージ|転送されたメッセージ
オリジナルメッセージ|元のメール|원본 메시지|원본 메일
전달된 메시지|전달된 메일|원본메시지|원본메일|原始邮件|原始郵件|转发邮件|轉寄郵件|转发的邮件
邮件原件|原邮件|原文|被转发的邮件|轉寄的郵件|原始訊息|回复的原邮件|jatorrizko mezua|mensaxe orixinal
"""

# What programs call themselves and what they run on: a line "sent from my …" is a signature only
# with one of them in it, or when it is short and says nothing more.
_DEVICES: Final = """
iphone|ipad|ipod|iphon|android|galaxy|samsung|blackberry|windows phone|windows mail|lumia|nokia
huawei|xiaomi|redmi|honor|oneplus|oppo|vivo|pixel|motorola|moto|htc|sony|xperia|lg|wiko|alcatel
smartphone|handy|mobilgerät|mobiltelefon|mobile|mobiele|telefoon|téléphone|teléfono|móvil|celular
telemóvel|cellulare|telefono|telefon|phone|tablet|mobil|device|dispositivo|appareil|puhelimesta
outlook|yahoo|aol|gmail|airmail|mailbox|mail for windows|windows 10|windows 11|courrier|k-9|k9
proton|protonmail|tutanota|tuta|spark|newton|bluemail|blue mail|mailspring|thunderbird|fairemail
mymail|mail.ru|яндекс|телефона|айфона|mail|fastmail|hey|posteo|mailo|edison|boxer|nine|zoho|ti-85
watch|mac|macbook|pc|laptop|cell|手机|手機
携帯|スマートフォン|휴대폰|網易|网易|qq邮箱|foxmail|desktop
"""

_SENT_FROM: Final = """
sent from|sent via|sent by|sent with|sent using|sent on|from my|get outlook|download outlook
verzonden vanaf|verstuurd vanaf|verzonden met|verstuurd met|verzonden via|gestuurd vanaf
vanaf mijn|von meinem|gesendet von|gesendet mit|gesendet über|von unterwegs|gesendet aus
diese nachricht wurde von|holen sie sich outlook|outlook für|outlook voor|télécharger outlook
envoyé de|envoyé depuis|envoyé à partir|envoyé avec|envoyé par|obtenez outlook|provenance
enviado desde|enviado con|enviado do|enviado a partir|enviado de|enviado pelo|enviado via
enviado por|obtener outlook|obter o outlook|enviat des|enviat amb
inviato da|inviato dal|inviato con|inviata da|scarica outlook|ottieni outlook
skickat från|skickades från|hämta outlook|sendt fra|sendt via|sendt med|hent outlook|få outlook
lähetetty|hanki outlook|sent úr|saadetud|nosūtīts no|išsiųsta iš
wysłane z|wysłano z|pobierz outlook|odesláno z|odesláno ze|odesláno pomocí|získejte outlook
odoslané z|poslano z|poslano s|elküldve|küldve|iphone-ról|trimis de pe|trimis din|descărcați
отправлено с|отправлено из|отправлено со|отправлено через|надіслано з|надіслано із|відправлено з
изпратено от|послато са|στάλθηκε από|απεστάλη από|şuradan gönderildi|gönderildi|iphone'umdan
נשלח מ|أُرسلت من|أرسلت من|مرسل من|تم الإرسال من|ارسال شده از|ส่งจาก|được gửi từ|gửi từ
dikirim dari|dihantar daripada|terkirim dari|從我的|从我的
发自我的|發自我的|传自我的|傳送自|发自|來自
から送信|送信元|iphoneから|나의 iphone|에서 보냄|iphone에서|bidalia|enviado dende
"""


def _items(table: str) -> list[str]:
    return [item.strip().casefold() for item in re.split(r"[|\n]", table) if item.strip()]


def _either(items: list[str]) -> str:
    return "|".join(re.escape(item) for item in sorted(set(items), key=len, reverse=True))


@cache
def wrote_pattern() -> re.Pattern[str]:
    """A word for "wrote", in casefolded text."""
    return re.compile(
        rf"(?<!\w)(?:{_either(_items(_WROTE))})(?!\w)|(?:{_either(_items(_WROTE_ANYWHERE))})"
    )


@cache
def field_kinds() -> dict[str, str]:
    """From the casefolded name of a header field to what it is: from, sent, to, cc …"""
    kinds: dict[str, str] = {}
    for kind, table in _FIELDS.items():
        for name in _items(table):
            kinds.setdefault(name, kind)
    return kinds


@cache
def field_pattern() -> re.Pattern[str]:
    """A header field anywhere in a casefolded line: its name and a colon."""
    return re.compile(rf"(?:^|(?<=[\s*]))({_either(list(field_kinds()))})\s?[*_]*\s?[:：]")


@cache
def old_mail_phrases() -> frozenset[str]:
    """What stands between the dashes above an old mail, casefolded."""
    return frozenset(_items(_OLD_MAIL))


@cache
def sent_from_pattern() -> re.Pattern[str]:
    """The beginning of a telephone's line, in casefolded text."""
    return re.compile(rf"(?:{_either(_items(_SENT_FROM))})")


@cache
def device_pattern() -> re.Pattern[str]:
    """A thing or program that mail is sent from, in casefolded text."""
    return re.compile(rf"(?:{_either(_items(_DEVICES))})")


# Lines of the same purpose in the mails of other servers.
_OTHER_SENTINEL: Final = r"(?:reply|write|type|respond|antwoord)\b.{0,40}\babove this line\b"


@cache
def other_sentinel_pattern() -> re.Pattern[str]:
    """A line of another server that asks to write above it, in casefolded text."""
    return re.compile(_OTHER_SENTINEL)


@cache
def sentinel_cores() -> frozenset[str]:
    """The words of our sentinel lines without dashes, casefolded."""
    return frozenset(line.strip(" —").casefold() for line in SENTINELS.values())
