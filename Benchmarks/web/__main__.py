"""What the web map costs a browser at 5,000 pins above the map of an imported city: dragged at a desk, and zoomed on a
phone that has a quarter of the processor; and how soon that map and the page of a share are there on slow 4G."""
import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/BrowserTests"), str(ROOT / "Benchmarks/driver")]
from playwright.sync_api import expect, sync_playwright  # noqa: E402

import synthetic_osm  # noqa: E402
from firstload import SLOW_4G, Traffic  # noqa: E402
from frames import longest_task, tasks_of_frames  # noqa: E402
from visitor import Visitor  # noqa: E402
from waymark_system import BIN, System  # noqa: E402

PINS = "waymark.pins.v1.PinService"
# Degrees around the middle of the city, in which the pins lie.
REACH = 0.03
ZOOM = 14
STEPS, STEP_S = 240, 1 / 60
QUIET_S, READY_S = 0.1, 900
CATEGORIES = ["toplevel", "disabled-by-default-devtools.timeline"]
# When on slow 4G nothing more comes.
SLOW_S = 5
TILE_TIMES = """() => performance.getEntriesByType("resource")
    .filter(({ name }) => new URL(name).pathname.startsWith("/tiles/")).map(({ responseEnd }) => responseEnd)"""
# The frame after the one that has what is shared.
OBSERVE_SHARED = """new MutationObserver((_, observer) => {
    if (!document.querySelector(".shared-places li")) return;
    observer.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => { window.sharedAt = performance.now(); }));
}).observe(document, { subtree: true, childList: true })"""
SHARED_TIMES = """async () => {
    while (window.sharedAt === undefined) await new Promise(requestAnimationFrame);
    const [{ responseStart, encodedBodySize }] = performance.getEntriesByType("navigation");
    return [window.sharedAt - responseStart, encodedBodySize];
}"""
# When streets are there and all is drawn, where the map is drawn.
DRAWN = """async (zoom) => {
    const { drawn } = await import("/modules/paint/painter.js");
    return drawn.namedTiles(zoom).some(({ layers }) => layers.streets) && drawn.isDone();
}"""
ZOOM_SHOWN = "async () => (await import('/modules/map/map.js')).map.getZoom()"
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}
SLOWER = 4
# Two fingers go apart, or together, in so many steps; then all comes to rest.
PINCH_STEPS, REST_MS = 20, 1500
FINGERS = (60, 130)


def used(pids):
    """Seconds of a processor that services have used."""
    paths = (path for pid in pids for path in Path(f"/proc/{pid}/task").glob("*/schedstat"))
    return sum(int(path.read_text().split()[0]) for path in paths) / 1e9


def settle(pids):
    """Waits until the services do nothing by themselves: until all new pins are searched around."""
    end = time.monotonic() + READY_S
    while time.monotonic() < end:
        before = used(pids)
        time.sleep(1)
        if used(pids) - before < QUIET_S:
            return
    raise SystemExit("script/bench web: the services did not come to rest")


def filled(system, pins, nodes, folder):
    """Imports the city and drops the pins; gives the city's middle."""
    path = folder / "city.osm.pbf"
    synthetic_osm.write(path, nodes)
    subprocess.run([BIN / "waymark", "import", path, "--dataset", "city", "--target", system.gateway], check=True,
                   capture_output=True)
    latitude, longitude = synthetic_osm.middle(nodes)
    chance, web = random.Random(9), system.web()
    for number in range(pins):
        position = {"latitude": latitude + chance.uniform(-REACH, REACH),
                    "longitude": longitude + chance.uniform(-REACH, REACH)}
        status, answer = web.call(f"{PINS}/CreatePin", {
            "position": position, "radiusM": 50, "name": f"Pin {number}", "requestId": f"bench-{number}"})
        if status != 200:
            raise SystemExit(f"script/bench web: a pin was answered with {status}: {answer}")
    settle(system.up.ready["pids"].values())
    return latitude, longitude


