"""Attribution lines, header blocks and markers of many programs and languages (L4.2).

Each is tried above marked lines, above unmarked lines, and above an answer below the quote. The
quoted mail has orders in it, so that a leak would be played.
"""

from __future__ import annotations

import pytest

from pbem.mail.known_lines import KnownLines, prints_of
from pbem.mail.reply import Reply, read_reply
from pbem.mail.text_lines import fold

ORDERS = "W3:kite>E7; F2 rng G4"
QUOTED = ["Dear player,", "", "your orders could be", "E1 chg H7@H9", "end", "", "The server"]

ATTRIBUTIONS = {
    "gmail en": "On Tue, May 5, 2026 at 8:14 PM Ortus <turn@games.example> wrote:",
    "gmail en wrapped": "On Tue, May 5, 2026 at 8:14 PM The Ortus Server of Utrecht <\n"
    "turn.abcdefghijklmnop@games.example> wrote:",
    "gmail en three": "On Tue, May 5, 2026 at 8:14 PM\nOrtus Server <turn@games.example>\nwrote:",
    "apple en": "On 5 May 2026, at 20:14, Ortus <turn@games.example> wrote:",
    "apple us": "On May 5, 2026, at 8:14\u202fPM, Ortus <turn@games.example> wrote:",
    "fastmail": "On Tue, 5 May 2026, at 8:14 PM, Ortus wrote:",
    "evolution": "On Tue, 2026-05-05 at 20:14 +0200, Ortus wrote:",
    "mutt": "* Ortus <turn@games.example> [2026-05-05 20:14]:",
    "gnus": "Ortus Server <turn@games.example> writes:",
    "aol": "In a message dated 5/5/2026 8:14:00 PM Central European, turn@games.example writes:",
    "zoho": "---- On Tue, 05 May 2026 20:14:00 +0200 Ortus <turn@games.example> wrote ----",
    "outlook mobile": 'On Tue, May 5, 2026 at 8:14 PM +0200, "Ortus" <turn@games.example> wrote:',
    "superhuman": "On Tue, May 05, 2026 at 8:14 PM, Ortus < turn@games.example > wrote:",
    "yahoo": "    On Tuesday, 5 May 2026 at 20:14:05 CEST, Ortus <turn@games.example> wrote:  ",
    "spark": "On 5 May 2026, 20:14 +0200, Ortus <turn@games.example>, wrote:",
    "roundcube nl": "Ortus schreef op 2026-05-05 20:14:",
    "gmail nl": "Op di 5 mei 2026 om 20:14 schreef Ortus <turn@games.example>:",
    "apple nl": "Op 5 mei 2026, om 20:14 heeft Ortus <turn@games.example> het volgende geschreven:",
    "thunderbird nl": "Op 05-05-2026 om 20:14 schreef Ortus:",
    "ios nl": "Op 5 mei 2026 om 20:14 heeft Ortus <turn@games.example> het volgende\ngeschreven:",
    "gmail de": "Am Di., 5. Mai 2026 um 20:14 Uhr schrieb Ortus <turn@games.example>:",
    "apple de": "Am 05.05.2026 um 20:14 schrieb Ortus <turn@games.example>:",
    "kmail de": "Am Dienstag, 5. Mai 2026, 20:14:00 CEST schrieb Ortus:",
    "ox de": "Ortus <turn@games.example> hat am 05.05.2026 20:14 CEST geschrieben:",
    "tuta": "5. Mai 2026, 20:14 von turn@games.example:",
    "gmail fr": "Le mar. 5 mai 2026 à 20:14, Ortus <turn@games.example> a écrit :",
    "apple fr": "Le 5 mai 2026 à 20:14, Ortus <turn@games.example> a écrit\xa0:",
    "wrapped fr": "Le mar. 5 mai 2026 à 20:14, Ortus Serveur <turn@games.example>\na écrit :",
    "gmail es": "El mar, 5 may 2026 a las 20:14, Ortus (<turn@games.example>) escribió:",
    "apple es": "El 5 may 2026, a las 20:14, Ortus <turn@games.example> escribió:",
    "gmail pt": "Em ter., 5 de mai. de 2026 às 20:14, Ortus <turn@games.example> escreveu:",
    "apple pt": "No dia 05/05/2026, às 20:14, Ortus <turn@games.example> escreveu:",
    "gmail it": "Il giorno mar 5 mag 2026 alle ore 20:14 Ortus <turn@games.example>\nha scritto:",
    "gmail ca": "Missatge de Ortus <turn@games.example> del dia dt., 5 de maig 2026 a les 20:14:",
    "gmail gl": "O mar, 5 de maio de 2026 ás 20:14, Ortus (<turn@games.example>) escribiu:",
    "gmail eu": "Ortus erabiltzaileak hau idatzi du (2026 mai. 5(a), ar. (20:14)):",
    "gmail ro": "În mar., 5 mai 2026 la 20:14, Ortus <turn@games.example> a scris:",
    "gmail sv": "Den tis 5 maj 2026 kl 20:14 skrev Ortus <turn@games.example>:",
    "apple sv": "5 maj 2026 kl. 20:14 skrev Ortus <turn@games.example>:",
    "gmail da": "Den tirs. 5. maj 2026 kl. 20.14 skrev Ortus <turn@games.example>:",
    "gmail no": "tir. 5. mai 2026 kl. 20:14 skrev Ortus <turn@games.example>:",
    "gmail fi": "ti 5. toukok. 2026 klo 20.14 Ortus (turn@games.example) kirjoitti:",
    "apple fi": "Ortus <turn@games.example> kirjoitti 5.5.2026 kello 20.14:",
    "gmail is": "Þann þri., 5. maí 2026 kl. 20:14 skrifaði Ortus <turn@games.example>:",
    "gmail et": "Kuupäev T, 5. mai 2026 kell 20:14 kirjutas Ortus (<turn@games.example>):",
    "gmail lv": "otrd., 2026. g. 5. maijs, plkst. 20:14 — lietotājs Ortus\n"
    "(<turn@games.example>) rakstīja:",
    "gmail lt": "2026-05-05, an, 20:14 Ortus <turn@games.example> rašė:",
    "gmail pl": "wt., 5 maj 2026 o 20:14 Ortus <turn@games.example> napisał(a):",
    "thunderbird pl": "W dniu 5.05.2026 o 20:14, Ortus pisze:",
    "gmail cs": "út 5. 5. 2026 v 20:14 odesílatel Ortus <turn@games.example> napsal:",
    "seznam cs": "Dne 5. 5. 2026 20:14 napsal uživatel Ortus <turn@games.example>:",
    "gmail sk": "ut 5. 5. 2026 o 20:14 Ortus <turn@games.example> napísal(a):",
    "gmail sl": "V V tor., 5. maj 2026 ob 20:14 je oseba Ortus <turn@games.example> napisala:",
    "gmail hr": "uto, 5. svi 2026. u 20:14 Ortus <turn@games.example> napisao je:",
    "gmail sr": "уто, 5. мај 2026. у 20:14 Ortus <turn@games.example> је написао/ла:",
    "gmail hu": "Ortus <turn@games.example> ezt írta (időpont: 2026. máj. 5., K, 20:14):",
    "thunderbird hu": "2026.05.05. 20:14 keltezéssel, Ortus írta:",
    "gmail bg": "На вт, 5.05.2026 г. в 20:14 Ortus <turn@games.example> написа:",
    "gmail ru": "вт, 5 мая 2026 г. в 20:14, Ortus <turn@games.example>:",
    "thunderbird ru": "05.05.2026 20:14, Ortus пишет:",
    "mail.ru": "Вторник, 5 мая 2026, 20:14 +03:00 от Ortus <turn@games.example>:",
    "yandex": '05.05.2026, 20:14, "Ortus" <turn@games.example>:',
    "gmail uk": "вт, 5 трав. 2026 р. о 20:14 Ortus <turn@games.example> пише:",
    "gmail be": "аў, 5 мая 2026 г. у 20:14 Ortus <turn@games.example> піша:",
    "gmail el": "Στις Τρί 5 Μαΐ 2026 στις 8:14 μ.μ., ο/η Ortus <turn@games.example> έγραψε:",
    "gmail tr": "Ortus <turn@games.example>, 5 May 2026 Sal, 20:14 tarihinde şunu yazdı:",
    "apple tr": "Ortus <turn@games.example> şunları yazdı (5 May 2026 20:14):",
    "gmail he": "\u202b\u202aOrtus\u202c\u200f <\u202aturn@games.example\u202c\u200f>\u202c "
    "\u202bבתאריך יום ג׳, 5 במאי 2026 ב-20:14 מאת:\u202c",
    "gmail ar": "في الثلاثاء، 5 مايو 2026 في 8:14 م تمت كتابة ما يلي بواسطة Ortus "
    "<turn@games.example>:",
    "gmail ar digits": "في ٥ مايو ٢٠٢٦، الساعة ٨:١٤ م، كتب Ortus <turn@games.example>:",
    "gmail fa": "در تاریخ سه‌شنبه ۵ مهٔ ۲۰۲۶، ۲۰:۱۴ Ortus <turn@games.example> نوشت:",
    "gmail hi": "मंगल, 5 मई 2026 को 8:14 pm बजे को Ortus <turn@games.example> ने लिखा:",
    "gmail th": "ในวันที่ อ. 5 พ.ค. 2026 เวลา 20:14 Ortus <turn@games.example> เขียนว่า:",
    "gmail vi": "Vào Th 3, 5 thg 5, 2026 vào lúc 20:14 Ortus <turn@games.example> đã viết:",
    "gmail id": "Pada tanggal Sel, 5 Mei 2026 pukul 20.14 Ortus <turn@games.example>\nmenulis:",
    "gmail ja": "2026年5月5日(火) 20:14 Ortus <turn@games.example>:",
    "apple ja": "2026/05/05 20:14、Ortus <turn@games.example>のメール:",
    "gmail ko": "2026년 5월 5일 (화) 오후 8:14, Ortus <turn@games.example>님이 작성:",
    "gmail zh": "Ortus <turn@games.example> 于2026年5月5日周二 20:14写道：",
    "gmail tw": "Ortus <turn@games.example> 於 2026年5月5日 週二 下午8:14寫道：",
    "apple zh": "在 2026年5月5日，20:14，Ortus <turn@games.example> 写道：",
    "netease": 'At 2026-05-05 20:14:05, "Ortus" <turn@games.example> wrote:',
    "netease zh": '在 2026-05-05 20:14:05，"Ortus" <turn@games.example> 写道：',
    "unknown language": "Kuo 5 Mezo 2026, 20:14 Ortus <turn@games.example> zapalo:",
    "gmail old": "2026-05-05 20:14 GMT+02:00 Ortus <turn@games.example>:",
    "gmail af": "Op Di. 5 Mei 2026 om 20:14 het Ortus <turn@games.example> geskryf:",
    "closing angle": "tir. 5. mai 2026 kl. 20:14 skrev Ortus <turn.abcdefghijk@games.example\n>:",
    "bold": "*On Tue, May 5, 2026 at 8:14 PM Ortus <turn@games.example> wrote:*",
}

