// The account: who one is here, its password, its sessions, and what happened to it; for administrators all accounts.
import { el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { read } from "../server/api.js";
import { accountDeletion } from "./accountdeletion.js";
import { accountEvents } from "./accountevents.js";
import { accountForms } from "./accountforms.js";
import { accountKeys } from "./accountkeys.js";
import { accountList } from "./accountlist.js";
import { accountPasskeys } from "./accountpasskeys.js";
import { accountProviders } from "./accountproviders.js";
import { accountSessions } from "./accountsessions.js";
import { finishDeletions } from "../pins/deletion.js";
import { accountButton } from "../ground/download.js";
import { startOver } from "../server/entrance.js";
import { loginWays } from "./loginways.js";
import { complain, notice, reasonOf } from "../ground/notices.js";
import { keptChanges } from "../offline/outbox.js";
import { showPanel } from "../map/panel.js";
import { back } from "../ground/router.js";
import { section } from "../ground/section.js";
import { leave } from "../server/session.js";
import { settings } from "../server/settings.js";
import { loading, nothing } from "../ground/states.js";
import { t, tn } from "../ground/text.js";

const ACCOUNTS = "accounts.v1.AccountService";
const ALONG = t("A ZIP archive with your pins, notes, lists, favourites, settings and the photos that you uploaded, as"
  + " they were. It opens in a browser.");

export function openAccount() {
  const title = el("h1", {}, t("Account"));
  const about = el("p", { class: "panel-sub" });
  const out = el("button", { class: "button", hidden: true, onclick: logOut }, t("Log out"));
  const head = el(
    "header", { class: "panel-head" },
    el(
      "div", { class: "panel-bar" },
      el("button", { class: "panel-back", onclick: () => back({ view: "home" }) }, icon("back"), t("Map")),
      el("span", { class: "spread" }), out,
    ),
    title, about,
  );
  const content = el("div", { class: "account" });
  let isClosed = false;

  showPanel({ head, content, label: t("Account"), stand: "full" });
  load();

  async function load() {
    const wait = (trouble) => isClosed || replace(content, loading(trouble, 3));
    wait();
    try {
      const { account } = await read(`${ACCOUNTS}/GetProfile`, {}, wait);
      // Where no one has to log in, all who have not act as one profile, which has no address.
      const { needsToken } = await settings();
      if (!isClosed) draw(account, account.email || needsToken !== false);
    } catch (error) {
      if (!isClosed) replace(content, nothing("warning", t("The account can't be shown"), reasonOf(error)));
    }
  }

  function draw(account, isLoggedIn) {
    out.hidden = !isLoggedIn;
    if (account.email) drawNames(account);
    else replace(about, isLoggedIn ? t("Logged in with a token of this server") : "");
    replace(
      content, !isLoggedIn && stranger(),
      account.email && [
        accountForms(account, drawNames), accountPasskeys(), accountProviders(account), accountKeys(account),
      ],
      isLoggedIn && [accountSessions(), accountEvents()],
      isLoggedIn && account.roles?.includes("ROLE_ADMIN") && accountList(account),
      account.email && [takingAlong(), accountDeletion()],
    );
  }

  function drawNames({ firstName, lastName, email }) {
    replace(title, [firstName, lastName].filter(Boolean).join(" ") || t("Account"));
    replace(about, email);
  }

  let isSure = false;

  async function logOut() {
    out.disabled = true;
    try {
      await finishDeletions();
      const waiting = keptChanges().length;
      if (waiting > 0 && !isSure) {
        isSure = true;
        out.disabled = false;
        notice(tn(
          waiting, "{n} change waits for the server and would be lost. Press again to log out all the same.",
          "{n} changes wait for the server and would be lost. Press again to log out all the same.",
        ));
        return;
      }
      await leave();
      await startOver();
    } catch (error) {
      complain(t("You could not be logged out."), error);
      out.disabled = false;
    }
  }

  return {
    update() {},
    photos: () => undefined,
    placeName: () => "",
    close() {
      isClosed = true;
    },
  };
}

const takingAlong = () => section(t("Take everything along"), (body) => body.hasChildNodes() || replace(
  body, el("p", { class: "section-note" }, ALONG), accountButton(),
));

const stranger = () => nothing(
  "person", t("Not logged in"),
  [
    t("All who open this map without logging in share what is on it."),
    t("An account has pins, albums and favourites of its own."),
  ], loginWays(),
);
