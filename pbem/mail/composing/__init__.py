"""How mails of ours come to be, by topic; ``pbem.mail.compose`` is the door.

``desk`` is what is at hand for one mail, ``game_views`` what is shown of a game, ``game_mails``,
``sections``, ``bundles`` and ``other_mails`` say what each kind of mail consists of, ``drafts``
what that comes to, and ``rendering`` fills in the templates.
"""
