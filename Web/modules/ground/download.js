// A pin's album as a ZIP, which the browser stores by itself: an archive may be larger than a page's memory.
import { el } from "./dom.js";
import { icon } from "./icons.js";
import { notice, say } from "./notices.js";

// Why there is none, by the status of an answer without words.
const REASONS = {
  400: "None of its pictures can be had.",
  401: "You are not logged in.",
  404: "It is not there any more.",
  429: "Others are being downloaded; try again when they are done.",
};

export const downloadButton = (pinId) =>
  archiveButton(`/albums/${pinId}.zip`, "", "The album", {
    class: "round", hidden: true, "aria-label": "Download album", title: "Download album",
  });

// All that the account has.
export const accountButton = () =>
  archiveButton("/account.zip", "Download everything", "The archive", { class: "button" });

function archiveButton(path, label, what, attributes) {
  const button = el("button", { ...attributes, onclick: download }, icon("download"), label);

  // Asked before, since a download that is refused says nothing in the page.
  async function download() {
    button.disabled = true;
    const answer = await fetch(path, { method: "HEAD" }).catch(() => undefined);
    button.disabled = false;
    if (answer?.ok) {
      el("a", { href: path, download: true }).click();
      say("The download begins.");
    } else {
      notice(`${what} can't be downloaded. ${REASONS[answer?.status] ?? "The server did not answer."}`);
    }
  }

  return button;
}
