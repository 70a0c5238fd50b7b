// The dialog in which one logs in, by one of the ways of loginforms.js.
import { el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { call } from "../ground/call.js";
import { talkingForm } from "../ground/form.js";
import { FORMS } from "./loginforms.js";
import { passkeyWay } from "./passkeylogin.js";
import { loginProviders, providerButtons } from "./providers.js";
import { t } from "../ground/text.js";

// Resolves with the account when the browser is let in, or with undefined when the dialog was closed, which
// `mayClose` allows. `form` is the one of FORMS to begin with, `problem` says why it is needed after all, and `values`
// are in the fields already. `signal` closes it.
export function askToLogIn({ form = "logIn", title, lead, problem, values = {}, mayClose, isPrivate, signal }) {
  /** @type {Record<string, string>} */
  let filled = values;
  return new Promise((resolve) => {
    const content = el("div", { class: "login-content" });
    const ways = el("div", { class: "login-ways" });
    const providers = el("div", { class: "login-providers" });
    const close = mayClose && el(
      "button", { class: "round login-close", "aria-label": t("Close"), onclick: () => end(undefined) }, icon("close"),
    );
    const dialog = el("dialog", { class: "login" }, close, content, providers, ways);
    let others = [];
    let takesPasswords = true;
    let isOver = false;
    let shown;

    function show(name, problem) {
      const { enter, ask, lead: about, ...rest } = FORMS[name];
      const send = ask ?? (async (typed) => end(await enter(typed)));
      const isFirst = name === form;
      const fields = rest.fields.length > 0 && talkingForm({ ...rest, values: filled, problem, send });
      shown = { name, form: fields || undefined };
      const said = isFirst && lead || about;
      dialog.setAttribute("aria-label", rest.title);
      replace(
        content, el("div", { class: "login-mark" }, icon("waymark")), el("h2", {}, isFirst && title || rest.title),
        said && el("p", { class: "quiet" }, said), shown.form?.element, name === "logIn" && passkeyWay(end),
      );
      drawWays();
      drawForm();
      if (shown.form) shown.form.focus();
      else ways.querySelector("button")?.focus();
    }

    // Other services let in at once, whichever form stands above; a form for a password does not where none is taken.
    function drawForm() {
      if (shown.form) shown.form.element.hidden = shown.name === "logIn" && !takesPasswords;
      providers.hidden = !["logIn", "signUp", "invitation"].includes(shown.name);
    }

    function drawWays() {
      const back = ["logIn", t("Log in")];
      const instead = () => others.filter(([name]) => WITHOUT_PASSWORD.includes(name));
      const offered = shown.name === "logIn" ? others : [back, ...instead()];
      replace(ways, offered.filter(([name]) => name !== shown.name).map(([name, text]) => el(
        "button", { class: "quiet-link", onclick: () => turn(name) }, text,
      )));
    }

    // What names the account is not typed twice.
    function turn(name) {
      const email = shown.form?.typed().email;
      filled = { email: email ?? filled.email };
      show(name);
    }

    async function offer() {
      const [options, found] = await Promise.all([
        call("accounts.v1.AccountService/GetAccountOptions").catch(() => ({})), loginProviders(),
      ]);
      takesPasswords = found.passwordLogin === true;
      others = waysOf(options, isPrivate, takesPasswords);
      replace(providers, providerButtons(found.providers ?? []));
      drawWays();
      drawForm();
    }

    function end(account) {
      if (isOver) return;
      isOver = true;
      dialog.close();
      dialog.remove();
      resolve(account);
    }

    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      if (mayClose) end(undefined);
    });
    // The page behind has nothing to do with it.
    dialog.addEventListener("keydown", (event) => event.key === "Escape" && event.stopPropagation());
    // A browser may close it all the same, when Escape is pressed twice.
    dialog.addEventListener("close", () => isOver || dialog.showModal());
    signal?.addEventListener("abort", () => end(undefined));
    document.body.append(dialog);
    dialog.showModal();
    show(form, problem);
    offer();
  });
}

// Ways for who has lost a password.
const WITHOUT_PASSWORD = ["forgot", "lost", "reset"];

function waysOf({ signUp, needsAdministrator, sendsMail }, isPrivate, takesPasswords) {
  return [
    takesPasswords && signUp && [sendsMail ? "forgot" : "lost", t("Forgot your password?")],
    takesPasswords && signUp === "SIGN_UP_POLICY_OPEN" && ["signUp", t("Sign up")],
    takesPasswords && signUp === "SIGN_UP_POLICY_INVITATION" && ["invitation", t("Sign up with an invitation")],
    takesPasswords && signUp && ["reset", t("I have a reset code")],
    needsAdministrator && ["administrator", t("Make the administrator")],
    isPrivate && ["token", t("Use a token of this server")],
  ].filter(Boolean);
}
