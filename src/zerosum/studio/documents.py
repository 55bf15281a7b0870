"""Drawings and pages made for a tab, which a browser fetches under a name that cannot be guessed.

They are whole documents with their own styles (a trace also has a script), so each is shown in a frame or as an image
with its own content security policy. The policy of the studio's page stays as strict as before.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from threading import Lock

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from zerosum.classroom.drawing.page import POLICY as PAGE_POLICY

KEPT = 200
"""Number of documents kept; a page that needs an older one requests it again."""

DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
KINDS = {
    "html": ("text/html; charset=utf-8", f"{PAGE_POLICY}; frame-ancestors 'self'"),
    "svg": ("image/svg+xml", f"{DRAWING_POLICY}; frame-ancestors 'none'"),
}

_documents: OrderedDict[str, str] = OrderedDict()
_lock = Lock()


def keep(text: str, kind: str) -> str:
    """Store a document, ``html`` or ``svg``, and return its address.

    >>> keep("<svg/>", "svg").startswith("/made/")
    True
    """
    name = f"{secrets.token_urlsafe(12)}.{kind}"
    with _lock:
        _documents[name] = text
        while len(_documents) > KEPT:
            _documents.popitem(last=False)
    return f"/made/{name}"


async def _serve(request: Request) -> Response:
    name = request.path_params["name"]
    with _lock:
        text = _documents.get(name)
    if text is None:
        return PlainTextResponse("This drawing has expired: request it again.\n", status_code=404)
    media, policy = KINDS[name.rpartition(".")[2]]
    return Response(text, media_type=media, headers={"Content-Security-Policy": policy})


ROUTES = [Route("/made/{name}", _serve)]
