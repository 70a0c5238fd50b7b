// The page is for one account. When the server does not take the browser for that one any more, all calls wait here
// until it does again; where another one comes in, the page begins from nothing, so that nothing of the former stays.
import { accountOf, keepFor, wipe } from "../offline/kept.js";
import { isSame, leave, onOtherTab, whose } from "./session.js";
import { settings } from "./settings.js";
import { t } from "../ground/text.js";

// After how many milliseconds a server that was away is asked again.
const AGAIN = 3000;

// The account whose things are on the page.
let known;
// While it is looked up who the browser is, or someone is asked to log in.
let asking;
let question;
let askToLogIn; // login.js: resolves with the account
const listeners = new Set();

export const entrance = {
  // To be awaited before each call.
  whenOpen: () => asking,
  isAsking: () => question !== undefined,
  // The account of the page; undefined while it is not known.
  account: () => known,
  // Calls `listener` when someone is asked to log in.
  onAsk: (listener) => listeners.add(listener),
  // Before all else: `dialog` is the one of login.js.
  asksBy(dialog) {
    askToLogIn = dialog;
  },
  // At the start, beside the first calls.
  begin() {
    whose().then((account) => {
      if (!account) return entrance.check(true);
      known ??= account;
      return keepFor(known);
    }, () => setTimeout(entrance.begin, AGAIN));
  },
  // Whether the browser is still let in for the account of this page; asks to log in if not. `isRefused` says that the
  // server has just refused a call for that. Calls that are refused together ask once.
  check(isRefused, problem) {
    asking ??= look(isRefused, problem).finally(() => { asking = undefined; });
    return asking;
  },
  // After the server was away, before anything is sent or taken for the page's account: resolves with whether the
  // browser is still that one's, and does not let the page go on if not. Throws while the server does not say.
  async confirm() {
    const [account, former] = [await whose(), accountOf()];
    if (account && (known ? isSame(account, known) : former === undefined || former === account.id)) return true;
    if (account && !known) await startOver();
    await entrance.check(true);
    return false;
  },
  // For a person who wants in, by one of the forms of loginforms.js. Resolves when the dialog is closed without that.
  async invite(form, values) {
    const { needsToken } = await settings();
    const account = await askToLogIn({ form, values, mayClose: true, isPrivate: needsToken });
    if (account) await startOver();
  },
  // For what only someone may do who has just logged in. Resolves with whether they have; `lead` says why.
  async again(lead) {
    const account = await askToLogIn({
      title: t("Log in again"), lead, values: { email: known?.email }, mayClose: true,
    });
    if (!account) return false;
    if (!isSame(account, known)) await startOver();
    return true;
  },
};

// Resolves with whether someone was asked.
async function look(isRefused, problem) {
  try {
    const now = await whose();
    // Where no one has to log in, a browser whose session has ended is let in after that as someone else.
    if (now && (known ? isSame(now, known) : !isRefused)) {
      known = now;
      return false;
    }
  } catch {
    // The server does not say.
    if (!isRefused) return false;
  }
  await ask(problem);
  return true;
}

async function ask(problem) {
  const isPrivate = (await settings()).needsToken !== false;
  const former = known;
  question = new AbortController();
  const { signal } = question;
  for (const listener of listeners) listener();
  const account = await askToLogIn({
    ...wordsFor(former, isPrivate), problem, values: { email: former?.email }, mayClose: !isPrivate, isPrivate, signal,
  });
  question = undefined;
  // In another tab, to the account of this page.
  if (signal.aborted) return;
  if (former ? isSame(account, former) : account && isPrivate) {
    known = account;
    await keepFor(known);
  } else await startOver(!account && !isPrivate);
}

function wordsFor(former, isPrivate) {
  if (!former && isPrivate) return { title: t("This map is private") };
  const lead = [
    t("Your session has ended."), former && t("What you have typed stays here if it is the same account."),
    !isPrivate && t("Close this to go on without an account."),
  ];
  return { title: t("Log in again"), lead: lead.filter(Boolean).join(" ") };
}

// Another tab has logged in or out.
onOtherTab((account) => {
  if (!known || !isSame(account, known)) startOver();
  else question?.abort();
});

// Never resolves. `isOver`: the session has ended, and one goes on without an account.
export async function startOver(isOver) {
  await wipe();
  if (isOver) await leave().catch(() => {});
  history.replaceState(null, "", "#/");
  location.reload();
  return new Promise(() => {});
}
