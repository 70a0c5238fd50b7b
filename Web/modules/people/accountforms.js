// The forms of an account: its names, and its password.
import { el, replace } from "../ground/dom.js";
import { act, readOnce } from "../server/api.js";
import { talkingForm } from "../ground/form.js";
import { NAMES, NEW_PASSWORD } from "./loginforms.js";
import { KEEP_KEYS, ended } from "./keepkeys.js";
import { section } from "../ground/section.js";
import { t } from "../ground/text.js";

const ACCOUNTS = "accounts.v1.AccountService";

// `changed(account)` is called when it has other names.
export function accountForms(account, changed) {
  const names = talkingForm({
    fields: NAMES, button: t("Save"), values: account,
    async send(values, signal) {
      changed((await act(`${ACCOUNTS}/UpdateProfile`, values, signal)).account);
      return t("Saved.");
    },
  });
  return [
    section(t("Names"), (body) => body.hasChildNodes() || replace(body, names.element)),
    section(t("Password"), (body) => replace(body, passwordForm(account.email, body).element)),
  ];
}

function passwordForm(email, body) {
  return talkingForm({
    fields: [
      // For what keeps passwords: whose this is.
      { name: "email", label: "E-mail", autocomplete: "username", hidden: true },
      {
        name: "password", label: t("Present password"), type: "password", autocomplete: "current-password",
        required: true,
      },
      { ...NEW_PASSWORD, name: "newPassword", label: t("New password") },
      KEEP_KEYS,
    ],
    button: t("Change the password"), values: { email },
    async send({ password, newPassword, keepApiKeys }, signal) {
      const answer = await readOnce(`${ACCOUNTS}/ChangePassword`, { password, newPassword, keepApiKeys }, signal);
      const text = `${t("The password is changed.")} ${ended(answer)}`;
      replace(body, el("p", { class: "section-note", role: "status" }, text));
    },
  });
}
