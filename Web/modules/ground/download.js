// A pin's album as a ZIP, which the browser stores by itself: an archive may be larger than a page's memory.
import { el } from "./dom.js";
import { icon } from "./icons.js";
import { notice, say } from "./notices.js";
import { t } from "./text.js";

// Why there is none, by the status of an answer without words.
const REASONS = {
  400: t("None of its pictures can be had."),
  401: t("You are not logged in."),
  404: t("It is not there any more."),
  429: t("Others are being downloaded; try again when they are done."),
};

export const downloadButton = (pinId) =>
  archiveButton(`/albums/${pinId}.zip`, "", t("The album can't be downloaded."), {
    class: "round", hidden: true, "aria-label": t("Download album"), title: t("Download album"),
  });

// All that the account has.
export const accountButton = () =>
  archiveButton(
    "/account.zip", t("Download everything"), t("The archive can't be downloaded."), { class: "button" },
  );

function archiveButton(path, label, failed, attributes) {
  const button = el("button", { ...attributes, onclick: download }, icon("download"), label);

  // Asked before, since a download that is refused says nothing in the page.
  async function download() {
    button.disabled = true;
    const answer = await fetch(path, { method: "HEAD" }).catch(() => undefined);
    button.disabled = false;
    if (answer?.ok) {
      el("a", { href: path, download: true }).click();
      say(t("The download begins."));
    } else {
      notice(`${failed} ${REASONS[answer?.status] ?? t("The server did not answer.")}`);
    }
  }

  return button;
}
