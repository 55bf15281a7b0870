"""Access control of the studio, and its answers to invalid messages."""

from __future__ import annotations

import http.client
import json
import time

import pytest
from patience import PATIENCE
from websockets.exceptions import ConnectionClosed, InvalidStatus

from zerosum.errors import PortTaken
from zerosum.studio import conversation
from zerosum.studio.messages import MOST_BYTES
from zerosum.studio.offered_games import OfferedGames
from zerosum.studio.security import Guard
from zerosum.studio.server import bind
from zerosum.studio.tab import Studio
from zerosum.studio.tabs import Tabs

from .conftest import Page, serving


def get(port, path="/", **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


def test_pages_have_a_strict_policy(studio):
    status, headers, body = get(studio[0])
    assert status == 200 and b"<title>zerosum studio" in body
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"


def test_the_page_names_nothing_outside_this_machine(studio):
    _, _, body = get(studio[0])
    for name in [b"studio.css", b"app.js"]:
        assert name in body
    for path in ["/", "/assets/studio.css", "/assets/app.js", "/assets/theme.css", "/assets/board.js"]:
        content = get(studio[0], path)[2].replace(b"http://www.w3.org/2000/svg", b"")
        assert b"http://" not in content and b"https://" not in content and b"//cdn" not in content


@pytest.mark.parametrize(
    "path", ["/assets/../server.py", "/assets/%2e%2e%2fserver.py", "/assets/none.js", "/etc/passwd"]
)
def test_only_the_pages_own_files_are_served(studio, path):
    assert get(studio[0], path)[0] == 404


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", ""])
def test_a_wrong_host_is_refused(studio, host):
    status, _, body = get(studio[0], Host=host)
    assert status in (400, 403) and (status == 400 or b"does not serve the host name" in body)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
def test_this_machines_names_are_let_in(studio, host):
    assert get(studio[0], Host=f"{host}:{studio[0]}")[0] == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1", ""])
def test_a_socket_from_another_page_is_refused(studio, origin):
    with pytest.raises(InvalidStatus) as refused:
        Page(studio[0], origin=origin)
    assert refused.value.response.status_code == 403


def test_a_socket_for_another_host_is_refused(studio):
    with pytest.raises(InvalidStatus):
        Page(studio[0], additional_headers={"Host": "evil.example"})


def test_elsewhere_a_token_is_asked_for():
    with serving(Studio(OfferedGames(), jit=False), Guard("0.0.0.0", "secret-word")) as (port, _):
        assert get(port)[0] == 403
        assert get(port, "/?token=guess")[0] == 403
        assert get(port, "/assets/app.js")[0] == 403
        with pytest.raises(InvalidStatus):
            Page(port)
        status, headers, _ = get(port, "/?token=secret-word")
        assert status == 303 and headers["location"] == "/"
        cookie = headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
        name_and_value = cookie.split(";")[0]
        assert get(port, Cookie=name_and_value)[0] == 200
        # By address from another machine, but never by a host name that points here.
        assert get(port, Cookie=name_and_value, Host="192.168.1.7:8765")[0] == 200
        assert get(port, Cookie=name_and_value, Host="evil.example")[0] == 403
        page = Page(port, additional_headers={"Cookie": name_and_value})
        assert page.welcome["session"]
        page.close()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rubbish", "not JSON"),
        ("[1, 2]", "must be an object"),
        ('{"v": 99, "do": "stop"}', "reload the page"),
        ('{"v": 1, "do": 5}', "needs do and body"),
        ('{"v": 1, "n": "x", "do": "stop"}', "whole number"),
        ('{"v": 1, "do": "dance"}', "unknown request 'dance'"),
        ("[" * 30000, "not JSON"),
        ('{"v": 1, "do": "move", "body": {"ply": true, "move": null}}', "no game is open"),
    ],
)
def test_rubbish_is_answered_and_the_server_goes_on(page, text, words):
    page.socket.send(text)
    message = page.receive()
    assert message["kind"] == "error" and words in message["body"]["message"]
    assert page.open(people=[0, 1])["ply"] == 0


def test_bytes_are_not_read(page):
    page.socket.send(b"\x00\x01")
    assert "must be text" in page.receive()["body"]["message"]


def test_the_first_message_must_be_hello(studio):
    page = Page(studio[0], session=None)
    assert "first message must be hello" in page.complaint("open", game="tictactoe")
    page.close()


def test_an_oversize_message_closes_the_connection_and_nothing_else(pages):
    one, other = pages(), pages()
    with pytest.raises(ConnectionClosed):
        one.socket.send(json.dumps({"v": 1, "do": "read", "body": {"text": "x" * (MOST_BYTES + 1)}}))
        while True:
            one.receive()
    assert other.open(people=[0, 1])["ply"] == 0


def test_a_flood_closes_the_connection_and_nothing_else(pages, monkeypatch):
    monkeypatch.setattr(conversation, "RATE", 0.0)  # no server is too slow to be flooded
    one, other = pages(), pages()
    kinds = []
    with pytest.raises(ConnectionClosed):
        for _ in range(2000):
            one.send("ping")
        while True:
            kinds.append(one.receive()["kind"])
    assert other.ask("ping") == {}


def test_sessions_are_capped_and_the_longest_gone_make_room():
    tabs = Tabs(Studio(), most=2)
    first, second = tabs.enter(""), tabs.enter("")
    first.deliver = second.deliver = lambda text: None
    with pytest.raises(ValueError, match="2 pages are open"):
        tabs.enter("")
    first.leave()
    third = tabs.enter("")
    assert set(tabs.tabs) == {second.id, third.id}


def test_a_tab_that_has_left_is_forgotten_after_a_while():
    tabs = Tabs(Studio(), expiry=0.01)
    tab = tabs.enter("")
    tab.leave()
    time.sleep(0.02)
    assert tabs.enter(tab.id).id != tab.id


def test_names_of_sessions_cannot_be_chosen_or_guessed(pages):
    page = pages(session="my-own-name")
    assert page.welcome["session"] != "my-own-name" and len(page.welcome["session"]) >= 20


def test_a_second_server_on_the_same_port_names_the_next(studio):
    with pytest.raises(PortTaken, match=f"port {studio[0]} is in use") as taken:
        bind("127.0.0.1", studio[0])
    assert taken.value.free != studio[0]
    bind("127.0.0.1", taken.value.free).close()
