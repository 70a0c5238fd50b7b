// What a pin and a cluster of pins look like. A state is never shown by its colour alone: its mark differs, too.
import { L } from "../map/leaflet.js";
import { el, setText, svg } from "../ground/dom.js";
import { drawing, icon } from "../ground/icons.js";
import { stateOf, waitOf } from "./pinstate.js";
import { t, tn } from "../ground/text.js";
import { shortNumber } from "../ground/words.js";

// The most dots that a mark has.
const MAXIMUM_DOTS = 4;
const DROP = "M17 43S3.5 28.6 3.5 17.2a13.5 13.5 0 0 1 27 0C30.5 28.6 17 43 17 43Z";

// Dots of the colours of lists: `marks` are {name, colour}.
const dots = (marks) => marks.length > 0 && el(
  "div", { class: "list-dots" }, marks.slice(0, MAXIMUM_DOTS).map(({ colour }) => el("i", { "data-colour": colour })),
);

export function pinIcon(pin, marks) {
  const state = stateOf(pin);
  const mark = svg("use", { href: drawing(state.key), x: 9.5, y: 9.5, width: 15, height: 15 });
  const body = el("div", { class: "pin-body" }, svg(
    "svg", { width: 34, height: 46, viewBox: "0 0 34 46", "aria-hidden": "true" },
    svg("ellipse", { class: "pin-shadow", cx: 17, cy: 43, rx: 6, ry: 2.2 }),
    svg("path", { class: "pin-drop", d: DROP }),
    svg("circle", { class: "pin-eye", cx: 17, cy: 17, r: 9.2 }),
    svg("g", { class: "pin-mark" }, mark),
  ));
  const name = el("div", { class: "pin-name" });
  const waits = waitOf(pin) && el("div", { class: "pin-waits" }, icon("waits"));
  const content = el("div", {}, body, waits, dots(marks), name);
  setText(name, pin.name);
  return L.divIcon({ className: "pin", html: content, iconSize: [34, 46], iconAnchor: [17, 43] });
}

// Of a crowd no states are known.
export function crowdIcon(members) {
  const size = members < 10 ? 42 : members < 1000 ? 48 : 56;
  const plate = svg("circle", { class: "cluster-plate", cx: size / 2, cy: size / 2, r: size / 2 - 1 });
  const ring = svg("circle", { class: "cluster-share crowd", cx: size / 2, cy: size / 2, r: size / 2 - 3 });
  const picture = svg("svg", { width: size, height: size, "aria-hidden": "true" }, plate, ring);
  const content = el(
    "div", { class: "cluster" }, picture, el("span", { class: "cluster-count" }, shortNumber(members)),
  );
  content.style.width = content.style.height = `${size}px`;
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

// A ring with the share of each state, and the number inside.
export function clusterIcon(cluster) {
  const states = cluster.getAllChildMarkers().map((marker) => stateOf(marker.pin).key);
  const size = states.length < 10 ? 42 : states.length < 100 ? 48 : 56;
  const radius = size / 2 - 3;
  const round = 2 * Math.PI * radius;
  let begin = 0;
  const shares = ["ready", "gaps", "bare", "partial", "new", "failed", "unopened", "waits"].flatMap((key) => {
    const part = states.filter((state) => state === key).length / states.length;
    if (part === 0) return [];
    const share = svg("circle", {
      class: `cluster-share ${key}`, cx: size / 2, cy: size / 2, r: radius,
      "stroke-dasharray": `${part * round} ${round}`, "stroke-dashoffset": -begin * round,
    });
    begin += part;
    return [share];
  });
  const plate = svg("circle", { class: "cluster-plate", cx: size / 2, cy: size / 2, r: size / 2 - 1 });
  const picture = svg("svg", { width: size, height: size, "aria-hidden": "true" }, plate, ...shares);
  const tally = el("span", { class: "cluster-count" }, String(states.length));
  const marks = new Map(cluster.getAllChildMarkers().flatMap(({ marks }) => marks).map((mark) => [mark.id, mark]));
  const content = el("div", { class: "cluster" }, picture, tally, dots([...marks.values()]));
  content.style.width = content.style.height = `${size}px`;
  return L.divIcon({ className: "cluster-icon", html: content, iconSize: [size, size] });
}
