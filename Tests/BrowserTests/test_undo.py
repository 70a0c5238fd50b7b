"""What is deleted can be brought back as it was; the numbers are those of review findings."""

import re

from playwright.sync_api import expect

from server import PINS
from visitor import HELSINKI


# A row asks for its cover; where the pin is deleted first, that is answered with a 404.
COVER_THAT_WENT = "404 (Not Found) ({}/waymark.photos.v1.PhotoService/GetAlbum)"


def delete_in_edit_mode(visitor, pin_id):
    visitor.tap(visitor.page.locator("#edit"))
    visitor.tap_pin(pin_id)
    expect(visitor.pin(pin_id)).to_have_count(0)


def undo(visitor):
    visitor.tap(visitor.notice("is deleted").get_by_role("button", name="Undo"))


def test_c5_a_deletion_in_edit_mode_is_undone(server, visitor):
    pin_id = server.filled(*HELSINKI)
    [before] = server.pins()
    visitor.open()
    delete_in_edit_mode(visitor, pin_id)
    expect(visitor.panel().locator(".pin-row")).to_have_count(0)
    undo(visitor)
    expect(visitor.pin(pin_id)).to_be_visible()
    expect(visitor.panel().locator(".pin-row")).to_have_count(1)
    assert server.pins() == [before]


def test_c5_a_deletion_that_nobody_undoes_comes_by_itself(server, visitor, context):
    pin_id = server.filled(*HELSINKI)
    visitor.page.clock.install()
    visitor.open()
    delete_in_edit_mode(visitor, pin_id)
    assert len(server.pins()) == 1
    # The mouse lies on no line: one under it waits.
    visitor.page.mouse.move(600, 500)
    with visitor.page.expect_response(re.compile("DeletePin")):
        visitor.page.clock.run_for(8000)
    assert server.pins() == []
    expect(visitor.notice("is deleted")).to_have_count(0)


def test_c5_a_page_that_is_left_deletes_what_it_said(server, visitor, watchman, context):
    watchman.tolerate(COVER_THAT_WENT.format(server.address))
    pin_id = server.filled(*HELSINKI)
    visitor.open()
    delete_in_edit_mode(visitor, pin_id)
    # Another window has it until then.
    other = visitor.page.context.new_page()
    other.goto(server.address)
    expect(other.locator(f".pin[data-pin='{pin_id}']")).to_have_count(1)
    visitor.page.goto("about:blank")
    expect(other.locator(f".pin[data-pin='{pin_id}']")).to_have_count(0)
    assert server.pins() == []


def test_c5_what_can_not_be_deleted_is_there_again(server, visitor, watchman):
    watchman.tolerate("403 (Forbidden)")
    pin_id = server.filled(*HELSINKI)
    visitor.open()
    refusal = {"code": "permission_denied", "message": "This is not yours."}
    visitor.page.route("**/*DeletePin", lambda route: route.fulfill(status=403, json=refusal))
    delete_in_edit_mode(visitor, pin_id)
    visitor.tap(visitor.notice("is deleted").get_by_role("button", name="Close"))
    expect(visitor.notice("could not be deleted. This is not yours.")).to_be_visible()
    expect(visitor.pin(pin_id)).to_be_visible()


def test_c5_undo_of_a_pin_that_is_gone_elsewhere_says_so(server, visitor, watchman):
    watchman.tolerate(COVER_THAT_WENT.format(server.address))
    pin_id = server.filled(*HELSINKI)
    visitor.open()
    delete_in_edit_mode(visitor, pin_id)
    with visitor.page.expect_event("console", lambda message: message.text == "told"):
        visitor.page.evaluate("""async () => {
            const { onPins } = await import("/modules/pins/store.js");
            onPins(({ removed }) => removed.size > 0 && console.log("told"));
        }""")
        server.call(f"{PINS}/DeletePin", {"id": pin_id})
    undo(visitor)
    expect(visitor.notice("deleted elsewhere")).to_be_visible()
    expect(visitor.pin(pin_id)).to_have_count(0)
