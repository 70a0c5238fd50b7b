// The session of this browser: a cookie that no script can read. Whose it is, only the server can say.
import { ask, call } from "../ground/call.js";
import { wipe } from "../offline/kept.js";
import { t } from "../ground/text.js";

const ACCOUNTS = "accounts.v1.AccountService";
const NO_COOKIE = t("That is right, but this browser keeps no cookie of this address. Use https or allow cookies.");
// All tabs of a browser have the same session.
const tabs = new BroadcastChannel("waymark.session");

// The account that this browser is let in as; undefined when it has to log in.
export async function whose() {
  try {
    return (await call(`${ACCOUNTS}/GetProfile`)).account;
  } catch (error) {
    if (error.code === "unauthenticated") return undefined;
    throw error;
  }
}

// Gives the browser its cookie, for {token} or {link}, and resolves with the account.
export async function enter(proof) {
  await ask("POST", "/session", proof);
  const account = await whose();
  if (!account) throw noCookie();
  tabs.postMessage(account);
  return account;
}

// The same for a session that has just begun; its token is kept nowhere else. Where the browser does not take it, the
// session ends.
export async function take({ token, account }) {
  try {
    const taken = await enter({ token });
    // Where no one has to log in, one is let in without the cookie too.
    if (!isSame(taken, account)) throw noCookie();
    return taken;
  } catch (error) {
    call(`${ACCOUNTS}/LogOut`, { token }).catch(() => {});
    throw error;
  }
}

// The browser has come back with a session that has begun elsewhere.
export async function arrived() {
  const account = await whose().catch(() => undefined);
  if (account) tabs.postMessage(account);
}

// What is kept of the account goes first: it must not be there when another one comes.
export async function leave() {
  await whose(); // Nothing is lost when the server is away.
  await wipe();
  await ask("DELETE", "/session");
  tabs.postMessage(undefined);
}

// An administrator may have the account that all share who have not logged in; only logged in it has an address.
export const isSame = (one, other) => one?.id === other?.id && one?.email === other?.email;

// Calls `listener` with the account that was logged in to in another tab; with undefined when that has logged out.
export const onOtherTab = (listener) => tabs.addEventListener("message", ({ data }) => listener(data));

// A cookie for https only is dropped without an error over plain http.
const noCookie = () => Object.assign(new Error(NO_COOKIE), { words: NO_COOKIE });
