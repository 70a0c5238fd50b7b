// One list of pins: its pins, its name and colour, and how the map shows it.
import { arrange, el, replace, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { isAlone, layerSwitch, showAlone } from "./layers.js";
import { listForm } from "./listform.js";
import {
  addToList, changeList, colourOf, deleteList, listDot, listOf, loadLists, onLists, pinsOf, removeFromList,
} from "./lists.js";
import { L } from "../map/leaflet.js";
import { isPhone, latLng } from "../map/map.js";
import { complain, notice, reasonOf, say } from "../ground/notices.js";
import { openings } from "../ground/opening.js";
import { setStand, showPanel } from "../map/panel.js";
import { stateOf } from "../pins/pinstate.js";
import { back, go } from "../ground/router.js";
import { shares } from "../sharing/share.js";
import { showBounds } from "../map/sight.js";
import { loading, nothing } from "../ground/states.js";
import { onPins, pinOf } from "../pins/store.js";
import { askFirst } from "../ground/sure.js";
import { near } from "../map/turns.js";
import { count } from "../ground/words.js";

// How many rows come at once.
const PAGE = 200;

export function openList({ list: id }) {
  const title = el("div", { class: "list-title" });
  const tally = el("p", { class: "panel-sub" });
  const tools = el("div", { class: "list-tools" });
  const sharing = openings(shares({ listId: id }));
  sharing.bodies.addEventListener("opened", () => isPhone() && setStand("full"));
  const note = el("div");
  const rows = el("ul", { class: "lists" });
  const more = el("button", { class: "button", hidden: true, onclick: showMore }, "Show more");
  const head = el(
    "header", { class: "panel-head" },
    el(
      "div", { class: "panel-bar" },
      el("button", { class: "panel-back", onclick: () => back({ view: "lists" }) }, icon("back"), "Lists"),
      el("span", { class: "spread" }), tool("Show all its pins", "all", fit), tool("Name and colour", "edit", edit),
      deleteButton(),
    ),
    title, tally, tools, sharing.row, sharing.bodies,
  );
  const known = new Map(); // id of a pin → its row
  const stops = [onLists((what) => what.id === id && changed(what)), onPins(() => draw())];
  let pins; // ids, when they are there
  let most = PAGE;
  let isEdited = false;
  let isClosed = false;

  showPanel({
    head, content: el("div", {}, note, rows, el("div", { class: "more" }, more)), label: "List", stand: "half",
  });
  load();

  async function load() {
    const wait = (trouble) => !isClosed && !pins && replace(note, loading(trouble, 3));
    wait();
    try {
      if (!listOf(id)) await loadLists(wait);
      pins = await pinsOf(id, wait);
      draw();
      fit();
    } catch (error) {
      if (isClosed) return;
      if (error.code === "not_found" || error.code === "invalid_argument") return missed();
      replace(note, nothing("warning", "The list can't be shown", reasonOf(error)));
    }
  }

  function missed() {
    notice("That list is not there");
    go({ view: "lists" }, { replace: true });
  }

  async function changed(what) {
    if (isClosed || !listOf(id)) return;
    if (what.pins) pins = await pinsOf(id).catch(() => pins);
    draw();
  }

  const shown = () => (pins ?? []).map(pinOf).filter(Boolean);

  function showMore() {
    most += PAGE;
    draw();
  }

  function draw() {
    const list = listOf(id);
    if (isClosed || !list || !pins) return;
    if (!isEdited) replace(title, listDot(list), el("h1", {}, list.name));
    const all = shown();
    setText(tally, count(all.length, "pin", "pins"));
    drawTools(list);
    replace(note, all.length === 0 && nothing(
      "drop", "No pins in it yet", "Open a pin's page and choose this list under “Lists”.",
    ));
    arrange(rows, all.slice(0, most).map(rowOf));
    more.hidden = all.length <= most;
  }

  function drawTools(list) {
    const hadFocus = tools.contains(document.activeElement) && document.activeElement.dataset.tool;
    const alone = el("button", {
      class: "chip", "aria-pressed": String(isAlone(id)), "data-tool": "alone",
      onclick: () => showAlone(id, !isAlone(id)).then(() => draw()),
    }, icon("check"), "Only this list");
    replace(tools, layerSwitch(list, draw), alone);
    if (hadFocus) tools.querySelector(`[data-tool="${hadFocus}"]`).focus();
  }

  function rowOf(pin) {
    let row = known.get(pin.id);
    if (!row) {
      row = el(
        "li", { class: "list-row" },
        el(
          "button", { class: "list-open", onclick: () => go({ view: "pin", pin: pin.id }) },
          el("span", { class: "list-pin" }),
          el("span", { class: "row-text" }, el("span", { class: "row-name" }), el("span", { class: "row-more" })),
        ),
        el(
          "button", { class: "round", title: "Take it out of the list", onclick: () => takeOut(pin.id) }, icon("minus"),
        ),
      );
      known.set(pin.id, row);
    }
    const { key, label } = stateOf(pin);
    replace(row.querySelector(".list-pin"), icon(key));
    setText(row.querySelector(".row-name"), pin.name);
    setText(row.querySelector(".row-more"), `${label} · ${count(pin.placeCount ?? 0, "place", "places")}`);
    row.lastChild.setAttribute("aria-label", `Take ${pin.name} out of the list`);
    return row;
  }

  async function takeOut(pinId) {
    const name = pinOf(pinId)?.name;
    try {
      await removeFromList(id, [pinId]);
      notice(`${name} is out of the list`, { label: "Undo", run: () => putBack(pinId) });
    } catch (error) {
      complain("It could not be taken out of the list.", error);
    }
  }

  const putBack = (pinId) =>
    addToList(id, [pinId]).catch((error) => complain("It could not be put back into the list.", error));

  function edit() {
    const list = listOf(id);
    if (!list || isEdited) return;
    isEdited = true;
    const form = listForm({
      name: list.name, colour: colourOf(list), button: "Save", cancel: end,
      async send(values, signal) {
        await changeList(id, values, signal);
        say("The list is changed.");
        end();
      },
    });
    replace(title, form.element);
    form.focus();
  }

  function end() {
    isEdited = false;
    draw();
    head.querySelector("[data-tool='edit']").focus();
  }

  function deleteButton() {
    const button = tool("Delete the list", "trash");
    return askFirst(button, {
      asking: (on) => button.setAttribute("aria-label", on ? "Press again to delete the list" : "Delete the list"),
      async run() {
        const { name } = listOf(id) ?? {};
        try {
          await deleteList(id);
        } catch (error) {
          if (error.code !== "not_found") return complain("The list could not be deleted.", error);
        }
        notice(`${name} is deleted. Its pins stay.`);
        go({ view: "lists" }, { replace: true });
      },
    });
  }

  function fit() {
    const points = shown().map((pin) => near(latLng(pin.position)));
    if (points.length > 0) showBounds(L.latLngBounds(points));
  }

  return {
    update: () => undefined,
    photos: () => undefined,
    placeName: () => "",
    close() {
      isClosed = true;
      for (const stop of stops) stop();
    },
  };
}

const tool = (label, mark, run) =>
  el("button", { class: "round", "aria-label": label, title: label, "data-tool": mark, onclick: run }, icon(mark));
