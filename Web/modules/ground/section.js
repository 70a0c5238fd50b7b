// A part of a page, behind its heading.
import { el, replace } from "./dom.js";
import { icon } from "./icons.js";
import { reasonOf } from "./notices.js";
import { loading } from "./states.js";

// `fill(body)` is called each time when it is opened.
export function section(title, fill) {
  const body = el("div", { class: "section-body" });
  const element = el(
    "details", { class: "section", ontoggle: () => element.open && fill(body) },
    el("summary", {}, el("h2", {}, title), icon("next")), body,
  );
  return element;
}

// Shows what `load` resolves with, by `draw`, or why it did not come.
export async function fillWith(body, load, draw) {
  if (!body.hasChildNodes()) replace(body, loading(undefined, 2));
  try {
    replace(body, draw(await load()));
  } catch (error) {
    replace(body, el("p", { class: "section-note" }, reasonOf(error)));
  }
}
