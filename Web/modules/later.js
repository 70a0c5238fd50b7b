// Pages whose script comes after the first look at the map.
import { el, icon, replace } from "./dom.js";
import { showPanel } from "./panel.js";
import { back } from "./router.js";
import { loading, nothing } from "./states.js";

let pages;

const load = async () => {
  ({ pages } = await import("./pages.js"));
};

// All of them, when their script is there; throws when it does not come.
export async function laterPages() {
  if (!pages) await load();
  return pages;
}

// Fetches them when the page is used for the first time, so that they are there before they are needed.
export function fetchPages() {
  for (const name of ["pointerdown", "keydown"]) {
    addEventListener(name, () => load().catch(() => {}), { once: true, capture: true });
  }
}

// A page by the name of its view. Until its script is there, it says that it loads, or that it can't.
export function openLater(route, changed) {
  if (pages) return pages[route.view](route, changed);
  const content = el("div");
  let now = route;
  let view;
  let isClosed = false;
  const head = el(
    "header", { class: "panel-head" },
    el("div", { class: "panel-bar" }, el(
      "button", { class: "panel-back", onclick: () => back({ view: "home" }) }, icon("back"), "Map",
    )),
  );
  showPanel({ head, content, label: "Loading", stand: "half" });
  begin();

  async function begin() {
    replace(content, loading(undefined, 3));
    try {
      await load();
    } catch {
      if (!isClosed) replace(content, failure());
      return;
    }
    if (isClosed) return;
    view = pages[now.view](now, changed);
    view.update(now);
    changed();
  }

  return {
    update(next) {
      now = next;
      view?.update(next);
    },
    photos: (...words) => view?.photos(...words),
    placeName: (...words) => view?.placeName(...words) ?? "",
    close() {
      isClosed = true;
      view?.close();
    },
  };
}

// A browser may keep that a script did not come, and not ask for it again: only a new page does.
export const failure = (title = "This page did not come") => nothing(
  "unplugged", title, "The server did not answer.",
  el("button", { class: "button", onclick: () => location.reload() }, "Try again"),
);
