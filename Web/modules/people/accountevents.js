// What happened to the account that matters for its security.
import { el } from "../ground/dom.js";
import { read } from "../server/api.js";
import { fillWith, section } from "../ground/section.js";
import { moment } from "../ground/words.js";

const WORDS = {
  SIGNED_UP: "The account was made", LOGGED_IN: "Logged in", LOG_IN_FAILED: "Someone could not log in",
  LOGGED_OUT: "Logged out", PASSWORD_CHANGED: "The password was changed",
  PASSWORD_RESET: "The password was set with a code", SESSIONS_REVOKED: "Sessions were ended",
  RESET_CODE_MADE: "An administrator made a reset code", LOCKED: "An administrator locked the account",
  UNLOCKED: "An administrator unlocked the account", ROLES_CHANGED: "An administrator changed what it may do",
  RESET_MAILED: "A reset code was sent to your address", INVITATION_MAILED: "An invitation was sent",
  MAIL_FAILED: "A message could not be sent", KEY_MADE: "A key for a program was made",
  KEY_REVOKED: "A key for a program was ended",
  PASSKEY_ADDED: "A passkey was added", PASSKEY_REMOVED: "A passkey was removed",
  PASSKEY_LOGGED_IN: "Logged in with a passkey",
  PASSKEY_COPIED: "A passkey was refused: there may be a copy of its device",
  PASSKEYS_CLEARED: "An administrator removed all passkeys",
  IDENTITY_LINKED: "A login provider was linked", IDENTITY_UNLINKED: "A login provider was unlinked",
  PROVIDER_LOGGED_OUT: "Logged out at a login provider",
  SHARE_CREATED: "A link to a pin was made", SHARE_DELETED: "A link to a pin was ended",
  SHARE_REFUSED: "Someone typed a wrong password at a link",
  GRANT_CREATED: "Something was shared with an account", GRANT_DELETED: "Something is no more shared with an account",
};

const load = () => read("accounts.v1.AccountService/ListSecurityEvents");

export function accountEvents() {
  return section("What happened", (body) => fillWith(body, load, ({ events = [] }) => (
    events.length > 0 ? el("ul", { class: "account-list" }, events.map(row)) : el("p", {}, "Nothing yet.")
  )));
}

function row({ kind, time, device, address }) {
  const words = WORDS[kind.replace("SECURITY_EVENT_KIND_", "")] ?? "Something else";
  return el(
    "li", { class: "account-row" },
    el(
      "div", { class: "row-text" }, el("strong", {}, words),
      el("span", {}, [moment(time), device, address].filter(Boolean).join(" · ")),
    ),
  );
}
