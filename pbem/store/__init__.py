"""The database: tables by topic with their queries, migrations, and the door to it all.

Fills the ports of ``pbem.play.ports``; nothing outside sees SQLAlchemy or a driver's error.
``database.open_store`` is where to begin.
"""