BLOCKS = {
    "outlook en": "From: Ortus <turn@games.example>\nSent: Tuesday, May 5, 2026 8:14 PM\n"
    "To: Ann <ann@mail.example>\nSubject: Your turn",
    "outlook bold": "*From:* Ortus <turn@games.example>\n*Sent:* Tuesday, May 5, 2026 8:14 PM\n"
    "*To:* Ann\n*Subject:* Your turn",
    "outlook rule": "________________________________\nFrom: Ortus\nSent: 5 May 2026 20:14\n"
    "To: Ann\nSubject: Your turn",
    "outlook mac": "From: Ortus <turn@games.example>\nDate: Tuesday, 5 May 2026 at 20:14\n"
    "To: Ann <ann@mail.example>\nSubject: Your turn",
    "outlook nl": "Van: Ortus <turn@games.example>\nVerzonden: dinsdag 5 mei 2026 20:14\n"
    "Aan: Ann\nOnderwerp: Je beurt",
    "outlook de": "Von: Ortus <turn@games.example>\nGesendet: Dienstag, 5. Mai 2026 20:14\n"
    "An: Ann\nBetreff: Du bist am Zug",
    "gmx de": "Gesendet: Dienstag, 05. Mai 2026 um 20:14 Uhr\nVon: Ortus <turn@games.example>\n"
    "An: ann@mail.example\nBetreff: Du bist am Zug",
    "outlook fr": "De : Ortus <turn@games.example>\nEnvoyé : mardi 5 mai 2026 20:14\nÀ : Ann\n"
    "Objet : À vous de jouer",
    "outlook es": "De: Ortus <turn@games.example>\nEnviado: martes, 5 de mayo de 2026 20:14\n"
    "Para: Ann\nAsunto: Tu turno",
    "outlook pt": "De: Ortus <turn@games.example>\nEnviada em: terça-feira, 5 de maio de 2026\n"
    "Para: Ann\nAssunto: Sua vez",
    "outlook it": "Da: Ortus <turn@games.example>\nInviato: martedì 5 maggio 2026 20:14\nA: Ann\n"
    "Oggetto: Il tuo turno",
    "outlook sv": "Från: Ortus <turn@games.example>\nSkickat: den 5 maj 2026 20:14\nTill: Ann\n"
    "Ämne: Din tur",
    "outlook da": "Fra: Ortus <turn@games.example>\nSendt: 5. maj 2026 20:14\nTil: Ann\n"
    "Emne: Din tur",
    "outlook fi": "Lähettäjä: Ortus <turn@games.example>\nLähetetty: tiistai 5. toukokuuta 2026\n"
    "Vastaanottaja: Ann\nAihe: Sinun vuorosi",
    "outlook pl": "Od: Ortus <turn@games.example>\nWysłano: wtorek, 5 maja 2026 20:14\nDo: Ann\n"
    "Temat: Twoja kolej",
    "outlook cs": "Od: Ortus <turn@games.example>\nOdesláno: úterý 5. května 2026 20:14\n"
    "Komu: Ann\nPředmět: Jste na tahu",
    "outlook hu": "Feladó: Ortus <turn@games.example>\nElküldve: 2026. május 5. 20:14\n"
    "Címzett: Ann\nTárgy: Te jössz",
    "outlook ro": "De la: Ortus <turn@games.example>\nTrimis: marți, 5 mai 2026 20:14\nCătre: Ann\n"
    "Subiect: Rândul tău",
    "outlook ru": "От: Ortus <turn@games.example>\nОтправлено: вторник, 5 мая 2026 г. 20:14\n"
    "Кому: Ann\nТема: Ваш ход",
    "outlook uk": "Від: Ortus <turn@games.example>\nНадіслано: вівторок, 5 травня 2026 р. 20:14\n"
    "Кому: Ann\nТема: Ваш хід",
    "outlook el": "Από: Ortus <turn@games.example>\nΣτάλθηκε: Τρίτη, 5 Μαΐου 2026 8:14 μμ\n"
    "Προς: Ann\nΘέμα: Η σειρά σου",
    "outlook tr": "Gönderen: Ortus <turn@games.example>\nGönderildi: 5 Mayıs 2026 Salı 20:14\n"
    "Kime: Ann\nKonu: Sıra sende",
    "outlook he": "מאת: Ortus <turn@games.example>\nנשלח: יום שלישי 5 מאי 2026 20:14\nאל: Ann\n"
    "נושא: תורך",
    "outlook ar": "من: Ortus <turn@games.example>\nتم الإرسال: 5 مايو 2026 20:14\nإلى: Ann\n"
    "الموضوع: دورك",
    "outlook ja": "差出人: Ortus <turn@games.example>\n送信日時: 2026年5月5日 20:14\n宛先: Ann\n"
    "件名: あなたの番です",
    "outlook ko": "보낸 사람: Ortus <turn@games.example>\n보낸 날짜: 2026년 5월 5일 화요일\n"
    "받는 사람: Ann\n제목: 당신 차례",
    "outlook zh": "发件人: Ortus <turn@games.example>\n发送时间: 2026年5月5日 20:14\n收件人: Ann\n"
    "主题: 轮到你了",
    "outlook tw": "寄件者: Ortus <turn@games.example>\n寄件日期: 2026年5月5日 20:14\n收件者: Ann\n"
    "主旨: 輪到你了",
    "one line": "From: Ortus <turn@games.example> Sent: 5 May 2026 20:14 To: Ann Subject: Turn",
    "original message": "-----Original Message-----\nFrom: Ortus\nSent: 5 May 2026\nTo: Ann\n"
    "Subject: Your turn",
    "original message nl": "-----Oorspronkelijk bericht-----",
    "original message de": "-------- Ursprüngliche Nachricht --------",
    "original message da": "-------- Oprindelig besked --------",
    "original message fr": "-------- Message d'origine --------",
    "samsung": "-------- Original message --------\nFrom: Ortus <turn@games.example>\n"
    "Date: 05/05/2026 20:14 (GMT+01:00)\nTo: ann@mail.example\nSubject: Your turn",
    "proton": "------- Original Message -------\nOn Tuesday, May 5th, 2026 at 8:14 PM, Ortus "
    "<turn@games.example> wrote:",
    "proton new": "-------- Original Message --------\nOn 5/5/26 8:14 PM, Ortus  wrote:",
    "qq": '--------------- 原始邮件 ---------------\n发件人: "Ortus" <turn@games.example>;\n'
    '发送时间: 2026年5月5日 20:14\n收件人: "Ann"\n主题: 轮到你了',
    "gmail forward": "---------- Forwarded message ---------\nFrom: Ortus <turn@games.example>\n"
    "Date: Tue, May 5, 2026 at 8:14 PM\nSubject: Your turn\nTo: <ann@mail.example>",
    "gmail forward nl": "---------- Doorgestuurd bericht ---------\nVan: Ortus\n"
    "Date: di 5 mei 2026 om 20:14\nSubject: Je beurt\nTo: <ann@mail.example>",
    "unknown dashes": "----- Kapula mezo -----\nFrom: Ortus\nSent: 5 May 2026\nTo: Ann",
    "sentinel": "— reply above this line —",
    "sentinel nl": "— antwoord boven deze regel —",
    "sentinel changed": "-- Reply above this line --",
}

