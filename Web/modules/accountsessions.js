// Where the account is logged in, and a button that ends each of the sessions.
import { el } from "./dom.js";
import { act, read } from "./api.js";
import { complain, say } from "./notices.js";
import { fillWith, section } from "./section.js";
import { count, moment } from "./words.js";

const ACCOUNTS = "accounts.v1.AccountService";

export function accountSessions() {
  return section("Sessions", draw);
}

const draw = (body) => fillWith(body, () => read(`${ACCOUNTS}/ListSessions`), ({ sessions = [] }) => {
  const end = (id) => revoke(id, body);
  return [
    el("ul", { class: "account-list" }, sessions.map((session) => row(session, end))),
    sessions.some(({ current }) => !current)
      && el("button", { class: "button", onclick: () => end("") }, "Log out everywhere else"),
  ];
});

function row({ id, device, address, createTime, useTime, current }, end) {
  const name = device || "A device without a name";
  const facts = [address, `since ${moment(createTime)}`, `last used ${moment(useTime)}`];
  return el(
    "li", { class: "account-row" },
    el("div", { class: "row-text" }, el("strong", {}, name), el("span", {}, facts.filter(Boolean).join(" · "))),
    current ? el("span", { class: "mark" }, "This one")
      : el("button", { class: "button", "aria-label": `Log out ${name}`, onclick: () => end(id) }, "Log out"),
  );
}

async function revoke(id, body) {
  try {
    const { endedCount = 0 } = await act(`${ACCOUNTS}/RevokeSessions`, { id });
    say(`${count(endedCount, "session has", "sessions have")} ended.`);
  } catch (error) {
    complain("The session could not be ended.", error);
  }
  await draw(body);
  body.parentNode.querySelector("summary").focus();
}
