// What files name without saying where it is: each with where it may be, to be put on the map or left.
import { el, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { act, change, read } from "../server/api.js";
import { reasonOf, say } from "../ground/notices.js";
import { t, tn } from "../ground/text.js";

const SERVICE = "pins.v1.UnplacedPinService";

// How many there are; 0 while that is not known.
export async function unplacedCount() {
  const { totalCount = 0 } = await read(`${SERVICE}/ListUnplacedPins`, { pageSize: 1 });
  return Number(totalCount);
}

// `changed` is called after some of them have gone.
export function placeUnplaced(changed = () => {}) {
  const text = el("p", { class: "quiet", role: "status" }, t("Looking for them…"));
  const list = el("ul", { class: "unplaced" });
  const outcome = el("p", { class: "form-outcome", role: "alert" });
  const go = el(
    "button", { class: "button primary", type: "button", hidden: true, onclick: place }, t("Put on the map"),
  );
  const more = el("button", { class: "button", type: "button", hidden: true, onclick: () => load() }, t("Show more"));
  const dialog = el(
    "dialog", { class: "login import", "aria-label": t("Without a position") },
    el(
      "div", { class: "login-content" }, el("div", { class: "login-mark" }, icon("drop")),
      el("h2", {}, t("Where are these?")), text, list, more, outcome,
      el(
        "div", { class: "form-foot" }, go,
        el("button", { class: "button", type: "button", onclick: close }, t("Later")),
      ),
    ),
  );
  const rows = new Map();
  let token = "";

  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    close();
  });
  dialog.addEventListener("keydown", (event) => event.key === "Escape" && event.stopPropagation());
  document.body.append(dialog);
  dialog.showModal();
  load();

  async function load() {
    more.disabled = true;
    try {
      const answer = await read(`${SERVICE}/ListUnplacedPins`, { pageToken: token });
      token = answer.nextPageToken ?? "";
      for (const pin of answer.pins ?? []) add(pin, Boolean(answer.warning));
      setText(outcome, answer.warning ? t("Suggestions are missing: {warning}.", { warning: answer.warning }) : "");
      tell(Number(answer.totalCount ?? 0));
    } catch (error) {
      setText(text, "");
      setText(outcome, `${t("They can't be shown now.")} ${reasonOf(error)}`);
    }
    more.disabled = false;
    more.hidden = token === "";
  }

  function tell(total) {
    const sentence = total > 0
      ? tn(
        total, "{n} entry without a position. Below it stands where it may be.",
        "{n} entries without a position. Below each stands where it may be.",
      )
      : t("All that your files name is on the map.");
    setText(text, sentence);
    say(sentence);
    drawButton();
  }

  function add(pin, isUnknown) {
    const name = pin.name || pin.address;
    const where = el("span", { class: "quiet" });
    const row = { pin, position: null, box: null, item: null };
    row.box = el("input", { type: "checkbox", "aria-label": name, onchange: drawButton });
    const other = el("input", {
      type: "search", placeholder: t("Somewhere else…"), "aria-label": t("Where {name} is", { name }),
      onchange: () => find(row, other.value, where),
    });
    row.item = el(
      "li", {}, el("label", {}, row.box, el("span", {}, el("strong", {}, name), where)), other,
      el(
        "button", {
          class: "button", type: "button", "aria-label": t("Delete {name}", { name }), onclick: () => drop(row),
        }, icon("trash"),
      ),
    );
    suggest(row, pin.suggestion, where, pin.suggestion?.isSure ?? false);
    if (isUnknown && !pin.suggestion) setText(where, t("It could not be looked up now."));
    rows.set(pin.id, row);
    list.append(row.item);
  }

  function suggest(row, suggestion, where, isChosen) {
    row.position = suggestion?.position ?? null;
    const words = suggestion && [suggestion.name, suggestion.context].filter(Boolean).join(", ");
    setText(where, words || t("Nothing of that name is known here."));
    row.box.disabled = !row.position;
    row.box.checked = Boolean(row.position) && isChosen;
    drawButton();
  }

  async function find(row, wanted, where) {
    if (!wanted.trim()) return;
    try {
      const { results = [] } = await read("places.v1.PlacesService/Find", { text: wanted, limit: 1 });
      suggest(row, results[0], where, true);
    } catch (error) {
      setText(outcome, `${t("It could not be looked for.")} ${reasonOf(error)}`);
    }
  }

  const chosen = () => [...rows.values()].filter((row) => row.box.checked).slice(0, 100);

  function drawButton() {
    const number = chosen().length;
    go.hidden = number === 0;
    setText(go, tn(number, "Put {n} pin on the map", "Put {n} pins on the map"));
  }

  async function place() {
    const wanted = chosen();
    go.disabled = true;
    try {
      const pins = wanted.map(({ pin, position }) => ({ id: pin.id, position }));
      await change(`${SERVICE}/PlacePins`, { pins });
      remove(wanted);
    } catch (error) {
      setText(outcome, `${t("They could not be put on the map.")} ${reasonOf(error)}`);
    }
    go.disabled = false;
  }

  async function drop(row) {
    try {
      await act(`${SERVICE}/DeleteUnplacedPins`, { ids: [row.pin.id] });
      remove([row]);
    } catch (error) {
      setText(outcome, `${t("It could not be deleted.")} ${reasonOf(error)}`);
    }
  }

  // What is gone makes room for the next ones; without any left there is nothing to do.
  function remove(gone) {
    for (const { pin, item } of gone) {
      rows.delete(pin.id);
      item.remove();
    }
    changed();
    if (rows.size === 0 && token === "") close();
    else if (rows.size === 0) load();
    else {
      drawButton();
      (list.querySelector("input") ?? go).focus();
    }
  }

  function close() {
    dialog.close();
    dialog.remove();
  }
}
