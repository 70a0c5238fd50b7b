// With whom a pin or a list is shared: the links that there are, for people without an account, a form for another one,
// and accounts.
import { el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { act, change, read } from "../server/api.js";
import { grants } from "./grants.js";
import { shareForm } from "./shareform.js";
import { copyLink } from "../ground/copy.js";
import { complain, say } from "../ground/notices.js";
import { opening } from "../ground/opening.js";
import { fillWith } from "../ground/section.js";
import { askFirst } from "../ground/sure.js";
import { t, tn } from "../ground/text.js";
import { day, moment } from "../ground/words.js";

// A chip and what it opens; `subject` is {pinId} or {listId}.
export function shares(subject) {
  const words = subject.pinId ? t("Only you see this pin.") : t("Only you see this list.");
  const list = el("div", { class: "share-list" });
  const making = el("div");
  // Said while there is neither a link nor an account.
  const none = el("p", { class: "share-none" }, words);
  let accountCount = 0;
  const accounts = grants(subject, (count) => {
    accountCount = count;
    none.hidden = count > 0;
  });
  const body = el("div", { class: "shares" }, list, making, accounts.element);
  const part = opening(body, () => {
    draw();
    accounts.draw();
  });
  part.say(icon("share"), t("Share"));

  const load = () => read("shares.v1.ShareService/ListShares", subject);
  const draw = () => fillWith(list, load, ({ shares = [] }) => {
    none.hidden = accountCount > 0;
    return shares.length > 0 ? el("ul", {}, shares.map(row)) : none;
  });

  function row(share) {
    const link = location.origin + share.path;
    const end = el("button", { class: "quiet-link" }, t("End it"));
    askFirst(end, {
      asking: (isAsking) => replace(end, isAsking ? t("End it for all?") : t("End it")), run: () => endShare(share),
    });
    return el(
      "li", {},
      el("a", { href: share.path, target: "_blank", rel: "noopener" }, `…${share.path.slice(-8)}`),
      el("p", {}, facts(share)),
      el(
        "div", { class: "share-buttons" },
        el("button", { class: "quiet-link", onclick: () => copyLink(link) }, t("Copy the link")), end,
      ),
    );
  }

  async function endShare(share) {
    try {
      await act("shares.v1.ShareService/DeleteShare", { id: share.id });
      say(t("The link has ended."));
    } catch (error) {
      complain(t("The link could not be ended."), error);
    }
    draw();
  }

  function form() {
    const made = shareForm({
      isOfList: !subject.pinId,
      async send(values, signal) {
        const { share } = await change("shares.v1.ShareService/CreateShare", { ...subject, ...values }, signal);
        close();
        draw();
        await copyLink(location.origin + share.path);
      },
      cancel: close,
    });
    replace(making, made.element);
    made.focus();
  }

  const close = () => replace(making, el("button", { class: "button", onclick: form }, icon("link"), t("Make a link")));
  close();
  return { chips: el("div", { class: "shares" }, part.chip), body };
}

function facts({ createTime, expireTime, hasPassword, withNote, albumOnly, listId, openCount = 0, openTime }) {
  return [
    albumOnly && t("the album alone"),
    expireTime ? t("until {day}", { day: day(expireTime) }) : t("since {day}", { day: day(createTime) }),
    hasPassword && t("with a password"),
    withNote && (listId ? t("with the days of visits") : t("with the note")),
    openCount > 0 ? tn(
      Number(openCount), "opened {n} time, last {when}", "opened {n} times, last {when}", { when: moment(openTime) },
    ) : t("not opened yet"),
  ].filter(Boolean).join(" · ");
}
