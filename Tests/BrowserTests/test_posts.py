"""P33 People on the map; the numbers are those of Docs/Flows.md."""

import pytest
from playwright.sync_api import expect

from accounts import ACCOUNTS, call_as, dialog, enter, fill, new_email, sign_up
from conftest import picture
from server import Server
from test_access import too_small, violations
from test_states import PINS_ARE_GONE, Fault, never_said
from visitor import HELSINKI

POSTS = "waymark.posts.v1.PostService"
TAMPERE = (61.4991, 23.7871)


@pytest.fixture(scope="module")
def server():
    """A system of its own, where everyone may sign up."""
    server = Server(sign_up="open")
    yield server
    server.stop()


@pytest.fixture
def ann(server, visitor):
    """The visitor is logged in to this account; no one is on the map."""
    session = sign_up(server, firstName="Ann", lastName="Tester")
    enter(visitor.page.context, server.address, session["token"])
    yield session
    call_as(server, session["token"], f"{POSTS}/DeletePost")


@pytest.fixture
def others(server):
    """Puts people on the map by [name, place, link, latitude, longitude], one after the other."""
    tokens = []

    def put(*people):
        for name, place, link, latitude, longitude in people:
            tokens.append(sign_up(server, firstName=name)["token"])
            position = {"latitude": latitude, "longitude": longitude}
            call_as(server, tokens[-1], f"{POSTS}/CreatePost", {"position": position, "place": place, "link": link})

    yield put
    for token in tokens:
        call_as(server, token, f"{POSTS}/DeletePost")


def find(visitor, text):
    fill(visitor, {"A town or an address": text}, "Find on the map", visitor.panel())


def finish(visitor, link):
    fill(visitor, {"Your link": link}, "Finish", visitor.panel())


def rows(visitor):
    return visitor.page.locator(".post-row")


def card(visitor):
    return visitor.page.locator(".post-card")


def test_f31_one_finds_a_place_sees_it_and_puts_oneself_there(server, visitor, ann, watchman):
    watchman.tolerate("400 (Bad Request)", "404 (Not Found)")
    page = visitor.open("#/").page
    visitor.tap(page.get_by_role("button", name="On the map", exact=True))
    expect(page.get_by_role("heading", name="No one is on the map")).to_be_visible()
    picture(page, "f30-empty")
    visitor.tap(page.get_by_role("button", name="Put yourself on the map"))
    # What is no place is said to be none, and what was typed stays.
    find(visitor, "Qxzzyq")
    expect(page.get_by_role("alert").last).to_have_text(
        "“Qxzzyq” was not found. Look at the spelling, or add the country.")
    picture(page, "f31-not-found")
    find(visitor, "Tampere")
    expect(page.get_by_label("Your link")).to_be_focused()
    expect(page.locator(".post-mark.own")).to_be_visible()
    latitude, longitude, _ = visitor.seen()
    assert abs(latitude - TAMPERE[0]) < 0.2 and abs(longitude - TAMPERE[1]) < 0.3
    picture(page, "f31-preview")
    finish(visitor, "javascript:alert(1)")
    expect(visitor.panel().locator(".field-wrong")).to_contain_text("http")
    finish(visitor, "  example.org/ann?b=1 ")
    expect(visitor.notice("You are on the map")).to_be_visible()
    expect(card(visitor)).to_contain_text("Ann Tester")
    expect(card(visitor)).to_contain_text("Tampere")
    picture(page, "f31-posted")
    [post] = call_as(server, ann["token"], f"{POSTS}/ListPosts")["posts"]
    assert post["author"] == "Ann Tester" and post["link"].startswith("http://example.org/ann?")
    assert "Tampere" in post["place"] and "Finland" in post["place"]
    # The address leads to it again.
    page.reload()
    expect(card(visitor)).to_contain_text("Ann Tester")


def test_f31_a_post_is_changed_and_deleted(server, visitor, ann):
    position = {"latitude": HELSINKI[0], "longitude": HELSINKI[1]}
    request = {"position": position, "place": "Helsinki", "link": "https://example.org/old"}
    call_as(server, ann["token"], f"{POSTS}/CreatePost", request)
    page = visitor.open("#/posts").page
    expect(rows(visitor)).to_contain_text("You")
    visitor.tap(page.get_by_role("button", name="Change your post"))
    expect(page.get_by_label("A town or an address")).to_have_value("Helsinki")
    find(visitor, "Tampere")
    expect(page.get_by_label("Your link")).to_have_value("https://example.org/old")
    # Another place can be looked for, and nothing is posted by that.
    visitor.tap(page.get_by_role("button", name="Another place"))
    expect(page.locator(".post-mark.own")).to_have_count(0)
    find(visitor, "Tampere")
    finish(visitor, "https://example.org/new")
    expect(visitor.notice("Your post is changed")).to_be_visible()
    expect(rows(visitor)).to_have_count(1)
    expect(rows(visitor).get_by_role("link")).to_have_attribute("href", "https://example.org/new")
    visitor.raise_panel()
    remove = rows(visitor).get_by_role("button", name="Delete")
    visitor.tap(remove)
    visitor.tap(rows(visitor).get_by_role("button", name="Sure?"))
    expect(page.get_by_role("heading", name="No one is on the map")).to_be_visible()
    expect(visitor.notice("You are not on the map any more")).to_be_visible()
    assert call_as(server, ann["token"], f"{POSTS}/ListPosts").get("posts", []) == []


