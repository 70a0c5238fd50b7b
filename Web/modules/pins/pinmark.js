// What a pin and a cluster of pins look like. A state is never shown by its colour alone: its mark differs, too.
import { L } from "../map/leaflet.js";
import { markPane } from "../map/markpane.js";
import { el, setText, svg } from "../ground/dom.js";
import { drawing, icon } from "../ground/icons.js";
import { COLOUR_OF, DROP } from "./pinpictures.js";
import { stateOf, waitOf } from "./pinstate.js";
import { t, tn } from "../ground/text.js";
import { shortNumber } from "../ground/words.js";

// The most dots that a mark has.
const MAXIMUM_DOTS = 4;
// From how many letters on a name is cut off where it is too wide; of letters as wide as Japanese ones, half as many.
const LONG = 24;
const WIDE = /[\u2e80-\uffff]/;

export const pinPane = markPane("pins", 600);
// A mark of a pin, or of several: `pinMarker(point, options)`.
export const pinMarker = pinPane.mark;

// Dots of the colours of lists: `marks` are {name, colour}.
const dots = (marks) => marks.length > 0 && el(
  "div", { class: "list-dots" }, marks.slice(0, MAXIMUM_DOTS).map(({ colour }) => el("i", { "data-colour": colour })),
);

export function pinIcon(pin, marks) {
  const body = el("div", { class: "pin-body" }, stateOf(pin).key === "new" && turningPin());
  const name = el("div", { class: "pin-name" });
  const waits = waitOf(pin) && el("div", { class: "pin-waits" }, icon("waits"));
  const content = el("div", { class: "pin-stack" }, body, waits, dots(marks), name);
  const { name: text = "" } = pin;
  setText(name, text);
  name.classList.toggle("long", text.length > (WIDE.test(text) ? LONG / 2 : LONG));
  return L.divIcon({ className: "pin", html: content, iconSize: [34, 46], iconAnchor: [17, 43] });
}

// What a screen reader says of a cluster, whose element is made each time that it appears.
export function nameCluster(mark, number) {
  return mark.on("add", () => {
    mark.getElement().setAttribute("role", "button");
    mark.getElement().setAttribute("aria-label", t("{n} pins. Enter shows them.", { n: number }));
  });
}

// What turns while it is searched is a drawing.
function turningPin() {
  const mark = svg("use", { href: drawing("new"), x: 9.5, y: 9.5, width: 15, height: 15 });
  return svg(
    "svg", { width: 34, height: 46, viewBox: "0 0 34 46", "aria-hidden": "true" },
    svg("ellipse", { class: "pin-shadow", cx: 17, cy: 43, rx: 6, ry: 2.2 }),
    svg("path", { class: "pin-drop", d: DROP }),
    svg("circle", { class: "pin-eye", cx: 17, cy: 17, r: 9.2 }),
    svg("g", { class: "pin-mark" }, mark),
  );
}

// Of a crowd no states are known.
export const crowdIcon = (members) =>
  ringIcon(members < 10 ? 42 : members < 1000 ? 48 : 56, [["bare", 1]], shortNumber(members));

// A ring with the share of each colour, and the number inside.
function ringIcon(size, shares, number, marks = []) {
  const isPlain = shares.length === 1;
  const content = el(
    "div", { class: isPlain ? "cluster plain" : "cluster" },
    el("span", { class: "cluster-count" }, number), dots(marks),
  );
  let begin = 0;
  const parts = shares.map(([colour, share]) => {
    const from = begin;
    begin += share;
    return `var(--${colour}) ${from}turn ${begin}turn`;
  });
  content.style.width = content.style.height = `${size}px`;
  const ring = isPlain ? `var(--${shares[0][0]})` : `conic-gradient(from 90deg, ${parts.join(", ")})`;
  content.style.setProperty("--ring", ring);
  return L.divIcon({ className: "cluster-icon", html: content, iconSize: [size, size] });
}

export const pinLabel = (pin, marks) => {
  const { label, sentence } = stateOf(pin);
  const places = tn(pin.placeCount ?? 0, "{n} place", "{n} places");
  return [
    t("{sentence}.", { sentence: t("Pin {name}", { name: pin.name }) }),
    t("{sentence}.", { sentence: pin.isNew ? sentence : `${label}, ${places}` }),
    !pin.isNew && waitOf(pin),
    marks.length > 0 && t("In {lists}.", { lists: marks.map(({ name }) => name).join(", ") }),
    t("Enter opens it."),
  ].filter(Boolean).join(" ");
};

// Its ring has the share of each state.
export function clusterIcon(markers) {
  const states = markers.map((marker) => stateOf(marker.pin).key);
  const shares = ["ready", "gaps", "bare", "partial", "new", "failed", "unopened", "waits"]
    .map((key) => [COLOUR_OF[key], states.filter((state) => state === key).length / states.length])
    .filter(([, share]) => share > 0);
  const marks = new Map(markers.flatMap(({ marks }) => marks).map((mark) => [mark.id, mark]));
  const size = states.length < 10 ? 42 : states.length < 100 ? 48 : 56;
  return ringIcon(size, shares, String(states.length), [...marks.values()]);
}
