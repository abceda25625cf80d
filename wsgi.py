"""The door for a WSGI server, kept free for the web pages; there is nothing behind it yet."""
