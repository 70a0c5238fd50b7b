// The search field on the map. What it finds is the work of search.js, whose script comes with the first touch of the
// page, or when the field is used.
import { el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { failure, laterPages } from "../ground/later.js";
import { LIMITS } from "../ground/limits.js";
import { t } from "../ground/text.js";

// As many as the server takes.
const [, LONGEST] = LIMITS.FindRequest.text;

export function startSearch() {
  const field = el("input", {
    type: "search", role: "combobox", placeholder: t("Search"),
    "aria-label": t("Search places, addresses and positions"),
    "aria-autocomplete": "list", "aria-expanded": "false", "aria-keyshortcuts": "/",
    autocomplete: "off", autocapitalize: "none", spellcheck: "false", enterkeyhint: "search", maxlength: LONGEST,
  });
  const clear = el(
    "button", { class: "search-clear", "aria-label": t("Clear the search"), hidden: true }, icon("close"),
  );
  const found = el("div", { class: "found", hidden: true });
  document.getElementById("search").append(el("div", { class: "search-bar" }, icon("search"), field, clear), found);
  let search;
  const begin = async () => {
    if (search) return;
    search = true;
    try {
      (await laterPages()).search({ field, clear, found });
    } catch {
      search = undefined;
      found.hidden = false;
      replace(found, failure(t("The search did not come")));
    }
  };
  field.addEventListener("focus", begin);
  addEventListener("keydown", (event) => {
    const isTyping = event.target.closest?.("input, textarea, select, dialog");
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
}