OTHERS = {
    "double": "From: Ortus\n\nSent: 5 May 2026 20:14\n\nTo: Ann\n\nSubject: Turn",
    "exch": "From: Ortus\nSent: Tuesday, 5 May 2026 20:14\n"
    "To: Ann; Bob; Carol <c@d.e>;\n Dave\nCc: Eve\n"
    "Subject: RE: x\nImportance: High",
    "horde": "Quoting Ortus <turn@games.example>:",
    "horde_de": "Zitat von Ortus <turn@games.example>:",
    "horde_nl": "Citeren Ortus <turn@games.example>:",
    "article": "In article <abc@games.example>, Ortus <turn@games.example> wrote:",
    "tonline": "-----Original-Nachricht-----\nBetreff: x\n"
    "Datum: 2026-05-05T20:14:05+0200\n"
    'Von: "Ortus" <turn@games.example>\nAn: ann@mail.example',
    "bluewin": "----Ursprüngliche Nachricht----\n"
    "Von : turn@games.example\n"
    "Datum : 05/05/2026 - 20:14 (MS)\nAn : ann@mail.example\n"
    "Betreff : x",
    "kpn": "----Origineel Bericht----\nVan : turn@games.example\n"
    "Datum : 05/05/2026 20:14\nAan : ann@mail.example\n"
    "Onderwerp : x",
    "seznam": "---------- Původní e-mail ----------\n"
    "Od: Ortus <turn@games.example>\nKomu: ann@mail.example\n"
    "Datum: 5. 5. 2026 20:14:05\nPředmět: x",
    "onet": 'Od: "Ortus" <turn@games.example>\nDo: ann@mail.example;\n'
    "Wysłane: 20:14 Wtorek 2026-05-05\nTemat: x",
    "tb_fwd": "-------- Forwarded Message --------\n"
    "Subject: \tYour turn\n"
    "Date: \tTue, 5 May 2026 20:14:05 +0200\n"
    "From: \tOrtus <turn@games.example>\nTo: \tann@mail.example",
    "zimbra_fr": "----- Mail original -----\n"
    'De: "Ortus" <turn@games.example>\n'
    'À: "ann" <ann@mail.example>\n'
    "Envoyé: Mardi 5 Mai 2026 20:14:05\nObjet: x",
    "tb_wrote_on": "Ortus wrote on 5/5/2026 8:14 PM:",
    "mailtodup": "On 5 May 2026, at 20:14, Ortus "
    "<turn.k2j3h4g5k2j3h4g5k2j3h4g5@games.example"
    "<mailto:turn.k2j3h4g5k2j3h4g5k2j3h4g5@games.example>> wrote:",
    "zendesk": "##- Please type your reply above this line -##",
    "ko": "2026-05-05 20:14, Ortus 님이 쓴 글:",
    "naver": "-----Original Message-----\n"
    'From: "Ortus"<turn@games.example>\n'
    'To: "ann"<ann@mail.example>;\nCc:\n'
    "Sent: 2026-05-05 (화) 20:14:05 (GMT+09:00)\nSubject: Turn",
    "hotmail": "Date: Tue, 5 May 2026 20:14:05 +0200\nSubject: Turn\n"
    "From: turn@games.example\nTo: ann@mail.example",
    "yahoo_fr": "De : Ortus <turn@games.example>\nÀ : ann@mail.example\n"
    "Envoyé le : Mardi 5 mai 2026 20h14\nObjet : x",
    "yahoo_de": "Am Dienstag, 5. Mai 2026, 20:14:05 MESZ hat Ortus "
    "<turn@games.example> Folgendes geschrieben:  ",
    "yahoo_es": "El martes, 5 de mayo de 2026, 20:14:05 CEST, Ortus <turn@games.example> escribió:",
    "yahoo_it": "Il martedì 5 maggio 2026 alle ore 20:14:05 CEST, Ortus "
    "<turn@games.example> ha scritto:",
    "yahoo_nl": "    Op dinsdag 5 mei 2026 om 20:14:05 CEST schreef Ortus <turn@games.example>:",
    "yahoo_pt": "Em terça-feira, 5 de maio de 2026 20:14:05 BRT, Ortus "
    "<turn@games.example> escreveu:",
    "blackberry": "-----Original Message-----\n"
    "From: Ortus <turn@games.example>\n"
    "Date: Tue, 05 May 2026 20:14:05 \n"
    "To: <ann@mail.example>\nSubject: Turn",
    "groupwise": ">>> Ortus <turn@games.example> 05/05/2026 20:14 >>>",
    "eudora": "At 20:14 05-05-2026, you wrote:",
    "eudora2": "At 08:14 PM 5/5/2026 +0200, Ortus wrote:",
    "pine": "On Tue, 5 May 2026, Ortus wrote:",
    "bat": "Tuesday, May 5, 2026, 8:14:05 PM, you wrote:",
    "bat_ru": "Вы писали 5 мая 2026 г., 20:14:05:",
    "vivaldi": "On 2026-05-05 20:14:05 +0200, Ortus said:",
    "simplelogin": 'On 5 May 2026 20:14:05 CEST, "Ortus - turn at games.example" '
    "<x_y_z@relay.example> wrote:",
    "mailbox.org": "Ortus <turn@games.example> schrieb am 05.05.2026 20:14 CEST:",
    "mimestream": "On May 5, 2026 at 8:14:05\u202fPM, Ortus (turn@games.example) wrote:",
    "edison": "On May 5, 2026 at 8:14 PM, <Ortus (mailto:turn@games.example)> wrote:",
    "newton": "On Tue, May 5, 2026 at 8:14 PM Ortus\n<\n"
    "mailto:Ortus <turn@games.example>\n> wrote:",
    "mailbird": "On 05/05/2026 20:14:05, Ortus <turn@games.example> wrote:",
    "em_client": "------ Original Message ------\n"
    'From "Ortus" <turn@games.example>\nTo ann@mail.example\n'
    "Date 05/05/2026 20:14:05\nSubject x",
    "em_client_old": "------ Original Message ------\n"
    'From: "Ortus" <turn@games.example>\n'
    "To: ann@mail.example\nSent: 05/05/2026 20:14:05\n"
    "Subject: Turn",
    "postbox": "Ortus wrote on 5/5/26 8:14 PM:",
    "claws": "On Tue, 5 May 2026 20:14:05 +0200\nOrtus <turn@games.example> wrote:",
    "sylpheed": "Op Tue, 5 May 2026 20:14:05 +0200\nOrtus <turn@games.example> schreef:",
    "geary": "On Tue, May 5, 2026 at 20:14, Ortus <turn@games.example> wrote:",
    "aerc": "On Tue May 5, 2026 at 8:14 PM CEST, Ortus wrote:",
    "sogo": "Le Mardi, Mai 05, 2026 20:14 CEST, Ortus <turn@games.example> a écrit:",
    "rainloop": 'May 5, 2026 8:14 PM, "Ortus" <turn@games.example> wrote:',
    "rainloop2": '5 mei 2026 20:14, "Ortus" '
    "<turn@games.example (mailto:turn@games.example?to=x)> schreef:",
    "kolab": "Op 2026-05-05 20:14 schreef Ortus:",
    "sl": "Od: Ortus\nPoslano: torek, 05. maj 2026 20:14\nZa: Ann\nZadeva: x",
    "hr": "Šalje: Ortus <turn@games.example>\n"
    "Poslano: 5. svibnja 2026. 20:14\nPrima: Ann\nPredmet: x",
    "et": "Saatja: Ortus\nSaadetud: teisipäev, 5. mai 2026 20:14\nAdressaat: Ann\nTeema: x",
    "lt": "Nuo: Ortus\nIšsiųsta: 2026 m. gegužės 5 d. 20:14\nKam: Ann\nTema: x",
    "lv": "No: Ortus\nNosūtīts: otrdiena, 2026. gada 5. maijs\nKam: Ann\nTēma: x",
    "vi": "Từ: Ortus\nĐã gửi: 5 tháng 5, 2026\nĐến: Ann\nChủ đề: x",
    "th": "จาก: Ortus\nส่ง: 5 พฤษภาคม 2026\nถึง: Ann\nเรื่อง: x",
    "id": "Dari: Ortus\nDikirim: Selasa, 05 Mei 2026\nKepada: Ann\nSubjek: x",
    "bg": "От: Ortus\nИзпратено: 5 май 2026\nДо: Ann\nОтносно: x",
    "sr": "Од: Ortus\nПослато: 5. мај 2026.\nЗа: Ann\nТема: x",
    "sk": "Od: Ortus\nOdoslané: utorok 5. mája 2026 20:14\nKomu: Ann\nPredmet: x",
    "ca": "De: Ortus\nEnviat: dimarts, 5 de maig de 2026 20:14\nPer a: Ann\nTema: x",
    "no": "Fra: Ortus\nSendt: tirsdag 5. mai 2026 20:14\nTil: Ann\nEmne: x",
    "is": "Frá: Ortus\nSent: 5. maí 2026\nTil: Ann\nEfni: x",
    "fa": "از: Ortus\nارسال شده: 2026/05/05\nبه: Ann\nموضوع: x",
}


