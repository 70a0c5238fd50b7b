// The head of a pin's two pages, places and album: its name and its state in one line, what can be done to it, and the
// bar that leads from one page to the other. It is low: the pages are for places and photos.
import { el, replace, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { LIMITS } from "../ground/limits.js";
import { menu, menuItem } from "../ground/menu.js";
import { openings } from "../ground/opening.js";
import { askFirst } from "../ground/sure.js";
import { movePinByAim, renamePin } from "./actions.js";
import { deletePin } from "./deletion.js";
import { laterPages } from "../ground/later.js";
import { isPhone } from "../map/map.js";
import { setStand } from "../map/panel.js";
import { pinOf } from "./store.js";
import { photoCountOf, stateOf, waitOf } from "./pinstate.js";
import { number, t, tn } from "../ground/text.js";
import { back, go } from "../ground/router.js";
import { metres } from "../ground/words.js";

// `fit` shows all of the pin's places on the map. Returns the element and a function to call when the pin has changed.
export function pinHead(id, view, fit) {
  const name = el("h1", {}, pinOf(id)?.name ?? "");
  const state = el("p", { class: "state" });
  const title = el("div", { class: "pin-title" }, name, state);
  const waits = el("p", { class: "pin-waiting" });
  const kept = openings();
  let note;
  laterPages().then(({ pinNote, pinLists, shares }) => {
    note = pinNote(id);
    kept.add(note, pinLists(id));
    if (!pinOf(id)?.isNew) kept.add(shares({ pinId: id }));
  }, () => {});
  // What opens is read in a sheet that is pulled up.
  kept.bodies.addEventListener("opened", () => isPhone() && setStand("full"));
  const tabs = Object.fromEntries(["places", "album"].map((each) => [each, el("b")]));
  const pages = el(
    "div", { class: "tabs wide" }, tab("places", t("Places"), tabs.places), tab("album", t("Album"), tabs.album),
  );
  const more = menu(
    t("More"), menuItem(t("Rename"), "edit", () => rename()),
    menuItem(t("Move"), "move", () => movePinByAim(pinOf(id))),
    deleteItem(id),
  );
  const head = el(
    "header", { class: "panel-head pin-head" },
    el(
      "div", { class: "panel-bar" },
      el(
        "button", {
          class: "round", "aria-label": t("Map"), title: t("Map"), onclick: () => back({ view: "pin", pin: id }),
        },
        icon("back"),
      ),
      title, tool(t("Show all its places"), "all", fit), more,
    ),
    waits, kept.row, kept.bodies, pages,
  );

  function tab(target, label, tally) {
    const open = () => go({ view: target, pin: id }, { replace: true });
    return el("button", { "aria-current": target === view ? "page" : undefined, onclick: open }, label, tally);
  }

  function rename() {
    const field = el("input", {
      type: "text", maxlength: LIMITS.RenamePinRequest.name[1], "aria-label": t("Name of the pin"),
      value: pinOf(id).name,
    });
    const form = el("form", { class: "rename" }, field, el("button", { class: "button primary" }, t("Save")));
    const end = () => {
      replace(title, name, state);
      more.firstChild.focus({ preventScroll: true });
    };
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
      replace(state, icon(key), el("span", {}, label));
    }
    name.title = `${pin.name}: ${summary(pin)}`;
    state.title = summary(pin);
    setText(waits, waitOf(pin) ?? "");
    note?.draw();
    // Nothing was looked for around one that waits: that is not none.
    pages.hidden = pin.isNew === true;
    setText(tabs.places, number(pin.placeCount ?? 0));
    const photos = photoCountOf(pin);
    setText(tabs.album, photos === undefined ? "" : tn(photos, "{n} photo", "{n} photos"));
  }

  draw();
  return { head, draw };
}

const tool = (label, mark, run) =>
  el("button", { class: "round", "aria-label": label, title: label, onclick: run }, icon(mark));

function summary(pin) {
  if (!pin.photoPlaceCount) return t("within {distance}", { distance: metres(pin.radiusM) });
  return tn(
    pin.photoPlaceCount, "{n} place with photos within {distance}", "{n} places with photos within {distance}",
    { distance: metres(pin.radiusM) },
  );
}

function deleteItem(id) {
  const item = menuItem(t("Delete the pin"), "trash", () => {});
  item.classList.add("danger");
  return askFirst(item, {
    asking: (on) => setText(item.lastChild, on ? t("Press again to delete the pin") : t("Delete the pin")),
    run: () => deletePin(id),
  });
}