def test_f31_who_was_put_there_meanwhile_is_asked_before_that_is_replaced(server, visitor, ann, watchman):
    watchman.tolerate("409 (Conflict)")
    visitor.open("#/post")
    find(visitor, "Tampere")
    request = {"position": {"latitude": 1, "longitude": 1}, "place": "Sea", "link": "https://example.org/1"}
    call_as(server, ann["token"], f"{POSTS}/CreatePost", request)
    finish(visitor, "https://example.org/2")
    expect(visitor.page.get_by_role("alert").last).to_contain_text("elsewhere meanwhile")
    visitor.tap(visitor.page.get_by_role("button", name="Finish"))
    expect(card(visitor)).to_contain_text("Tampere")


def test_f31_a_post_that_was_left_while_the_server_is_away_is_never_sent(server, visitor, ann, context, watchman):
    """R2: it was public some seconds after one had gone back, without a word."""
    watchman.tolerate("net::ERR_", "Failed to load resource")
    page = visitor.open("#/posts").page
    visitor.tap(page.get_by_role("button", name="Put yourself on the map"))
    find(visitor, "Tampere")
    expect(page.get_by_label("Your link")).to_be_focused()
    sent = []
    page.on("request", lambda request: sent.append(request.url) if request.url.endswith("/CreatePost") else None)
    context.set_offline(True)
    finish(visitor, "https://example.org/cancelled")
    # It says so at once, where one looks.
    expect(visitor.panel().get_by_role("alert").last).to_have_text("The server can't be reached. Try again.")
    picture(page, "f31-away")
    visitor.tap(page.get_by_role("button", name="On the map", exact=True))
    tries = len(sent)
    context.set_offline(False)
    expect(page.get_by_role("heading", name="No one is on the map")).to_be_visible()
    expect(page.locator("#banner-link.shown")).to_have_count(0)
    assert len(sent) == tries
    assert call_as(server, ann["token"], f"{POSTS}/ListPosts").get("posts", []) == []


def test_f31_a_form_that_is_left_while_it_is_sent_is_given_up(server, visitor, ann, watchman):
    watchman.tolerate("net::ERR_", "Failed to load resource")
    page = visitor.open("#/post").page
    find(visitor, "Tampere")
    expect(page.get_by_label("Your link")).to_be_focused()
    page.route("**/CreatePost", lambda route: None)  # No answer.
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/CreatePost")):
        finish(visitor, "https://example.org/cancelled")
        visitor.tap(page.get_by_role("button", name="On the map", exact=True))
    page.unroute_all(behavior="ignoreErrors")
    expect(page.get_by_role("heading", name="No one is on the map")).to_be_visible()
    assert call_as(server, ann["token"], f"{POSTS}/ListPosts").get("posts", []) == []


def test_f31_what_was_pressed_is_not_tried_again_when_the_view_was_left(server, visitor, ann, watchman):
    watchman.tolerate("503 (Service Unavailable)")
    request = {"position": {"latitude": 1, "longitude": 1}, "place": "Sea", "link": "https://example.org/1"}
    call_as(server, ann["token"], f"{POSTS}/CreatePost", request)
    page = visitor.open("#/posts").page
    visitor.raise_panel()
    asked = []

    def refuse(route):
        asked.append(route)
        route.fulfill(status=503, json={"code": "unavailable"})

    page.route("**/DeletePost", refuse)
    visitor.tap(rows(visitor).get_by_role("button", name="Delete"))
    with page.expect_response("**/DeletePost"):
        visitor.tap(rows(visitor).get_by_role("button", name="Sure?"))
    page.evaluate("location.hash = '#/'")
    expect(visitor.notice("Your post could not be deleted. It was left before the server had it.")).to_be_visible()
    assert len(asked) == 1
    assert len(call_as(server, ann["token"], f"{POSTS}/ListPosts")["posts"]) == 1


