// A code that is shown once, to be copied and handed on.
import { el } from "./dom.js";
import { say } from "./notices.js";
import { t } from "./text.js";
import { moment } from "./words.js";

// With `link`, the beginning of an address in this page, it can also be copied as a link that opens the form for it.
export function codeBox(label, { code, expireTime = undefined, about = undefined }, link = undefined) {
  const field = el("input", { type: "text", id: "code", readonly: true, value: code });
  const copier = (text, what) => {
    const button = el("button", { class: "button", onclick: () => copy() }, what);
    const copy = async () => {
      const isCopied = await copied(text, field);
      button.textContent = isCopied ? t("Copied") : t("Press Ctrl+C");
      say(button.textContent);
    };
    return button;
  };
  return el(
    "div", { class: "code-box" },
    el("label", { for: "code" }, label), field,
    el("p", {}, about ?? t("It is shown only now, is good once, and ends {when}.", { when: moment(expireTime) })),
    el(
      "div", { class: "form-foot" }, copier(code, t("Copy")),
      link && copier(`${location.origin}/${link}${code}`, t("Copy as a link")),
    ),
  );
}

// A page over plain http has no clipboard; there the field is selected, to be copied by hand.
async function copied(text, field) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    field.value = text;
    field.select();
    return false;
  }
}
