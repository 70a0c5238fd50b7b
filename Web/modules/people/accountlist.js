// All accounts, for administrators: who has one, what each may do, and codes for those who want in.
import { append, el, replace } from "../ground/dom.js";
import { act, read, readOnce } from "../server/api.js";
import { codeBox } from "../ground/codebox.js";
import { invitationForm } from "./invite.js";
import { complain, reasonOf } from "../ground/notices.js";
import { section } from "../ground/section.js";
import { loading } from "../ground/states.js";
import { t } from "../ground/text.js";

const ADMINISTRATION = "accounts.v1.AccountAdministrationService";
const ADMINISTRATOR = "ROLE_ADMIN";

// `own` is the account that looks at them.
export const accountList = (own) => section(t("Accounts of this server"), (body) => openList(body, own));

function openList(body, own) {
  const code = el("div");
  const byMail = el("div");
  const list = el("ul", { class: "account-list" });
  const more = el("button", { class: "button", hidden: true, onclick: load }, t("Show more"));
  const invite = el("button", {
    class: "button", hidden: true, onclick: () => show("CreateInvitation", {}, t("Invitation")),
  }, t("Invite"));
  let last = "";

  replace(list, loading(undefined, 2));
  replace(body, invite, code, byMail, list, more);
  load();
  // Elsewhere an invitation opens nothing.
  readOnce("accounts.v1.AccountService/GetAccountOptions").then(({ signUp, sendsMail }) => {
    invite.hidden = signUp !== "SIGN_UP_POLICY_INVITATION";
    if (sendsMail && !invite.hidden) replace(byMail, invitationForm());
  }, () => {});

  async function load() {
    more.disabled = true;
    try {
      const { accounts = [], truncated } = await read(`${ADMINISTRATION}/ListAccounts`, { afterEmail: last });
      if (last === "") replace(list);
      append(list, accounts.map(row));
      last = accounts.at(-1)?.email ?? last;
      more.hidden = !truncated;
    } catch (error) {
      replace(list, el("li", {}, reasonOf(error)));
    }
    more.disabled = false;
  }

  async function show(method, request, label, link) {
    try {
      replace(code, codeBox(label, await act(`${ADMINISTRATION}/${method}`, request), link));
      const field = code.querySelector("input");
      field.focus();
      field.select();
    } catch (error) {
      complain(t("There is no code."), error);
    }
  }

  function row(account) {
    const { email, roles = [], locked, id } = account;
    const isAdministrator = roles.includes(ADMINISTRATOR);
    const isOwn = id === own.id;
    const name = [account.firstName, account.lastName].filter(Boolean).join(" ");
    const marks = [isOwn && t("You"), isAdministrator && t("Administrator"), locked && t("Locked")].filter(Boolean);
    const element = el(
      "li", { class: "account-row" },
      el("div", { class: "row-text" }, el("strong", {}, email), name && el("span", {}, name)),
      marks.map((text) => el("span", { class: "mark" }, text)),
      !isOwn && el(
        "div", { class: "account-actions" },
        action(
          t("Reset code"), () => show("CreateResetCode", { email }, t("Reset code of {email}", { email }), "#/reset/"),
        ),
        action(locked ? t("Unlock") : t("Lock"), () => set("LockAccount", { email, locked: !locked })),
        action(isAdministrator ? t("Make a user") : t("Make an administrator"), () => set("SetRoles", {
          email, roles: isAdministrator ? ["ROLE_USER"] : ["ROLE_USER", ADMINISTRATOR],
        })),
      ),
    );

    async function set(method, request) {
      try {
        const { account: now } = await act(`${ADMINISTRATION}/${method}`, request);
        const next = row(now);
        element.replaceWith(next);
        next.querySelector("button").focus();
      } catch (error) {
        complain(t("{email} could not be changed.", { email }), error);
      }
    }

    return element;
  }
}

const action = (label, run) => el("button", { class: "quiet-link", onclick: run }, label);
