// The passkeys that log in to the account: they are listed, made, renamed and removed.
import { el, replace, setText } from "../ground/dom.js";
import { LIMITS } from "../ground/limits.js";
import { act, read, readOnce } from "../server/api.js";
import { entrance } from "../server/entrance.js";
import { talkingForm, wordsOf } from "../ground/form.js";
import { complain, notice } from "../ground/notices.js";
import { makePasskey, PASSKEYS, whyNoPasskeys } from "./passkeys.js";
import { fillWith, section } from "../ground/section.js";
import { askFirst } from "../ground/sure.js";
import { t } from "../ground/text.js";
import { moment } from "../ground/words.js";

const ABOUT = t("With a passkey you log in by your finger, your face or the PIN of your device, without a password.");
const AGAIN = t("You logged in some time ago. Who adds a passkey has to do it again.");

export const accountPasskeys = () => section(t("Passkeys"), draw);

const load = () => Promise.all([read(`${PASSKEYS}/ListPasskeys`), whyNoPasskeys()]);

const draw = (body) => fillWith(body, load, ([{ passkeys = [] }, reason]) => [
  el("p", { class: "section-note" }, reason ?? ABOUT),
  passkeys.length > 0 && el("ul", { class: "account-list" }, passkeys.map((passkey) => row(passkey, body))),
  !reason && adding(body),
]);

function adding(body) {
  const outcome = el("p", { class: "passkey-wrong", role: "alert" });
  const button = el("button", { class: "button", onclick: add }, t("Add a passkey"));

  async function add() {
    button.disabled = true;
    setText(outcome, "");
    try {
      const passkey = await makePasskey(readOnce, () => entrance.again(AGAIN));
      if (passkey) {
        notice(t("The passkey “{name}” is added.", { name: passkey.name }));
        await redraw(body);
      }
    } catch (error) {
      setText(outcome, wordsOf(error));
    }
    button.disabled = false;
  }

  return [button, outcome];
}

function row(passkey, body) {
  const { id, name, createTime, useTime, synchronized } = passkey;
  const facts = [
    t("added {when}", { when: moment(createTime) }),
    useTime ? t("last used {when}", { when: moment(useTime) }) : t("never used"),
    synchronized && t("on several devices"),
  ];
  const element = el("li", { class: "account-row" });
  const change = el(
    "button", {
      class: "button", "aria-label": t("Rename {name}", { name }), onclick: () => rename(passkey, element, body),
    },
    t("Rename"),
  );
  const word = el("span", {}, t("Remove"));
  const remove = askFirst(el("button", { class: "button", "aria-label": t("Remove {name}", { name }) }, word), {
    asking: (on) => setText(word, on ? t("Press again") : t("Remove")),
    run: () => end(id, body),
  });
  const text = facts.filter(Boolean).join(" · ");
  replace(
    element, el("div", { class: "row-text" }, el("strong", {}, name), el("span", {}, text)),
    el("div", { class: "passkey-actions" }, change, remove),
  );
  return element;
}

function rename({ id, name }, element, body) {
  const form = talkingForm({
    fields: [{
      name: "name", label: t("Name of the passkey"), maxlength: LIMITS.RenamePasskeyRequest.name[1],
      autocomplete: "off",
      required: true,
    }],
    button: t("Save"), values: { name },
    more: el("button", { class: "button", type: "button", onclick: () => redraw(body) }, t("Cancel")),
    async send(values, signal) {
      await readOnce(`${PASSKEYS}/RenamePasskey`, { id, ...values }, signal);
      await redraw(body);
    },
  });
  replace(element, form.element);
  form.focus();
}

async function end(id, body) {
  try {
    await act(`${PASSKEYS}/RemovePasskey`, { id });
  } catch (error) {
    complain(t("The passkey could not be removed."), error);
  }
  await redraw(body);
}

// What had the focus is gone.
async function redraw(body) {
  await draw(body);
  body.parentNode.querySelector("summary").focus();
}
