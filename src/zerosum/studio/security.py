"""Access control: only pages from this machine may use the studio, or with a token also those from elsewhere.

Any web page can make the browser send requests to a server on this machine and, with a host name that points here, even
read the answers (DNS rebinding). So the Host must be ours, any Origin must be ours too, and pages may load nothing from
elsewhere.
"""

from __future__ import annotations

import hmac
import ipaddress
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "zerosum-studio"

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "frame-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


def is_loopback(host: str) -> bool:
    """Whether a server on this host can only be reached from this machine.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0"), is_loopback("example.org")
    (True, True, False, False)
    """
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def host_of(authority: str) -> str:
    """The name in ``name:port``, in lower case and without brackets.

    >>> host_of("LocalHost:8765"), host_of("[::1]:8765"), host_of("a b")
    ('localhost', '::1', '')
    """
    try:
        return urlsplit(f"//{authority}").hostname or "" if " " not in authority else ""
    except ValueError:
        return ""


@dataclass(frozen=True)
class Guard:
    """Checks of every request to a server on ``host``; ``token`` is '' if none is needed."""

    host: str = "127.0.0.1"
    token: str = ""

    def is_known_host(self, authority: str) -> bool:
        """Whether the host name is ours; with a token any IP address is accepted too, since rebinding needs a name."""
        name = host_of(authority)
        if is_loopback(name) or (name and name == self.host.lower().strip("[]")):
            return True
        if not self.token:
            return False
        try:
            return bool(ipaddress.ip_address(name))
        except ValueError:
            return False

    def is_own_origin(self, origin: str, authority: str) -> bool:
        """Whether the request comes from a page of this server."""
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        return parts.scheme in ("http", "https") and parts.netloc.lower() == authority.lower()

    def knows(self, token: str) -> bool:
        return not self.token or hmac.compare_digest(token.encode(), self.token.encode())


class Gate:
    """ASGI middleware that applies the guard: refuses with a plain message, and adds the headers to every answer."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self.app, self.guard = app, guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        authority, origin = headers.get(b"host", ""), headers.get(b"origin", "")
        given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
        if not self.guard.is_known_host(authority):
            await _refuse(scope, receive, send, f"This studio does not serve the host name {authority!r}.")
        elif (origin or scope["type"] == "websocket") and not self.guard.is_own_origin(origin, authority):
            await _refuse(scope, receive, send, f"Pages from {origin!r} may not use this studio.")
        elif self.guard.token and given and self.guard.knows(given) and scope["type"] == "http":
            await _enter(send, self.guard.token)
        elif not self.guard.knows(given or _cookie(headers.get(b"cookie", ""))):
            await _refuse(scope, receive, send, "This studio needs a token: open the address that it printed.")
        else:
            await self.app(scope, receive, _with_headers(send))


def _cookie(text: str) -> str:
    try:
        found = SimpleCookie(text).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


def _with_headers(send: Send) -> Send:
    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            kept = list(message.get("headers", []))
            given = {name.lower() for name, _ in kept}
            for name, value in HEADERS.items():
                if name.lower().encode() not in given:
                    kept.append((name.lower().encode(), value.encode()))
            message = {**message, "headers": kept}
        await send(message)

    return wrapped


async def _enter(send: Send, token: str) -> None:
    """Store the token in a cookie that scripts cannot read, and remove it from the address."""
    cookie = f"{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/"
    headers = [(b"location", b"/"), (b"set-cookie", cookie.encode()), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


async def _refuse(scope: Scope, receive: Receive, send: Send, why: str) -> None:
    from starlette.responses import PlainTextResponse

    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": why[:100]})
        return
    await PlainTextResponse(f"{why}\n", status_code=403)(scope, receive, _with_headers(send))
