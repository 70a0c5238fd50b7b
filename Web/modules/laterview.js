// The panel of a page whose script comes later.
import { el, replace } from "./ground/dom.js";
import { icon } from "./ground/icons.js";
import { failure, laterPages, pagesSoFar } from "./ground/later.js";
import { showPanel } from "./map/panel.js";
import { back } from "./ground/router.js";
import { loading } from "./ground/states.js";
import { t } from "./ground/text.js";

// A page by the name of its view. Until its script is there, it says that it loads, or that it can't.
export function openLater(route, changed) {
  const pages = pagesSoFar();
  if (pages) return pages[route.view](route, changed);
  const content = el("div");
  let now = route;
  let view;
  let isClosed = false;
  const head = el(
    "header", { class: "panel-head" },
    el("div", { class: "panel-bar" }, el(
      "button", { class: "panel-back", onclick: () => back({ view: "home" }) }, icon("back"), t("Map"),
    )),
  );
  showPanel({ head, content, label: t("Loading"), stand: "half" });
  begin();

  async function begin() {
    replace(content, loading(undefined, 3));
    let pages;
    try {
      pages = await laterPages();
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
