// The head of a pin's two pages, places and album: its name, its state, and what can be done to it.
import { el, replace, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { LIMITS } from "../ground/limits.js";
import { askFirst } from "../ground/sure.js";
import { movePinByAim, renamePin } from "./actions.js";
import { deletePin } from "./deletion.js";
import { laterPages } from "../ground/later.js";
import { pinOf } from "./store.js";
import { photoCountOf, stateOf, waitOf } from "./pinstate.js";
import { count, number } from "../ground/words.js";
import { back, go } from "../ground/router.js";

// `fit` shows all of the pin's places on the map. Returns the element and a function to call when the pin has changed.
export function pinHead(id, view, fit) {
  const name = el("h1", {}, pinOf(id)?.name ?? "");
  const title = el("div", {}, name);
  const state = el("span", { class: "state" });
  const counts = el("span");
  const kept = el("div");
  let note;
  laterPages().then(({ pinNote, pinLists, shares }) => {
    note = pinNote(id);
    kept.append(note.element, pinLists(id));
    if (!pinOf(id)?.isNew) kept.append(shares({ pinId: id }));
  }, () => {});
  const tabs = Object.fromEntries(["places", "album"].map((each) => [each, el("b")]));
  const pages = el(
    "div", { class: "tabs wide" }, tab("places", "Places", tabs.places), tab("album", "Album", tabs.album),
  );
  const head = el(
    "header", { class: "panel-head" },
    el(
      "div", { class: "panel-bar" },
      el("button", { class: "panel-back", onclick: () => back({ view: "pin", pin: id }) }, icon("back"), "Map"),
      el("span", { class: "spread" }),
      tool("Show all its places", "all", fit),
      tool("Rename", "edit", () => rename()),
      tool("Move", "move", () => movePinByAim(pinOf(id))),
      deleteButton(id),
    ),
    title,
    el("p", { class: "panel-sub" }, state, counts), kept,
    pages,
  );

  function tab(target, label, tally) {
    const open = () => go({ view: target, pin: id }, { replace: true });
    return el("button", { "aria-current": target === view ? "page" : undefined, onclick: open }, label, tally);
  }

  function rename() {
    const field = el("input", {
      type: "text", maxlength: LIMITS.RenamePinRequest.name[1], "aria-label": "Name of the pin", value: pinOf(id).name,
    });
    const form = el("form", { class: "rename" }, field, el("button", { class: "button primary" }, "Save"));
    const end = () => replace(title, name);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (field.value.trim() !== pinOf(id)?.name) renamePin(id, field.value.trim());
      end();
    });
    form.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      end();
    });
    replace(title, form);
    field.select();
  }

  function draw() {
    const pin = pinOf(id);
    if (!pin) return;
    setText(name, pin.name);
    const { key, label } = stateOf(pin);
    if (state.dataset.state !== key) {
      state.dataset.state = key;
      replace(state, icon(key), label);
    }
    setText(counts, summary(pin));
    note?.draw();
    // Nothing was looked for around one that waits: that is not none.
    pages.hidden = pin.isNew === true;
    setText(tabs.places, number(pin.placeCount ?? 0));
    const photos = photoCountOf(pin);
    setText(tabs.album, photos === undefined ? "" : count(photos, "photo", "photos"));
  }

  draw();
  return { head, draw };
}

const tool = (label, mark, run) =>
  el("button", { class: "round", "aria-label": label, title: label, onclick: run }, icon(mark));

function summary(pin) {
  if (waitOf(pin)) return waitOf(pin);
  if (!pin.photoPlaceCount) return `within ${number(pin.radiusM)} m`;
  return `${count(pin.photoPlaceCount, "place", "places")} with photos within ${number(pin.radiusM)} m`;
}

function deleteButton(id) {
  const button = tool("Delete the pin", "trash");
  return askFirst(button, {
    asking: (on) => {
      button.setAttribute("aria-label", on ? "Press again to delete the pin" : "Delete the pin");
    },
    run: () => deletePin(id),
  });
}
