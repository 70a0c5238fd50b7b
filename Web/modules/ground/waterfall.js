// What was done for an answer, and when: a list of steps, each with a bar from when it began to when it ended.
import { el } from "./dom.js";
import { t } from "./text.js";

const NAMES = {
  explore: t("In all"), wait: t("Before asking"), places: t("Places"), pins: t("Pins"), photos: t("Photos"),
  posts: t("People"),
  send: t("way there"), queue: t("waiting"), search: t("searching"), encode: t("packing"), receive: t("way back"),
  merge: t("Putting together"), answer: t("Sending a part"),
};

export function waterfall({ steps = [] }) {
  const times = steps.map((step) => ({ ...step, from: milliseconds(step.start), took: milliseconds(step.duration) }));
  const whole = Math.max(...times.map(({ from, took }) => from + took), Number.MIN_VALUE);
  return el(
    "ol", { class: "waterfall", "aria-label": t("What the answer took") }, times.map((step) => line(step, whole)),
  );
}

function line({ name, depth = 0, from, took, facts = [] }, whole) {
  const hasFailed = facts.some((fact) => fact.name === "status" && fact.value !== "ok");
  const bar = el("span", { class: hasFailed ? "waterfall-bar failed" : "waterfall-bar" });
  bar.style.setProperty("--from", `${100 * from / whole}%`);
  bar.style.setProperty("--took", `${100 * took / whole}%`);
  const known = facts.filter((fact) => fact.value !== "ok").map((fact) => `${fact.name} ${fact.value}`);
  return el(
    "li", { "data-step": name, "data-depth": depth },
    el("span", { class: "waterfall-name" }, depth < 2 ? capital(NAMES[name] ?? name) : NAMES[name] ?? name),
    el("span", { class: "waterfall-track", "aria-hidden": "true" }, bar),
    el("span", { class: "waterfall-time" }, short(took)),
    known.length > 0 && el("span", { class: "waterfall-facts" }, known.join(" · ")),
  );
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);

// Steps of a service take microseconds.
function short(took) {
  if (took < 0.95) return `${Math.round(took * 1000)} µs`;
  return `${took < 9.95 ? took.toFixed(1) : Math.round(took)} ms`;
}

// "0.013s" as JSON has a duration.
const milliseconds = (duration) => 1000 * Number.parseFloat(duration ?? "0");
