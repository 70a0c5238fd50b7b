// The identities at login providers that belong to the account, and what links and unlinks them.
import { el, replace } from "../ground/dom.js";
import { read, readOnce } from "../server/api.js";
import { finishDeletions } from "../pins/deletion.js";
import { entrance } from "../server/entrance.js";
import { complain, say } from "../ground/notices.js";
import { beginLink, loginProviders, PROVIDERS } from "./providers.js";
import { fillWith, section } from "../ground/section.js";
import { t } from "../ground/text.js";
import { moment, plain } from "../ground/words.js";

// Nothing where there are no providers.
export function accountProviders(account) {
  const place = el("div");
  loginProviders().then(({ providers = [] }) => {
    if (providers.length > 0) place.append(section(t("Login providers"), (body) => draw(body, account)));
  });
  return place;
}

const load = async () => {
  const [{ providers = [] }, { identities = [] }] = await Promise.all([
    read(`${PROVIDERS}/ListProviders`), read(`${PROVIDERS}/ListIdentities`),
  ]);
  return { providers, identities };
};

const draw = (body, account) => fillWith(body, load, ({ providers, identities }) => {
  const problem = el("p", { class: "section-note", role: "alert", hidden: true });
  const again = el("button", {
    class: "button", hidden: true,
    async onclick() {
      await finishDeletions();
      await entrance.invite("logIn", { email: account.email });
    },
  }, t("Log in again"));
  // Who has logged in just now may change how one logs in.
  const attempt = async (change, words) => {
    try {
      await change();
    } catch (error) {
      if (error.code !== "failed_precondition") return complain(words, error);
      replace(problem, plain(error.message, words));
      problem.hidden = false;
      again.hidden = !error.message.startsWith("log in again");
    }
  };
  const unlink = ({ id, label }) => attempt(async () => {
    await readOnce(`${PROVIDERS}/Unlink`, { id });
    say(t("{label} is unlinked.", { label }));
    await draw(body, account);
    body.parentNode.querySelector("summary").focus();
  }, t("It could not be unlinked."));
  const link = ({ name, label }) => el("button", {
    class: "button",
    onclick: () => attempt(async () => {
      await finishDeletions();
      await beginLink(name);
    }, t("It could not be linked.")),
  }, t("Link {label}", { label }));
  return [
    identities.length > 0 && el("ul", { class: "account-list" }, identities.map((each) => row(each, unlink))),
    problem, again,
    providers.filter(({ name }) => !identities.some(({ provider }) => provider === name)).map(link),
  ];
});

function row(identity, unlink) {
  const { label, name, linkTime, useTime } = identity;
  const facts = [
    name, t("linked {when}", { when: moment(linkTime) }), t("last used {when}", { when: moment(useTime) }),
  ];
  return el(
    "li", { class: "account-row" },
    el("div", { class: "row-text" }, el("strong", {}, label), el("span", {}, facts.filter(Boolean).join(" · "))),
    el("button", {
      class: "button", "aria-label": t("Unlink {label}", { label }), onclick: () => unlink(identity),
    }, t("Unlink")),
  );
}
