"""The help pages' content: every clause of the rules and the notation, with an example each.

``model`` says what a clause consists of, ``figures`` plays and draws the examples, the other
modules hold the texts, one for each part. The full wording is ``docs/rules.md`` and
``docs/notation.md``; here each clause is said shortly, in every language.
"""
