"""What other mail servers and programs write by themselves: delivery reports, out-of-office."""

from __future__ import annotations

from email.message import EmailMessage

from tests.functional.mails import Mail

_REPORT = """\
From: Mail Delivery System <mailer-daemon@mx.example.org>
To: {sender}
Subject: Undelivered Mail Returned to Sender
Message-ID: <report-{number}@mx.example.org>
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="r"

--r
Content-Type: text/plain; charset=us-ascii

Your mail could not be delivered to one or more recipients.

--r
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; {recipient}
Action: failed
Status: {status}
Diagnostic-Code: smtp; 550 5.1.1 there is no such mailbox

--r
Content-Type: text/rfc822-headers

Message-ID: {message_id}
Subject: {subject}

--r--
"""


def delivery_report(mail: Mail, *, status: str = "5.1.1") -> bytes:
    """The recipient's server cannot deliver a mail of ours (RFC 3464)."""
    told = _REPORT.format(
        sender=mail.delivered.sender,
        number=mail.delivered.number,
        recipient=mail.delivered.recipient,
        status=status,
        message_id=mail.message_id,
        subject=mail.subject,
    )
    return told.replace("\n", "\r\n").encode()


def out_of_office(message: EmailMessage) -> None:
    """Make a reply one that a program has written."""
    message["Auto-Submitted"] = "auto-replied"
    message["X-Auto-Response-Suppress"] = "All"
    subject = str(message["Subject"]).removeprefix("Re: ")
    message.replace_header("Subject", f"Automatic reply: {subject}")
