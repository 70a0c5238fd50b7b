"""P31 Providers that were not written here, without a browser: what each answers to each step."""

import http.client
import json
from urllib.parse import urlsplit

import pytest

from glewlwyd import SECRET, Glewlwyd, lacks_glewlwyd
from ports import held_port
from server import Server, lacks_programs
from waymark_system import PATIENCE_S


@pytest.fixture(scope="module")
def glewlwyd(tmp_path_factory):
    """A Waymark, and a glewlwyd that knows it."""
    if problem := lacks_programs() or lacks_glewlwyd():
        pytest.skip(problem)
    port, folder = held_port(), tmp_path_factory.mktemp("glewlwyd")
    public = f"http://127.0.0.1:{port}"
    provider = Glewlwyd(folder, f"{public}/session/provider/home/callback")
    entry = {"name": "home", "label": "Home", "issuer": provider.issuer, "client_id": "waymark", "scopes": ["openid"],
             "client_secret_file": "home.secret", "sign_up": True, "trust_email": True}
    (folder / "home.secret").write_text(SECRET + "\n")
    (folder / "providers.json").write_text(json.dumps({"providers": [entry]}))
    try:
        server = Server(http_port=port, public_url=public, login_providers=folder / "providers.json")
        server.provider = provider
        yield server
        server.stop()
    finally:
        provider.stop()


def get(server, path, cookie=""):
    connection = http.client.HTTPConnection(urlsplit(server.address).netloc, timeout=PATIENCE_S)
    connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 303
    cookies = [each.split(";")[0] for each in answer.headers.get_all("Set-Cookie") or []]
    return answer.headers["Location"], cookies


def came_back(server, address):
    """The path to which the provider sends the browser."""
    back = urlsplit(server.provider.agree(address))
    return f"{back.path}?{back.query}"


def test_glewlwyd_logs_in_with_pkce_and_is_the_same_one_the_next_time(glewlwyd):
    accounts = set()
    for _ in range(2):
        address, [cookie] = get(glewlwyd, "/session/provider/home")
        location, cookies = get(glewlwyd, came_back(glewlwyd, address), cookie)
        assert location == "/#/provider/home/done"
        [session] = [each for each in cookies if each.startswith("waymark_session=")]
        status, answer = glewlwyd.system.web().call(
            "waymark.accounts.v1.AccountService/GetProfile", {}, Cookie=session)
        assert status == 200 and answer["account"]["email"] == "ann@example.org", answer
        accounts.add(answer["account"]["id"])
    assert len(accounts) == 1


def test_glewlwyd_gives_nothing_for_the_code_of_another_login(glewlwyd):
    (one, [cookie]), (other, _) = get(glewlwyd, "/session/provider/home"), get(glewlwyd, "/session/provider/home")
    mine, stolen = came_back(glewlwyd, one), came_back(glewlwyd, other)
    code = stolen.split("code=")[1].split("&")[0]
    mixed = mine.replace(mine.split("code=")[1].split("&")[0], code)
    location, cookies = get(glewlwyd, mixed, cookie)
    assert location == "/#/provider/home/unproven"
    assert not [each for each in cookies if each.startswith("waymark_session=")]
