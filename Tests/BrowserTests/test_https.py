"""The map by https, where a browser speaks HTTP/2: pages, calls, events and pictures over one connection. `--https` has
all tests do so."""

import pytest

from server import over_https

# The version of HTTP of all that the page has fetched.
VERSIONS = """() => [...new Set(["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
    .filter(({ name, nextHopProtocol }) => name.startsWith(location.origin) && nextHopProtocol)
    .map(({ nextHopProtocol }) => nextHopProtocol))]"""


@pytest.fixture(scope="module")
def server(server, tmp_path_factory):
    yield from over_https(server, tmp_path_factory.mktemp("secure"))


def test_a_pin_and_its_album_come_over_http2(server, visitor):
    pin = server.filled()
    visitor.open(f"#/pin/{pin}")
    visitor.wait_until("async () => [...document.images].some((image) => image.src.startsWith(location.origin)"
                       " && image.naturalWidth > 0)")
    assert visitor.page.evaluate(VERSIONS) == ["h2"]
