// Whether the server can be reached, and the quiet bar that is shown when it can't. Calls and the event stream report
// success and failure here; the bar disappears when nothing fails any more.
import { el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { say } from "../ground/notices.js";
import { isHomeless, onChanges, waitingChanges } from "./outbox.js";
import { t, tn } from "../ground/text.js";

const AWAY = [t("The server is not answering"), t("Trying again by itself…")];
const PARTLY = [t("Part of the server is not running"), t("Trying again by itself…")];
const BUSY = [t("The server is busy"), t("Trying again by itself…")];
const SLOW = [t("The server takes long to answer"), t("Still waiting…")];

const failing = new Map();
let timer;

onChanges(() => later());

export const link = {
  answered(who) {
    if (failing.delete(who)) later(t("Connected again."));
  },
  // There will be no more retries.
  gaveUp(who) {
    if (failing.delete(who)) later();
  },
  failed(who, error) {
    failing.set(who, error.code === "resource_exhausted" ? BUSY : error.trouble === "service" ? PARTLY : AWAY);
    later();
  },
  // Whether the server could not be reached last.
  isAway: () => [...failing.values()].includes(AWAY),
  // There has been no answer for a while.
  slow(who) {
    failing.set(who, SLOW);
    later();
  },
};

function waits() {
  const all = waitingChanges();
  const text = tn(all.length, "{n} change waits for it.", "{n} changes wait for it.");
  return all.some(isHomeless) ? `${text} ${t("This browser has no room to keep them: leave the page open.")}` : text;
}

// Very short failures are not shown.
function later(ending) {
  clearTimeout(timer);
  timer = setTimeout(show, failing.size > 0 ? 600 : 0, ending);
}

function show(ending) {
  const bar = document.getElementById("banner-link")
    ?? document.body.appendChild(el("section", { id: "banner-link", "aria-label": t("Connection") }));
  const offline = !navigator.onLine;
  const wasShown = bar.classList.contains("shown");
  bar.classList.toggle("shown", failing.size > 0);
  if (failing.size === 0) {
    if (wasShown && ending) say(ending);
    return;
  }
  const [what, next] = [...failing.values()][0];
  const sentence = offline ? t("You are offline") : what;
  const text = `${t("{sentence}.", { sentence })} ${waitingChanges().length > 0 ? waits() : next}`;
  replace(bar, icon("unplugged"), el("span", {}, text));
  if (!wasShown) say(text);
}
