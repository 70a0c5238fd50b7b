"""What a page costs until all of its first look is there, as the browser itself counts and measures it."""

import json

from server import ROOT

# What Lighthouse takes for a phone on slow 4G (`mobileSlow4G` in its core/config/constants.js): 150 ms, 1.6 Mbit/s
# down, 750 kbit/s up. The browser imitates it for each request: opening a connection takes no time of its own.
SLOW_4G = {
    "offline": False, "latency": 150, "downloadThroughput": 1.6 * 1024 * 1024 / 8,
    "uploadThroughput": 750 * 1024 / 8,
}
# The pieces of the map for central Helsinki at that zoom: the world's coast, then the tiles of the city.
COAST = ["/map/world/8/145/74"]
CITY = ["/map/helsinki/14/9327/4742"]
FOLDER = ROOT / ".build/test"

# Begins before the page does. Shifts are summed up, which is never less than what browsers call CLS.
OBSERVE = """
window.firstLook = { largestPaint: 0, shifts: 0, shifted: [], slowest: 0, pins: undefined, isExcused: false };
const observe = (type, take, more = {}) => new PerformanceObserver((list) => list.getEntries().forEach(take))
    .observe({ type, buffered: true, ...more });
observe("largest-contentful-paint", ({ startTime }) => { firstLook.largestPaint = startTime; });
observe("layout-shift", ({ value, hadRecentInput, sources }) => {
    if (hadRecentInput) return;
    firstLook.shifts += value;
    const name = ({ node }) => (node?.parentElement ?? node)?.outerHTML.slice(0, 90);
    firstLook.shifted.push([value, ...sources.map(name)]);
});
observe("event", ({ interactionId, duration }) => {
    if (interactionId) firstLook.slowest = Math.max(firstLook.slowest, duration);
}, { durationThreshold: 16 });
new MutationObserver(() => {
    if (document.querySelector(".pin")) firstLook.pins ??= performance.now();
    // The page told why there are no pins yet; then the map waits for them no longer.
    else firstLook.isExcused ||= document.querySelector(".waits") !== null;
}).observe(document, { subtree: true, childList: true });
"""
# When each of these files was there; nothing until all are.
CAME = """async (paths) => {
    const entries = performance.getEntriesByType("resource").filter(({ responseEnd }) => responseEnd > 0);
    return paths.every((path) => entries.some(({ name }) => new URL(name).pathname === path));
}"""
TIMES = """(paths) => {
    const entries = performance.getEntriesByType("resource");
    return paths.map((path) => entries.find(({ name }) => new URL(name).pathname === path).responseEnd);
}"""


class Traffic:
    """The bytes that came over the network, by what was asked for, with the heads of the answers."""

    def __init__(self, page, conditions=None):
        self.asked, self.sizes = {}, {}
        session = page.context.new_cdp_session(page)
        session.on("Network.requestWillBeSent", self.ask)
        # A stream never finishes: it is counted as it comes, and again when it does finish.
        session.on("Network.responseReceived", lambda event: self.add(event, event["response"]["encodedDataLength"]))
        session.on("Network.dataReceived", lambda event: self.add(event, event["encodedDataLength"]))
        session.on("Network.loadingFinished", self.finish)
        session.send("Network.enable")
        if conditions:
            session.send("Network.emulateNetworkConditions", conditions)

    def ask(self, event):
        self.asked[event["requestId"]] = event["request"]["url"]

    def add(self, event, size):
        self.sizes[event["requestId"]] = self.sizes.get(event["requestId"], 0) + size

    def finish(self, event):
        self.sizes[event["requestId"]] = event["encodedDataLength"]

    def by_url(self):
        """The largest first."""
        sizes = [(self.asked[request], size) for request, size in self.sizes.items() if request in self.asked]
        return sorted(sizes, key=lambda entry: -entry[1])

    def total(self):
        return sum(size for _, size in self.by_url())


def keep(size, **measured):
    """Adds to what was measured at this size, in .build/test/first-load-SIZE.json."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"first-load-{size}.json"
    before = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps(before | measured, indent=1))
