"""What other mail servers and programs write by themselves: delivery reports, out-of-office."""

from __future__ import annotations

from email import policy
from email.message import EmailMessage

from tests.functional.mails import Mail


def delivery_report(mail: Mail, *, status: str = "5.1.1") -> bytes:
    """The recipient's server cannot deliver a mail of ours (RFC 3464)."""
    report = EmailMessage(policy=policy.SMTP)
    report["From"] = "Mail Delivery System <mailer-daemon@mx.example.org>"
    report["To"] = mail.delivered.sender
    report["Subject"] = "Undelivered Mail Returned to Sender"
    report["Message-ID"] = f"<report-{mail.delivered.number}@mx.example.org>"
    report["Auto-Submitted"] = "auto-replied"
    report.set_content("Your mail could not be delivered to one or more recipients.\n")
    report.make_mixed()
    told = EmailMessage(policy=policy.SMTP)
    told["Content-Type"] = "message/delivery-status"
    told.set_payload(
        "Reporting-MTA: dns; mx.example.org\n\n"
        f"Final-Recipient: rfc822; {mail.delivered.recipient}\n"
        f"Action: failed\nStatus: {status}\n"
        "Diagnostic-Code: smtp; 550 5.1.1 there is no such mailbox\n"
    )
    report.attach(told)
    headers = EmailMessage(policy=policy.SMTP)
    headers["Content-Type"] = "text/rfc822-headers"
    headers.set_payload(f"Message-ID: {mail.message_id}\nSubject: {mail.subject}\n")
    report.attach(headers)
    report.replace_header("Content-Type", report["Content-Type"].replace("mixed", "report"))
    report.set_param("report-type", "delivery-status")
    return report.as_bytes()


def out_of_office(message: EmailMessage) -> None:
    """Make a reply one that a program has written."""
    message["Auto-Submitted"] = "auto-replied"
    message["X-Auto-Response-Suppress"] = "All"
    subject = str(message["Subject"]).removeprefix("Re: ")
    message.replace_header("Subject", f"Automatic reply: {subject}")