def read(*lines: str, sent: tuple[str, ...] = ()) -> Reply:
    head = "From: ann@mail.example\nContent-Type: text/plain; charset=utf-8\n\n"
    return read_reply((head + "\n".join(lines)).encode(), sent=KnownLines(prints_of(sent)))


def marked(lines: list[str]) -> list[str]:
    return [f"> {line}".rstrip() for line in lines]


ALL = {**ATTRIBUTIONS, **BLOCKS, **OTHERS}


@pytest.mark.parametrize("name", ALL)
def test_above_marked_lines(name: str) -> None:
    reply = read(ORDERS, "", *ALL[name].split("\n"), "", *marked(QUOTED))
    assert reply.text == ORDERS
    assert reply.is_certain


@pytest.mark.parametrize("name", ALL)
def test_above_unmarked_lines(name: str) -> None:
    reply = read(ORDERS, "", *ALL[name].split("\n"), "", *QUOTED)
    assert reply.text == ORDERS
    assert reply.is_certain


@pytest.mark.parametrize("name", ALL)
def test_directly_below_the_reply(name: str) -> None:
    reply = read("Good luck!", ORDERS, *ALL[name].split("\n"), *QUOTED)
    assert reply.text == f"Good luck!\n{ORDERS}"
    assert reply.is_certain


