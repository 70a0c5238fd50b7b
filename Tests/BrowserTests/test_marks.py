"""Many places on the map; the numbers are those of review findings."""

import random
from itertools import combinations

from playwright.sync_api import expect

from manyplaces import open_all, rows
from visitor import HELSINKI

MAXIMUM = 60
# What stands for places, on the screen: [x, y, how many, left, top, right, bottom] each.
MARKS = """() => [...document.querySelectorAll(".place-mark > *")].map((mark) => {
    const { left, top, right, bottom } = mark.getBoundingClientRect();
    const many = mark.textContent.replace(/\\D/g, "");
    return [(left + right) / 2, (top + bottom) / 2, Number(many || !mark.matches(".lit")), left, top, right, bottom];
}).filter(([, , , left, top, right, bottom]) => right > 0 && bottom > 0 && left < innerWidth && top < innerHeight)"""
THIN = """async ([points, screen]) => {
    const { thin } = await import("/modules/map/thin.js");
    return thin(points, screen).map(({ head, members }) => [head.id, members.map(({ id }) => id)]);
}"""


def marks(visitor):
    return visitor.page.evaluate(MARKS)


def counted(visitor):
    """Without the spot of the place that is chosen, which is counted already and stands above."""
    return [mark for mark in marks(visitor) if mark[2] > 0]


def test_c14_a_thousand_places_are_sixty_marks_at_most_and_none_lies_over_another(server, visitor):
    places = open_all(server, visitor)
    assert len(places) == 1000
    for zoom in range(10, 20):
        visitor.look_at(*HELSINKI, zoom)
        shown = marks(visitor)
        assert 0 < len(shown) <= MAXIMUM, zoom
        # All are seen from afar, and so they are counted; what is the same thing as another place is not.
        if zoom <= 12:
            things = visitor.panel().locator(".place:not([data-standing=behind])")
            assert sum(many for _, _, many, *_ in shown) == things.count()
        for a, b in combinations(counted(visitor) if zoom >= 12 else [], 2):
            apart = a[5] <= b[3] or b[5] <= a[3] or a[6] <= b[4] or b[6] <= a[4]
            assert apart, (zoom, a, b)


def test_c14_marks_stay_while_the_map_is_moved_and_a_number_opens(server, visitor):
    open_all(server, visitor)
    pan = """async ([x, y]) => {
        const { map } = await import("/modules/map/map.js");
        map.panBy([x, y], { animate: false });
    }"""
    for zoom in (13, 15, 17):
        visitor.look_at(*HELSINKI, zoom)
        before = counted(visitor)
        visitor.page.evaluate(pan, [90, -70])
        after = {(round(x), round(y)): many for x, y, many, *_ in counted(visitor)}
        width, height = visitor.page.evaluate("[innerWidth, innerHeight]")
        kept = [mark for mark in before if 110 < mark[0] < width - 20 and 20 < mark[1] < height - 90]
        assert kept
        for x, y, many, *_ in kept:
            assert after.get((round(x - 90), round(y + 70))) == many
    visitor.look_at(*HELSINKI, 13)
    before = visitor.seen()[2]
    numbers = visitor.page.locator(".place-number")
    # The one nearest to the middle of what is free: it is under nothing.
    index = visitor.page.evaluate("""async () => {
        const { visibleMiddle } = await import("/modules/map/free.js");
        const { x, y } = visibleMiddle();
        const far = [...document.querySelectorAll(".place-number")].map((number) => {
            const { left, top } = number.getBoundingClientRect();
            return Math.hypot(left - x, top - y);
        });
        return far.indexOf(Math.min(...far));
    }""")
    visitor.tap(numbers.nth(index))
    visitor.wait_until("async (zoom) => (await import('/modules/map/map.js')).map.getZoom() > zoom", before)
    assert 0 < len(marks(visitor)) <= MAXIMUM


def test_c14_places_at_one_spot_are_chosen_in_turn(server, visitor):
    visitor.open().look_at(*HELSINKI, 19)
    visitor.page.evaluate("""async ([latitude, longitude]) => {
        const { placeDots } = await import("/modules/places/dots.js");
        window.tapped = [];
        const dots = placeDots((place) => {
            window.tapped.push(place.id);
            dots.light(place);
        });
        dots.show(["a", "b", "c"].map((id) => ({ id, name: id, position: { latitude, longitude } })));
    }""", HELSINKI)
    number = visitor.page.locator(".place-number")
    expect(number).to_have_text("3")
    for _ in range(4):
        visitor.tap(number)
    assert visitor.page.evaluate("window.tapped") == ["a", "b", "c", "a"]


def test_c14_marks_are_few_in_any_window(modules):
    chance = random.Random(14)
    for count in (0, 1, 60, 300, 1000):
        spread = chance.choice([10, 400, 3000, 20_000])
        points = [{"id": f"p{index}", "x": chance.gauss(5000, spread), "y": chance.gauss(5000, spread),
                   "importance": chance.randrange(6)} for index in range(count)]
        screen = {"width": chance.randint(300, 2000), "height": chance.randint(300, 1400), "most": 59}
        found = modules.evaluate(THIN, [points, screen])
        known = {point["id"]: point for point in points}
        # Each stands for itself or is counted once, with one that is as important at least.
        assert sorted(member for _, members in found for member in members) == sorted(known)
        for head, members in found:
            assert head == members[0]
            assert known[head]["importance"] == max(known[member]["importance"] for member in members)
        heads = [(known[head]["x"], known[head]["y"]) for head, _ in found]
        for (ax, ay), (bx, by) in combinations(heads, 2):
            assert (ax - bx) ** 2 + (ay - by) ** 2 >= 40 ** 2
        for left, top in [(x - chance.uniform(0, 50), y - chance.uniform(0, 50)) for x, y in heads]:
            assert sum(left <= x <= left + screen["width"] and top <= y <= top + screen["height"]
                       for x, y in heads) <= 59
        # In whichever order they arrived.
        chance.shuffle(points)
        again = modules.evaluate(THIN, [points, screen])
        assert [head for head, _ in again] == [head for head, _ in found]


# Of everything that is written over the map, nothing that can be seen lies over another.
APART = """async () => {
    const labels = [...document.querySelectorAll(".pin-name, .cluster-count, .place-number, .place-flag")];
    const shown = labels.filter((label) => label.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
    const boxes = shown.map((label) => label.getBoundingClientRect());
    const isOver = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    return shown.length > 0 && !boxes.some((a, index) => boxes.slice(index + 1).some((b) => isOver(a, b)));
}"""


def test_c14_no_name_of_a_pin_lies_over_another(server, visitor):
    for index in range(12):
        server.drop(HELSINKI[0] + 0.0002 * (index % 4), HELSINKI[1] + 0.0004 * (index // 4),
                    name=f"A rather long name {index}", radius=50)
    visitor.open()
    for zoom in (17, 18, 16, 17):
        visitor.look_at(*HELSINKI, zoom)
        visitor.wait_until(APART)
    # Its name appears when it is pointed at.
    expect(visitor.page.locator(".pin-name.covered").first).to_be_attached()


def test_c14_no_number_lies_over_what_is_chosen(server, visitor):
    open_all(server, visitor)
    for index in (3, 40, 200):
        rows(visitor).nth(index).locator(".place-head").press("Enter")
        expect(visitor.page.locator(".place-flag")).to_be_visible()
        visitor.wait_until(APART)
        for zoom in (14, 16):
            visitor.look_at(*HELSINKI, zoom)
            visitor.wait_until(APART)
