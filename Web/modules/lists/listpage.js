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
import { t, tn } from "../ground/text.js";

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
  const more = el("button", { class: "button", hidden: true, onclick: showMore }, t("Show more"));
  const head = el(
    "header", { class: "panel-head" },
    el(
      "div", { class: "panel-bar" },
      el("button", { class: "panel-back", onclick: () => back({ view: "lists" }) }, icon("back"), t("Lists")),
      el(
        "span", { class: "spread" },
      ), tool(t("Show all its pins"), "all", fit), tool(t("Name and colour"), "edit", edit),
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
    head, content: el("div", {}, note, rows, el("div", { class: "more" }, more)), label: t("List"), stand: "half",
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
      replace(note, nothing("warning", t("The list can't be shown"), reasonOf(error)));
    }
  }

  function missed() {
    notice(t("That list is not there"));
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
    setText(tally, tn(all.length, "{n} pin", "{n} pins"));
    drawTools(list);
    replace(note, all.length === 0 && nothing(
      "drop", t("No pins in it yet"), t("Open a pin's page and choose this list under “Lists”."),
    ));
    arrange(rows, all.slice(0, most).map(rowOf));
    more.hidden = all.length <= most;
  }

  function drawTools(list) {
    const hadFocus = tools.contains(document.activeElement) && document.activeElement.dataset.tool;
    const alone = el("button", {
      class: "chip", "aria-pressed": String(isAlone(id)), "data-tool": "alone",
      onclick: () => showAlone(id, !isAlone(id)).then(() => draw()),
    }, icon("check"), t("Only this list"));
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
        el("button", {
          class: "round", title: t("Take it out of the list"), onclick: () => takeOut(pin.id),
        }, icon("minus")),
      );
      known.set(pin.id, row);
    }
    const { key, label } = stateOf(pin);
    replace(row.querySelector(".list-pin"), icon(key));
    setText(row.querySelector(".row-name"), pin.name);
    setText(row.querySelector(".row-more"), `${label} · ${tn(pin.placeCount ?? 0, "{n} place", "{n} places")}`);
    row.lastChild.setAttribute("aria-label", t("Take {name} out of the list", { name: pin.name }));
    return row;
  }

  async function takeOut(pinId) {
    const name = pinOf(pinId)?.name;
    try {
      await removeFromList(id, [pinId]);
      notice(t("{name} is out of the list", { name }), { label: t("Undo"), run: () => putBack(pinId) });
    } catch (error) {
      complain(t("It could not be taken out of the list."), error);
    }
  }

  const putBack = (pinId) =>
    addToList(id, [pinId]).catch((error) => complain(t("It could not be put back into the list."), error));

  function edit() {
    const list = listOf(id);
    if (!list || isEdited) return;
    isEdited = true;
    const form = listForm({
      name: list.name, colour: colourOf(list), button: t("Save"), cancel: end,
      async send(values, signal) {
        await changeList(id, values, signal);
        say(t("The list is changed."));
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
    const button = tool(t("Delete the list"), "trash");
    return askFirst(button, {
      asking: (on) => button.setAttribute(
        "aria-label", on ? t("Press again to delete the list") : t("Delete the list"),
      ),
      async run() {
        const { name } = listOf(id) ?? {};
        try {
          await deleteList(id);
        } catch (error) {
          if (error.code !== "not_found") return complain(t("The list could not be deleted."), error);
        }
        notice(t("{name} is deleted. Its pins stay.", { name }));
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