def pan(visitor, browser, folder):
    """Drags the map about for four seconds; the milliseconds of the main thread for each frame."""
    page = visitor.page
    trace = folder / "trace.json"
    browser.start_tracing(page=page, path=trace, categories=CATEGORIES)
    page.mouse.move(800, 400)
    page.mouse.down()
    for step in range(STEPS):
        turn = step / STEPS * 4
        page.mouse.move(800 + 300 * (1 - abs(turn % 2 - 1) * 2), 400 + 100 * (turn % 1))
        page.wait_for_timeout(1000 * STEP_S)
    page.mouse.up()
    browser.stop_tracing()
    return tasks_of_frames(json.loads(trace.read_text())["traceEvents"])


def frames(browser, system, middle, options, folder):
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en", service_workers="block")
    try:
        visitor = Visitor(context.new_page(), system.http, False).open()
        visitor.look_at(*middle, ZOOM)
        visitor.wait_drawn(DRAWN, ZOOM)
        settle(system.up.ready["pids"].values())
        return [milliseconds for _ in range(options.rounds) for milliseconds in pan(visitor, browser, folder)]
    finally:
        context.close()


def pinch(visitor, begin, end):
    """Two fingers in the middle of the map, from so many pixels beside it to so many."""
    page = visitor.page
    visitor.fingers = visitor.fingers or page.context.new_cdp_session(page)
    touch = lambda kind, points: visitor.fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    for step in range(PINCH_STEPS + 1):
        away = begin + (end - begin) * step / PINCH_STEPS
        points = [{"x": 195 + side * away, "y": 300, "id": number} for number, side in enumerate((-1, 1))]
        touch("touchMove" if step else "touchStart", points)
        page.wait_for_timeout(1000 * STEP_S)
    touch("touchEnd", [])
    page.wait_for_timeout(REST_MS)