@pytest.mark.parametrize("name", ATTRIBUTIONS)
def test_answers_below_a_marked_quote_count(name: str) -> None:
    reply = read(*ATTRIBUTIONS[name].split("\n"), *marked(QUOTED), "", ORDERS)
    assert reply.text == ORDERS
    assert reply.is_certain


@pytest.mark.parametrize("name", ATTRIBUTIONS)
def test_an_attribution_that_is_quoted_itself(name: str) -> None:
    reply = read(ORDERS, "", *marked(ATTRIBUTIONS[name].split("\n")), *marked(QUOTED))
    assert reply.text == ORDERS


@pytest.mark.parametrize("name", ALL)
def test_nothing_above_never_plays_what_is_below(name: str) -> None:
    """An empty reply above an unmarked mail: whatever is left has to be asked about (L4.4)."""
    reply = read(*ALL[name].split("\n"), "", *QUOTED)
    assert not reply.is_certain or not reply.text
    assert not reply.is_certain
    assert reply.below or reply.lines


@pytest.mark.parametrize("name", ALL)
def test_what_we_sent_is_not_asked_about(name: str) -> None:
    """With our own lines known, orders below the cut are no reason to ask about chat above it."""
    reply = read("Nice move!", "", *ALL[name].split("\n"), "", *QUOTED, sent=tuple(QUOTED))
    assert reply.text == "Nice move!"
    assert reply.is_certain


@pytest.mark.parametrize(
    "line",
    [
        "On Tuesday:",
        "I wrote you a letter:",
        "I have to leave at 18:30, so here are my orders:",
        "See you on 5 May 2026 at 8:14 PM.",
        "From: E7",
        "----- my orders -----",
        "Something wrote:",
        "- my first thought was",
        "One more thing:",
        "My address is ann@mail.example:",
        "Date: tomorrow",
        "to: G4",
    ],
)
def test_a_line_of_the_player_is_kept(line: str) -> None:
    reply = read("Hello Bob", "", line, ORDERS)
    assert fold(line) in fold(reply.text)
    assert ORDERS in reply.texts
