// The lists that a pin is in, on its page, and a menu that puts it into others.
import { el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { LIMITS } from "../ground/limits.js";
import {
  addToList, createList, freshColour, knownLists, listDot, listsWith, loadLists, onLists, removeFromList,
} from "./lists.js";
import { complain, say } from "../ground/notices.js";
import { opening } from "../ground/opening.js";
import { go } from "../ground/router.js";
import { t } from "../ground/text.js";

const [, LONGEST] = LIMITS.CreateListRequest.name;

export function pinLists(id) {
  const chips = el("ul", { class: "list-chips" });
  const choices = el("ul", { class: "list-choices" });
  const field = el("input", {
    type: "text", maxlength: LONGEST, placeholder: t("New list"), "aria-label": t("Name of a new list"),
  });
  const form = el("form", { class: "list-new" }, field, el("button", { class: "button" }, t("Add")));
  const body = el("div", { class: "pin-lists" }, choices, form);
  const menu = opening(body, open);
  menu.say(icon("lists"), t("Lists"));
  let inside = new Set();

  const stop = onLists(() => (body.isConnected ? draw() : wasShown && stop()));
  let wasShown = false;
  load();

  async function load() {
    try {
      const lists = await listsWith(id);
      inside = new Set(lists.map((list) => list.id));
      wasShown = true;
      drawChips(lists);
    } catch {
      // The menu says it when it is opened.
    }
  }

  async function open() {
    try {
      await loadLists();
    } catch (error) {
      complain(t("The lists can't be shown."), error);
    }
  }

  function draw() {
    const lists = knownLists() ?? [];
    drawChips(lists.filter((list) => inside.has(list.id)));
    const focused = document.activeElement?.closest(".list-choice")?.dataset.list;
    replace(choices, lists.map((list) => el("li", {}, choice(list))));
    if (focused) choices.querySelector(`[data-list="${focused}"]`)?.focus();
  }

  function drawChips(lists) {
    replace(chips, lists.map((list) => el("li", {}, el(
      "button", { class: "chip", onclick: () => go({ view: "lists", list: list.id }) }, listDot(list), list.name,
    ))));
  }

  const choice = (list) => el(
    "button", {
      class: "list-choice", "data-list": list.id, "aria-pressed": String(inside.has(list.id)),
      onclick: () => toggle(list),
    },
    listDot(list), el("span", {}, list.name), icon("check"),
  );

  async function toggle(list) {
    const wasIn = inside.has(list.id);
    if (wasIn) inside.delete(list.id);
    else inside.add(list.id);
    draw();
    try {
      await (wasIn ? removeFromList : addToList)(list.id, [id]);
      say(wasIn
        ? t("It is not in {list} any more.", { list: list.name }) : t("It is in {list} now.", { list: list.name }));
    } catch (error) {
      if (wasIn) inside.add(list.id);
      else inside.delete(list.id);
      draw();
      complain(t("The list could not be changed."), error);
    }
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const name = field.value.trim();
    if (!name) return;
    try {
      const list = await createList({ name, colour: freshColour() });
      field.value = "";
      await toggle(list);
    } catch (error) {
      complain(t("The list could not be made."), error);
    }
  });

  return { chips: el("div", { class: "pin-lists" }, chips, menu.chip), body };
}