def zooms(browser, system, middle, options, folder):
    """Milliseconds of the main thread of a phone's page for each frame, while one zooms in twice and out again; and those
    of the longest task."""
    context = browser.new_context(**PHONE, locale="en", service_workers="block")
    try:
        visitor = Visitor(context.new_page(), system.http, True).open()
        visitor.look_at(*middle, ZOOM)
        visitor.wait_drawn(DRAWN, ZOOM)
        context.new_cdp_session(visitor.page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        costs, longest = [], 0
        for _ in range(options.rounds):
            trace = folder / "zoom.json"
            browser.start_tracing(page=visitor.page, path=trace, categories=CATEGORIES)
            for begin, end in (FINGERS, FINGERS, FINGERS[::-1], FINGERS[::-1]):
                pinch(visitor, begin, end)
            browser.stop_tracing()
            events = json.loads(trace.read_text())["traceEvents"]
            costs += tasks_of_frames(events)
            longest = max(longest, longest_task(events))
        return costs, longest
    finally:
        context.close()


def first_map(browser, system, middle):
    """Seconds until all tiles in view have come to a new phone on slow 4G, from a map that was left there."""
    region = {"centre": {"latitude": middle[0], "longitude": middle[1]},
              "span": {"latitudeDelta": 0.02, "longitudeDelta": 0.03}}
    system.web().call(f"{PINS}/SetMapRegion", {"region": region})
    context = browser.new_context(**PHONE, locale="en", service_workers="block")
    try:
        page = context.new_page()
        traffic = Traffic(page, SLOW_4G)
        page.goto(system.http, wait_until="commit")
        expect(page.locator("canvas.leaflet-tile-loaded").first).to_be_attached(timeout=READY_S * 1000)
        Visitor(page, system.http, True).wait_drawn(DRAWN, round(page.evaluate(ZOOM_SHOWN)))
        page.wait_for_timeout(1000 * SLOW_S)
        ends = page.evaluate(TILE_TIMES)
        return max(ends) / 1000, len(ends), traffic.total()
    finally:
        context.close()


def shared_page(browser, system):
    """Milliseconds from the first byte of a share's page to its first paint with what is shared, on slow 4G, with an
    empty cache; and the bytes of the page."""
    web = system.web()
    _, answer = web.call(f"{PINS}/CreatePin", {
        "position": {"latitude": 60.1675, "longitude": 24.9427}, "radiusM": 500, "name": "Esplanadi",
        "requestId": f"bench-shared-{time.monotonic_ns()}"})
    settle(system.up.ready["pids"].values())
    _, made = web.call("waymark.shares.v1.ShareService/CreateShare", {"pinId": answer["pin"]["id"]})
    context = browser.new_context(**PHONE, locale="en", service_workers="block")
    try:
        page = context.new_page()
        Traffic(page, SLOW_4G)
        page.add_init_script(OBSERVE_SHARED)
        page.goto(system.http + made["share"]["path"], wait_until="commit")
        expect(page.locator(".shared-places li").first).to_be_visible(timeout=READY_S * 1000)
        assert page.locator(".shared-photos li").count() > 3
        return page.evaluate(SHARED_TIMES)
    finally:
        context.close()


def measure(options, folder):
    system = System(first_networks="all")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=os.environ["CHROMIUM"], args=["--no-sandbox", "--disable-gpu"])
            shared = [shared_page(browser, system) for _ in range(options.rounds)]
            middle = filled(system, 0, options.nodes, folder)
            times = [first_map(browser, system, middle) for _ in range(options.rounds)]
            filled(system, options.pins - options.rounds, options.nodes, folder)  # With those that are shared.
            costs = sorted(frames(browser, system, middle, options, folder))
            slow, longest = zooms(browser, system, middle, options, folder)
            slow.sort()
            browser.close()
    finally:
        system.stop()
    return {"pins": options.pins, "frames": len(costs), "p50_ms": round(statistics.median(costs), 2),
            "p95_ms": round(costs[len(costs) * 95 // 100], 2), "p99_ms": round(costs[len(costs) * 99 // 100], 2),
            "zoom_frames": len(slow), "zoom_p50_ms": round(statistics.median(slow), 2),
            "zoom_p95_ms": round(slow[len(slow) * 95 // 100], 2), "zoom_longest_ms": round(slow[-1], 2),
            "zoom_longest_task_ms": round(longest, 2),
            "first_map_s": round(statistics.median(time for time, _, _ in times), 2), "tiles": times[0][1],
            "first_map_bytes": times[0][2], "shared_page_ms": round(statistics.median(time for time, _ in shared)),
            "shared_page_bytes": shared[0][1], "load_average": round(os.getloadavg()[0], 1)}


def main():
    parser = argparse.ArgumentParser(prog="script/bench web", description=__doc__)
    parser.add_argument("--pins", type=int, default=5000)
    parser.add_argument("--nodes", type=int, default=400_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        result = measure(options, Path(folder))
    if options.json:
        return print(json.dumps(result))
    print(f"{result['frames']} frames while panning at {result['pins']:,} pins: the main thread works {result['p50_ms']} ms "
          f"for the median one, p95 {result['p95_ms']} ms, p99 {result['p99_ms']} ms\n"
          f"{result['zoom_frames']} frames while zooming on a phone with a quarter of the processor: "
          f"{result['zoom_p50_ms']} ms for the median one, p95 {result['zoom_p95_ms']} ms, "
          f"the longest {result['zoom_longest_ms']} ms, and the longest task {result['zoom_longest_task_ms']} ms\n"
          f"on slow 4G the page of a share is seen {result['shared_page_ms']} ms after its first byte, with "
          f"{result['shared_page_bytes']:,} bytes (goal 300 ms)\n"
          f"on slow 4G the {result['tiles']} tiles of the first map are there after {result['first_map_s']} s, with "
          f"{result['first_map_bytes']:,} bytes of all; the load average was {result['load_average']}")


if __name__ == "__main__":
    main()
