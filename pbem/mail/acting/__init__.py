"""Doing what a mail asks for, by topic; ``pbem.mail.act`` is the door.

``errand`` is what is at hand for one mail, ``orders`` what is played, ``asking`` what is only
told, ``arranging`` invitations, ``affairs`` settings, leave and rules, ``joining`` who is new.
"""