def test_f31_a_name_is_asked_for_and_a_missing_network_is_said(server, visitor, watchman):
    watchman.tolerate("net::ERR_")
    session = sign_up(server)
    enter(visitor.page.context, server.address, session["token"])
    page = visitor.open("#/post").page
    fill(visitor, {"First name": " ", "Last name": ""}, "Go on", visitor.panel())
    expect(visitor.panel().locator(".field-wrong").first).to_have_text("One of the two is needed.")
    fill(visitor, {"First name": "Bo"}, "Go on", visitor.panel())
    page.route("**/Geocode", lambda route: route.abort("internetdisconnected"), times=1)
    find(visitor, "Tampere")
    expect(page.get_by_role("alert").last).to_have_text("The server can't be reached. Try again.")
    find(visitor, "Tampere")
    # One changes one's mind, and nothing is posted.
    visitor.tap(page.get_by_role("button", name="On the map", exact=True))
    expect(page.get_by_role("heading", name="No one is on the map")).to_be_visible()
    assert call_as(server, session["token"], f"{ACCOUNTS}/GetProfile")["account"]["firstName"] == "Bo"


@pytest.mark.phone
def test_f30_the_table_and_the_map_show_who_is_there(server, visitor, ann, others):
    others(
        ["Bo <i>", "Helsinki, Finland", "https://bo.example/", *HELSINKI],
        ["Cy", "Tampere, Finland", "http://cy.example/a/very/long/path/that/does/not/end/before/the/line", *TAMPERE],
        ["Di", "Suva, Fiji", "https://di.example", -18.14, 178.44])
    page = visitor.open("#/posts").page
    expect(rows(visitor)).to_have_count(3)
    assert [name.inner_text() for name in page.locator(".post-row .row-name").all()] == ["Di", "Cy", "Bo <i>"]
    picture(page, "f30-posts")
    assert violations(page) == [] and too_small(visitor, "#panel") == []
    visitor.tap(page.get_by_role("button", name="Cy"))
    expect(card(visitor)).to_contain_text("Tampere, Finland")
    expect(page.locator(".post-row.lit")).to_contain_text("Cy")
    picture(page, "f30-card")
    # The link opens beside the map, and its page learns nothing about this one.
    link = card(visitor).get_by_role("link")
    assert link.get_attribute("rel").startswith("noopener noreferrer") and link.get_attribute("target") == "_blank"
    # A tap outside closes it.
    if visitor.is_phone:
        page.touchscreen.tap(30, 340)
    else:
        page.mouse.click(640, 700)
    expect(card(visitor)).to_have_count(0)
    assert page.url.endswith("#/posts")
    # Another one comes, and is there when one looks again.
    others(["Ed", "Turku, Finland", "https://ed.example", 60.45, 22.27])
    visitor.tap(page.get_by_role("button", name="Look again"))
    expect(rows(visitor)).to_have_count(4)
    # A mark on the map opens it as well.
    visitor.look_at(60.45, 22.27, 12)
    visitor.tap(page.locator(".post-mark:not(.crowd)").first)
    expect(card(visitor)).to_contain_text("Ed")


def test_f30_where_no_one_has_to_log_in_all_see_the_posts_and_can_sign_up(server, visitor, others):
    others(["Bo", "Helsinki, Finland", "https://bo.example/", *HELSINKI])
    page = visitor.open("#/posts").page
    expect(rows(visitor)).to_have_count(1)
    expect(page.get_by_role("button", name="Put yourself on the map")).to_have_count(0)
    picture(page, "f30-stranger")
    visitor.tap(page.get_by_role("button", name="Sign up"))
    fill(visitor, {
        "E-mail": new_email(), "Password": "correct horse battery", "First name (optional)": "Flo",
    }, "Sign up")
    expect(dialog(visitor)).to_have_count(0)
    visitor.tap(page.get_by_role("button", name="On the map", exact=True))
    expect(page.get_by_role("button", name="Put yourself on the map")).to_be_visible()


@pytest.mark.parametrize("answer, words", [
    (lambda route: route.abort("connectionrefused"), "The server is not answering"),
    (lambda route: route.fulfill(status=503, json=PINS_ARE_GONE), "Part of the server is not running")])
def test_c1_the_posts_say_that_the_server_is_gone_and_come_by_themselves(
        visitor, others, watchman, answer, words, context):
    watchman.tolerate("net::ERR_", "503")
    others(["Bo", "Helsinki, Finland", "https://bo.example/", *HELSINKI])
    was_never_said = never_said(visitor, "No one is on the map", "can't be shown")
    visitor.open()
    fault = Fault(visitor.page, "**/ListPosts", answer)
    visitor.page.evaluate("(hash) => { location.hash = hash; }", "#/posts")
    expect(visitor.panel().get_by_role("status")).to_contain_text(words)
    fault.mend()
    expect(rows(visitor)).to_have_count(1)
    assert was_never_said()
