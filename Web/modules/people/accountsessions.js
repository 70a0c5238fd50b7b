// Where the account is logged in, and a button that ends each of the sessions.
import { el } from "../ground/dom.js";
import { act, read } from "../server/api.js";
import { talkingForm } from "../ground/form.js";
import { KEEP_KEYS, ended } from "./keepkeys.js";
import { complain, say } from "../ground/notices.js";
import { fillWith, section } from "../ground/section.js";
import { t } from "../ground/text.js";
import { moment } from "../ground/words.js";

const ACCOUNTS = "accounts.v1.AccountService";

export function accountSessions() {
  return section(t("Sessions"), draw);
}

const load = async () => {
  const [{ sessions = [] }, { keys = [] }] = await Promise.all([
    read(`${ACCOUNTS}/ListSessions`), read("accounts.v1.APIKeyService/ListAPIKeys"),
  ]);
  return { sessions, keys };
};

const draw = (body) => fillWith(body, load, ({ sessions, keys }) => {
  const end = (id) => revoke({ id }, body);
  return [
    el("ul", { class: "account-list" }, sessions.map((session) => row(session, end))),
    (keys.length > 0 || sessions.some(({ current }) => !current)) && everywhere(body, keys.length > 0),
  ];
});

const everywhere = (body, hasKeys) => (hasKeys ? withKeys(body) : el(
  "button", { class: "button", onclick: () => revoke({}, body) }, t("Log out everywhere else"),
));

const withKeys = (body) => talkingForm({
  fields: [KEEP_KEYS], button: t("Log out everywhere else"), send: ({ keepApiKeys }) => revoke({ keepApiKeys }, body),
}).element;

function row({ id, device, address, createTime, useTime, current }, end) {
  const name = device || t("A device without a name");
  const facts = [
    address, t("since {when}", { when: moment(createTime) }), t("last used {when}", { when: moment(useTime) }),
  ];
  return el(
    "li", { class: "account-row" },
    el("div", { class: "row-text" }, el("strong", {}, name), el("span", {}, facts.filter(Boolean).join(" · "))),
    current ? el("span", { class: "mark" }, t("This one"))
      : el("button", {
        class: "button", "aria-label": t("Log out {name}", { name }), onclick: () => end(id),
      }, t("Log out")),
  );
}

async function revoke(which, body) {
  try {
    say(ended(await act(`${ACCOUNTS}/RevokeSessions`, which)));
  } catch (error) {
    complain(t("The session could not be ended."), error);
  }
  await draw(body);
  body.parentNode.querySelector("summary").focus();
}
