// A chip that opens a part of the page below its row. Of those in one row one at a time is open.
import { append, el, replace } from "./dom.js";

// `opened()` is called each time when it opens.
export function opening(body, opened = () => {}) {
  const chip = el("button", { class: "chip opens", "aria-expanded": "false", onclick: () => turn(body.hidden) });
  body.hidden = true;

  function turn(on) {
    if (on === !body.hidden) return;
    const others = chip.closest(".pin-chips")?.querySelectorAll(".opens[aria-expanded=true]") ?? [];
    if (on) for (const other of others) other.click();
    body.hidden = !on;
    chip.setAttribute("aria-expanded", String(on));
    if (!on) return;
    opened();
    body.dispatchEvent(new Event("opened", { bubbles: true }));
  }

  return {
    chip,
    turn,
    // What stands on the chip.
    say: (...words) => replace(chip, ...words),
  };
}

// A row of chips, and below it what they open. `parts` are {chips, body}.
export function openings(...parts) {
  const row = el("div", { class: "pin-chips" });
  const bodies = el("div", { class: "pin-open" });
  const add = (...some) => {
    append(row, some.map(({ chips }) => chips));
    append(bodies, some.map(({ body }) => body));
  };
  add(...parts);
  return { row, bodies, add };
}
