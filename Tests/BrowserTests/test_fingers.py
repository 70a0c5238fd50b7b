"""Two fingers on the map; the number is that of Docs/Flows.md."""

import pytest

from visitor import HELSINKI

# How often it was asked where the map is on the page.
COUNT = """() => {
    const ask = Element.prototype.getBoundingClientRect;
    window.asked = 0;
    Element.prototype.getBoundingClientRect = function (...words) {
        if (this.id === "map") window.asked += 1;
        return ask.apply(this, words);
    };
}"""


def pinch(visitor, middle, begin, end, steps=10):
    """Two fingers beside a point, from so many pixels away to so many."""
    fingers = visitor.page.context.new_cdp_session(visitor.page)
    x, y = middle
    for step in range(steps + 1):
        away = begin + (end - begin) * step / steps
        points = [{"x": x + side * away, "y": y, "id": number} for number, side in enumerate((-1, 1))]
        fingers.send("Input.dispatchTouchEvent", {"type": "touchMove" if step else "touchStart", "touchPoints": points})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


# Whether a finger is where Leaflet itself says, in the map's own pixels.
SAME = """async () => {
    const { map } = await import("/modules/map/map.js");
    const at = { clientX: 123, clientY: 456 };
    return map.mouseEventToContainerPoint(at).equals(L.Map.prototype.mouseEventToContainerPoint.call(map, at));
}"""


@pytest.mark.phone
def test_c8_fingers_zoom_the_map_and_no_move_of_them_lays_out_the_page(visitor, context):
    visitor.open()
    visitor.look_at(*HELSINKI, 14)
    page = visitor.page
    page.evaluate(COUNT)
    pinch(visitor, visitor.point(*HELSINKI), 50, 110)
    visitor.wait_until("async () => (await import('/modules/map/map.js')).map.getZoom() === 15")
    assert page.evaluate("asked") < 3
    assert page.evaluate(SAME)
    # It is asked again when the window is another one.
    page.set_viewport_size({"width": 500, "height": 700})
    page.evaluate("document.querySelector('#map').style.inset = '20px 0 0 30px'")
    visitor.wait_until(f"async () => {{ dispatchEvent(new Event('resize')); return ({SAME})(); }}")
