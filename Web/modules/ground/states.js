// What a list shows while it is empty: what it is waiting for; or that there is nothing, and what helps.
import { el } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./text.js";

// Why a watch has no data yet, by the reason that `watch` passes to `troubled`.
const WAITS = {
  gateway: t("The server is not answering. This comes as soon as it does."),
  service: t("Part of the server is not running. This comes as soon as it is."),
  login: t("Log in to see this."),
  slow: t("The server takes long to answer. This comes as soon as it does."),
};

// Placeholder lines for what is loading; with the trouble, when there is some.
export function loading(trouble, lines = 4) {
  return [
    trouble && el("p", { class: "waits", role: "status" }, icon("unplugged"), el("span", {}, WAITS[trouble])),
    Array.from({ length: lines }, () => el("div", { class: "skeleton" })),
  ];
}

// Nothing is there: a mark, a title, a sentence or more, and perhaps a button.
export function nothing(mark, title, text, ...more) {
  const lines = [text].flat().map((line) => el("p", {}, line));
  const picture = el("div", { class: "empty-mark" }, icon(mark));
  return el("div", { class: "empty" }, picture, el("h2", {}, title), lines, more);
}

// A list of which a part may be missing says so above it.
export function faults(texts) {
  return texts.map((text) => el("p", { class: "waits" }, icon("warning"), el("span", {}, text)));
}
