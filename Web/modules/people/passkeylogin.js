// The way in without a name and a password, below the form for these. It is there where it can work.
import { el, setText } from "../ground/dom.js";
import { wordsOf } from "../ground/form.js";
import { logInWithPasskey, whyNoPasskeys } from "./passkeys.js";
import { t } from "../ground/text.js";

// `entered(account)` is called when the browser is let in.
export function passkeyWay(entered) {
  const outcome = el("p", { class: "passkey-wrong", role: "alert" });
  const button = el("button", { class: "button", onclick: logIn }, t("Log in with a passkey"));
  const element = el("div", { class: "passkey-way", hidden: true }, button, outcome);
  whyNoPasskeys().then((reason) => { element.hidden = reason !== undefined; }, () => {});

  async function logIn() {
    button.disabled = true;
    setText(outcome, "");
    try {
      const account = await logInWithPasskey();
      if (account) entered(account);
    } catch (error) {
      const refused = error.code === "unauthenticated";
      setText(outcome, refused ? t("That passkey is not known here. It may have been removed.") : wordsOf(error));
    }
    button.disabled = false;
  }

  return element;
}
