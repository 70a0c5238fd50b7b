// Buttons that lead to an account, for one who is in without.
import { el } from "../ground/dom.js";
import { readOnce } from "../server/api.js";
import { finishDeletions } from "../pins/deletion.js";
import { entrance } from "../server/entrance.js";
import { loginProviders } from "./providers.js";
import { t } from "../ground/text.js";

const SIGN_UP = { SIGN_UP_POLICY_OPEN: "signUp", SIGN_UP_POLICY_INVITATION: "invitation" };

export function loginWays() {
  const ways = el("div", { class: "account-ways" }, way(t("Log in"), "logIn", "button primary"));
  const options = readOnce("accounts.v1.AccountService/GetAccountOptions");
  Promise.all([options, loginProviders()]).then(([{ signUp }, { passwordLogin }]) => {
    if (SIGN_UP[signUp] && passwordLogin) ways.append(way(t("Sign up"), SIGN_UP[signUp]));
  }, () => {});
  return ways;
}

const way = (label, form, look = "button") => el("button", {
  class: look,
  async onclick() {
    await finishDeletions();
    await entrance.invite(form);
  },
}, label);
