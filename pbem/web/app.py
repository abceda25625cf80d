"""The Flask application: a factory that joins the blueprints and gives every answer its headers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from pbem.catalogues import get_tongue
from pbem.config import Settings
from pbem.mail.office import Office
from pbem.play.ports import Surroundings
from pbem.readiness import Readiness
from pbem.tongue import Tongue
from pbem.web.account import account
from pbem.web.annotating import annotating
from pbem.web.api import install_api
from pbem.web.api.problems import install_problems
from pbem.web.archive import archive
from pbem.web.arranging import arranging
from pbem.web.boards import boards
from pbem.web.booklets import booklets
from pbem.web.downloads import downloads
from pbem.web.events import events
from pbem.web.feeds import feeds
from pbem.web.fetching import Fetch, fetch_https
from pbem.web.forms import FormSessions, OwnForms
from pbem.web.games import games
from pbem.web.health import READINESS, health
from pbem.web.help import help_pages
from pbem.web.home import home
from pbem.web.house import House, MailWaits, Nudge, install_telling
from pbem.web.inbound import inbound
from pbem.web.limits import install_limits
from pbem.web.links import links
from pbem.web.people import people
from pbem.web.post_office import PostOffice, post_office
from pbem.web.ratings import ratings
from pbem.web.replay import replay
from pbem.web.signing_in import signing_in
from pbem.web.signing_up import signing_up
from pbem.web.speaking import SpeakingEnvironment
from pbem.web.standing import standing
from pbem.web.studies import studies
from pbem.web.stumbling import install_error_pages
from pbem.web.templating import install_templating
from pbem.web.tutorial import tutorial
from pbem.web.visiting import install_visiting

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self';"
        " img-src 'self' data:; frame-src 'self'; font-src 'self'; manifest-src 'self';"
        " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",  # the address of a page is the key to it
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "Cache-Control": "private, no-cache",
}
_POLICY: Final = "Content-Security-Policy"
_ANY_FRAME: Final = "frame-ancestors *"
"""How the policy of a page ends that other sites may show; older browsers have to be told, too."""
MAX_BODY: Final = 256 << 10
"""Bytes of a form or a call; the ways in for mail have a limit of their own."""

_FOREVER: Final = "max-age=31536000"


def create_app(
    around: Surroundings,
    office: Office,
    settings: Settings,
    *,
    nudge: Nudge | None = None,
    mail_waits: MailWaits | None = None,
    fetch: Fetch = fetch_https,
    tongues: Callable[[str], Tongue] = get_tongue,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    post: PostOffice | None = None,
) -> Flask:
    """The web of one server; ``post`` is the post office of a demonstration."""
    app = Flask("pbem.web")
    app.jinja_environment = SpeakingEnvironment
    app.url_map.strict_slashes = False
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.extensions["pbem"] = House(
        around=around,
        office=office,
        webhooks=settings.webhooks,
        nudge=nudge,
        mail_waits=mail_waits,
        fetch=fetch,
        tongues=tongues,
        clock=clock,
    )
    app.extensions[READINESS] = Readiness(lambda: around.store, settings.broker_url)
    app.config.update(
        SECRET_KEY=office.keys.derive("web"),
        MAX_CONTENT_LENGTH=MAX_BODY,
        MAX_FORM_MEMORY_SIZE=MAX_BODY,
        SESSION_COOKIE_NAME="pbem_form",
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=office.site_url.startswith("https://"),
        WTF_CSRF_TIME_LIMIT=None,
        WTF_CSRF_SSL_STRICT=False,  # it would want a Referer, which our own pages do not send
        SEND_FILE_MAX_AGE_DEFAULT=timedelta(days=365),
    )
    install_telling(app)
    install_visiting(app)  # before forms are looked at: one that is refused is told to somebody
    app.session_interface = FormSessions()
    csrf = OwnForms(app)
    for blueprint in (inbound, links):  # they prove themselves by signatures, without cookies
        csrf.exempt(blueprint)
        app.register_blueprint(blueprint)
    install_templating(app)
    pages = (
        boards,
        home,
        signing_in,
        signing_up,
        games,
        arranging,
        people,
        ratings,
        archive,
        downloads,
        booklets,
        studies,
        events,
        account,
        help_pages,
        standing,
        tutorial,
        feeds,
        replay,
        annotating,
        health,
    )
    for blueprint in pages:
        app.register_blueprint(blueprint)
    install_api(app, csrf)
    install_error_pages(app)
    install_problems(app)
    if post is None:
        install_limits(app, broker_url=settings.broker_url)
    else:  # a demonstration, where all come from one address and no mail leaves the machine
        app.extensions["pbem_post_office"] = post
        app.register_blueprint(post_office)
    headers = list(_HEADERS.items())
    if office.site_url.startswith("https://"):
        headers.append(("Strict-Transport-Security", _FOREVER))
    app.wsgi_app = _protecting(app.wsgi_app, headers)  # type: ignore[method-assign,assignment]
    if settings.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=settings.proxies)  # type: ignore[method-assign]
    return app


def _protecting(inner: WSGIApplication, headers: list[tuple[str, str]]) -> WSGIApplication:
    """Give every answer its headers, unless it has its own. Flask would look through them all for
    each one."""

    def protected(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        def start(
            status: str, own: list[tuple[str, str]], fault: Any = None
        ) -> Callable[[bytes], object]:
            there = {name.lower() for name, _ in own}
            more = [header for header in headers if header[0].lower() not in there]
            if (_POLICY, _ANY_FRAME) in ((name, value[-len(_ANY_FRAME) :]) for name, value in own):
                more = [header for header in more if header[0] != "X-Frame-Options"]
            return start_response(status, own + more, fault)

        return inner(environ, start)

    return protected
