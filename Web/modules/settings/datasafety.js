// What would be left if the server's machine were gone: its backups, and what it replicates. For administrators, who
// alone can do something about it, and see places and reasons as they are.
import { el, replace } from "../ground/dom.js";
import { reasonOf } from "../ground/notices.js";
import { loading } from "../ground/states.js";
import { t } from "../ground/text.js";
import { read } from "../server/api.js";
import { entrance } from "../server/entrance.js";
import { safetyRows } from "./safetyrows.js";

const METHOD = "gateway.v1.DataSafetyService/GetDataSafety";
const AWAY = new Set(["unavailable", "resource_exhausted", "deadline_exceeded"]);
// How soon it is asked again who asks, and how often, while it is seen, how all is: in milliseconds.
const AGAIN = 5000;
const MINUTE = 60_000;

export function dataSafety() {
  const body = el("div");
  const element = el("section", { class: "safety", hidden: true, tabIndex: -1 }, el("h2", {}, t("Backups")), body);
  let isClosed = false;
  let isAsking = false;
  let asked = 0;
  const timer = setInterval(renew, MINUTE);
  document.addEventListener("visibilitychange", renew);
  open();

  async function open() {
    const account = await whoAsks();
    if (isClosed || !account?.roles?.includes("ROLE_ADMIN")) return;
    element.hidden = false;
    retry();
  }

  // Undefined where no one is logged in. While the server is away it is asked again.
  async function whoAsks() {
    while (!isClosed) {
      try {
        return entrance.account() ?? (await read("accounts.v1.AccountService/GetProfile")).account;
      } catch (error) {
        if (!AWAY.has(error.code)) return undefined;
        await new Promise((resolve) => setTimeout(resolve, AGAIN));
      }
    }
    return undefined;
  }

  // What is there stays until there is something newer to say.
  async function load() {
    if (isAsking) return;
    isAsking = true;
    asked = performance.now();
    try {
      const answer = await read(METHOD, {}, (trouble) => isClosed || show(loading(trouble, 2)));
      if (!isClosed) show(el("ul", {}, safetyRows(answer)));
    } catch (error) {
      if (isClosed) return;
      element.hidden = error.code === "permission_denied";
      show(
        el("p", { class: "safety-why" }, reasonOf(error)),
        el("button", { class: "button", type: "button", onclick: retry }, t("Try again")),
      );
    } finally {
      isAsking = false;
    }
  }

  function retry() {
    show(loading(undefined, 2));
    load();
  }

  // What had the focus there leaves it to the section.
  function show(...children) {
    const hadFocus = body.contains(document.activeElement);
    replace(body, ...children);
    if (hadFocus) element.focus();
  }

  // What it says of how late things are grows old.
  function renew() {
    const isSeen = !element.hidden && document.visibilityState === "visible";
    if (isSeen && performance.now() - asked > MINUTE / 2) load();
  }

  return {
    element,
    close() {
      isClosed = true;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", renew);
    },
  };
}
