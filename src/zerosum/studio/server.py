"""The server: the page, its files, and a WebSocket for each tab."""

from __future__ import annotations

import asyncio
import errno
import gzip
import json
import socket
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache
from importlib.resources import files

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from zerosum.errors import PortTaken, StudioError
from zerosum.studio import documents
from zerosum.studio.bundling import bundle
from zerosum.studio.conversation import Conversation
from zerosum.studio.messages import MOST_BYTES
from zerosum.studio.pool import Pool
from zerosum.studio.security import Gate, Guard
from zerosum.studio.tab import Studio
from zerosum.studio.tabs import Tabs

HANDLING_THREADS = 8
REPORTING_THREADS = 2

CLOSING = 1.0
"""Seconds that tabs have to leave when the server ends; one of them may be busy for longer."""

TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
SHARED = ("theme.css", "board.css", "tree.css", "plot.css", "quiz.css", "page.css", "page.js")
"""Files stored with the classroom's drawings."""


def make_app(studio: Studio, guard: Guard) -> Starlette:
    """The application for any ASGI server; ``app.state.tabs`` are its tabs."""
    tabs = Tabs(studio)
    pool = Pool(HANDLING_THREADS, "zerosum-studio")
    reporters = Pool(REPORTING_THREADS, "zerosum-reports")  # separate, so that no move waits for reports

    async def page(request: Request) -> Response:
        return _file("index.html", request)

    async def asset(request: Request) -> Response:
        return _file(request.path_params["name"], request)

    async def boards(request: Request) -> Response:
        found = await asyncio.get_running_loop().run_in_executor(pool, studio.offered.thumbnails)
        return Response(json.dumps(found, separators=(",", ":")), media_type="application/json")

    async def talk(websocket: WebSocket) -> None:
        await Conversation(websocket, tabs, pool, reporters).run()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        closing = threading.Thread(target=tabs.close, daemon=True)
        closing.start()
        closing.join(CLOSING)
        for threads in (pool, reporters):
            threads.shutdown(wait=False)

    app = Starlette(
        routes=[
            Route("/", page),
            Route("/assets/{name}", asset),
            Route("/boards.json", boards),
            *documents.ROUTES,
            WebSocketRoute("/talk", talk),
        ],
        middleware=[Middleware(Gate, guard=guard), Middleware(GZipMiddleware, minimum_size=500)],
        lifespan=lifespan,
    )
    app.state.tabs = tabs
    return app


def _file(name: str, request: Request) -> Response:
    content = _content(name)
    if content is None:
        return PlainTextResponse(f"{name!r} does not exist.\n", status_code=404)
    media = TYPES[name.rpartition(".")[2]]
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        return Response(_packed(name), media_type=media, headers=headers)
    return Response(content, media_type=media)


@lru_cache(maxsize=128)
def _packed(name: str) -> bytes:
    """A file compressed with gzip; cached."""
    return gzip.compress(_content(name) or b"", 9)


@lru_cache(maxsize=128)
def _content(name: str) -> bytes | None:
    """A file of the package. Names come from outside, so only names in the folder's listing are opened."""
    folder = files("zerosum.classroom.drawing" if name in SHARED else "zerosum.studio") / "assets"
    if name.rpartition(".")[2] not in TYPES or name not in {file.name for file in folder.iterdir()}:
        return None
    # The page's module is sent with everything it imports: one answer instead of fifty.
    return bundle(name).encode() if name == "app.js" else (folder / name).read_bytes()


def bind(host: str, port: int) -> socket.socket:
    """A socket on this port, 0 for any; raises PortTaken, with the next free port, if it is in use."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host.strip("[]"), port))
        found.listen(128)  # early connections wait until the server is up
    except OSError as problem:
        found.close()
        if problem.errno == errno.EADDRINUSE:
            raise PortTaken(port, _free_port(host, port + 1)) from None
        raise StudioError(f"cannot serve on {host!r}, port {port}: {problem.strerror or problem}") from None
    return found


def _free_port(host: str, first: int) -> int:
    for port in range(first, min(first + 100, 65536)):
        try:
            with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM) as tried:
                tried.bind((host.strip("[]"), port))
            return port
        except OSError:
            continue
    return 0


def serve(studio: Studio, guard: Guard, listening: socket.socket) -> None:
    """Serve until interrupted."""
    import uvicorn

    config = uvicorn.Config(
        make_app(studio, guard),
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=MOST_BYTES,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=1,
        server_header=False,
    )
    uvicorn.Server(config).run(sockets=[listening])
