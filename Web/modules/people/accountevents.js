// What happened to the account that matters for its security.
import { el } from "../ground/dom.js";
import { read } from "../server/api.js";
import { fillWith, section } from "../ground/section.js";
import { t } from "../ground/text.js";
import { moment } from "../ground/words.js";

const WORDS = {
  SIGNED_UP: t("The account was made"), LOGGED_IN: t("Logged in"), LOG_IN_FAILED: t("Someone could not log in"),
  LOGGED_OUT: t("Logged out"), PASSWORD_CHANGED: t("The password was changed"),
  PASSWORD_RESET: t("The password was set with a code"), SESSIONS_REVOKED: t("Sessions were ended"),
  RESET_CODE_MADE: t("An administrator made a reset code"), LOCKED: t("An administrator locked the account"),
  UNLOCKED: t("An administrator unlocked the account"), ROLES_CHANGED: t("An administrator changed what it may do"),
  RESET_MAILED: t("A reset code was sent to your address"), INVITATION_MAILED: t("An invitation was sent"),
  MAIL_FAILED: t("A message could not be sent"), KEY_MADE: t("A key for a program was made"),
  KEY_REVOKED: t("A key for a program was ended"),
  PASSKEY_ADDED: t("A passkey was added"), PASSKEY_REMOVED: t("A passkey was removed"),
  PASSKEY_LOGGED_IN: t("Logged in with a passkey"),
  PASSKEY_COPIED: t("A passkey was refused: there may be a copy of its device"),
  PASSKEYS_CLEARED: t("An administrator removed all passkeys"),
  IDENTITY_LINKED: t("A login provider was linked"), IDENTITY_UNLINKED: t("A login provider was unlinked"),
  PROVIDER_LOGGED_OUT: t("Logged out at a login provider"),
  SHARE_CREATED: t("A link to a pin was made"), SHARE_DELETED: t("A link to a pin was ended"),
  SHARE_REFUSED: t("Someone typed a wrong password at a link"),
  GRANT_CREATED: t("Something was shared with an account"),
  GRANT_DELETED: t("Something is no more shared with an account"),
};

const load = () => read("accounts.v1.AccountService/ListSecurityEvents");

export function accountEvents() {
  return section(t("What happened"), (body) => fillWith(body, load, ({ events = [] }) => (
    events.length > 0 ? el("ul", { class: "account-list" }, events.map(row)) : el("p", {}, t("Nothing yet."))
  )));
}

function row({ kind, time, device, address }) {
  const words = WORDS[kind.replace("SECURITY_EVENT_KIND_", "")] ?? t("Something else");
  return el(
    "li", { class: "account-row" },
    el(
      "div", { class: "row-text" }, el("strong", {}, words),
      el("span", {}, [moment(time), device, address].filter(Boolean).join(" · ")),
    ),
  );
}
