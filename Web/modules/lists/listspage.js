// All lists of pins: each with its colour, how many pins it has, and whether it is shown on the map.
import { arrange, el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { layerSwitch } from "./layers.js";
import { listForm } from "./listform.js";
import { createList, freshColour, knownLists, listDot, loadLists, onLists } from "./lists.js";
import { reasonOf, say } from "../ground/notices.js";
import { showPanel } from "../map/panel.js";
import { back, go } from "../ground/router.js";
import { loading, nothing } from "../ground/states.js";
import { t, tn } from "../ground/text.js";

// `tracks` are rows of what else files have brought, which follow the lists.
export function openLists(tracks) {
  const making = el("div", { class: "list-making" });
  const note = el("div");
  const rows = el("ul", { class: "lists" });
  const head = el(
    "header", { class: "panel-head" },
    el("div", { class: "panel-bar" }, el(
      "button", { class: "panel-back", onclick: () => back({ view: "home" }) }, icon("back"), t("Map"),
    )),
    el("h1", {}, t("Lists")), making,
  );
  const stop = onLists(draw);
  let isClosed = false;

  showPanel({ head, content: el("div", {}, note, rows, tracks.element), label: t("Lists"), stand: "half" });
  close();
  load();

  async function load() {
    const wait = (trouble) => !isClosed && !knownLists() && replace(note, loading(trouble, 3));
    wait();
    try {
      await loadLists(wait);
    } catch (error) {
      if (!isClosed) replace(note, nothing("warning", t("The lists can't be shown"), reasonOf(error)));
    }
  }

  function draw() {
    const lists = knownLists();
    if (isClosed || !lists) return;
    const how = t("Make one, as “Summer 2026” or “Cafes to try”, and put pins into it on their pages.");
    replace(note, lists.length === 0 && nothing("select", t("No lists yet"), how));
    const open = document.activeElement?.closest("[data-list]")?.dataset.list;
    const isSwitch = document.activeElement?.classList.contains("layer");
    arrange(rows, lists.map(rowOf));
    // Rows are made again, and what had the focus keeps it.
    rows.querySelector(`[data-list="${open}"] ${isSwitch ? ".layer" : ".list-open"}`)?.focus();
  }

  const rowOf = (list) => el(
    "li", { class: "list-row", "data-list": list.id },
    el(
      "button", { class: "list-open", onclick: () => go({ view: "lists", list: list.id }) }, listDot(list),
      el(
        "span", { class: "row-text" }, el("span", { class: "row-name" }, list.name),
        el("span", { class: "row-more" }, tn(list.pinCount ?? 0, "{n} pin", "{n} pins")),
      ),
    ),
    layerSwitch(list),
  );

  function form() {
    const made = listForm({
      colour: freshColour(), button: t("Make the list"), cancel: close,
      async send(values, signal) {
        const list = await createList(values, signal);
        say(t("{list} is made.", { list: list.name }));
        close();
      },
    });
    replace(making, made.element);
    made.focus();
  }

  function close() {
    const hadFocus = making.contains(document.activeElement);
    const button = el("button", { class: "button", onclick: form }, icon("plus"), t("New list"));
    replace(making, button);
    if (hadFocus) button.focus();
  }

  return {
    update: () => undefined,
    photos: () => undefined,
    placeName: () => "",
    close() {
      isClosed = true;
      stop();
      tracks.close();
    },
  };
}
