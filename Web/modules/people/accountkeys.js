// Keys with which programs act for the account: they are listed, made and ended. Who makes one sees it once.
import { el, replace, setText } from "../ground/dom.js";
import { act, read, readOnce } from "../server/api.js";
import { codeBox } from "../ground/codebox.js";
import { entrance } from "../server/entrance.js";
import { wordsOf } from "../ground/form.js";
import { keyChoices } from "./keychoices.js";
import { complain } from "../ground/notices.js";
import { fillWith, section } from "../ground/section.js";
import { askFirst } from "../ground/sure.js";
import { t } from "../ground/text.js";
import { listed, moment, networkName } from "../ground/words.js";

const KEYS = "accounts.v1.APIKeyService";
const ABOUT = t(
  "A program with a key acts for you, within what the key allows. It can do nothing about the account itself.",
);
const AGAIN = t(
  "You logged in some time ago. A key lasts longer than a session, so who makes one logs in again first.",
);
const SCOPES = {
  KEY_SCOPE_READ: t("reads"), KEY_SCOPE_WRITE: t("reads and writes"), KEY_SCOPE_ADMIN: t("administers"),
};

export const accountKeys = (account) => section(t("Keys for programs"), (body) => draw(body, account));

const draw = (body, account, made) => fillWith(body, () => read(`${KEYS}/ListAPIKeys`), ({ keys = [] }) => [
  el("p", { class: "section-note" }, ABOUT), made,
  keys.length > 0 && el("ul", { class: "account-list" }, keys.map((key) => row(key, body, account))),
  making(body, account),
]);

// The form is there when it is wanted.
function making(body, account) {
  const box = el("div");
  const show = el("button", { class: "button", onclick: open }, t("Make a key"));
  replace(box, show);

  function open() {
    const choices = keyChoices(account.roles?.includes("ROLE_ADMIN"));
    const outcome = el("p", { class: "form-outcome", role: "alert" });
    const submit = el("button", { class: "button primary" }, t("Make it"));
    const form = el("form", { class: "talking" }, choices.element, outcome, el(
      "div", { class: "form-foot" }, submit,
      el("button", { class: "button", type: "button", onclick: close }, t("Cancel")),
    ));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      submit.disabled = true;
      setText(outcome, "");
      try {
        const answer = await make(choices.value());
        if (!answer) {
          submit.disabled = false;
          return setText(outcome, t("No key was made."));
        }
        const { token, key } = answer;
        const about = key.expireTime
          ? t("It is shown only now. It ends {when}.", { when: moment(key.expireTime) })
          : t("It is shown only now. It lasts until you end it.");
        await draw(body, account, codeBox(t("Key “{name}”", { name: key.name }), { code: token, about }));
        const field = body.querySelector(".code-box input");
        field.focus();
        field.select();
      } catch (error) {
        setText(outcome, wordsOf(error));
      }
      submit.disabled = false;
    });
    replace(box, form);
    choices.focus();
  }

  function close() {
    replace(box, show);
    show.focus();
  }

  return box;
}

// Nothing when the person does not log in again.
async function make(key) {
  try {
    return await readOnce(`${KEYS}/CreateAPIKey`, key);
  } catch (error) {
    if (error.code !== "failed_precondition" || !/log in again/.test(error.message)) throw error;
    return await entrance.again(AGAIN) && readOnce(`${KEYS}/CreateAPIKey`, key);
  }
}

function row({ id, name, scope, createTime, useTime, expireTime, networks = [] }, body, account) {
  const facts = [
    SCOPES[scope], networks.length > 0 && t("asks only {networks}", {
      networks: listed.format(networks.map(networkName)),
    }),
    t("made {when}", { when: moment(createTime) }),
    useTime ? t("last used {when}", { when: moment(useTime) }) : t("never used"),
    expireTime && t("ends {when}", { when: moment(expireTime) }),
  ];
  const word = el("span", {}, t("End"));
  const end = askFirst(el("button", { class: "button danger", "aria-label": t("End {name}", { name }) }, word), {
    asking: (on) => setText(word, on ? t("Press again") : t("End")),
    run: () => revoke(id, body, account),
  });
  return el(
    "li", { class: "account-row" },
    el("div", { class: "row-text" }, el("strong", {}, name), el("span", {}, facts.filter(Boolean).join(" · "))), end,
  );
}

async function revoke(id, body, account) {
  try {
    await act(`${KEYS}/RevokeAPIKey`, { id });
  } catch (error) {
    complain(t("The key could not be ended."), error);
  }
  await draw(body, account);
  // What had the focus is gone.
  body.parentNode.querySelector("summary").focus();
}
