// The accounts that a pin or a list is shared with, what each may do, and a form for another one. Where all have one
// profile there is nothing.
import { el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { LIMITS } from "../ground/limits.js";
import { act, read, readOnce } from "../server/api.js";
import { talkingForm } from "../ground/form.js";
import { complain, reasonOf, say } from "../ground/notices.js";
import { askFirst } from "../ground/sure.js";
import { t } from "../ground/text.js";

const SERVICE = "shares.v1.GrantService";
const RIGHTS = [["GRANT_RIGHT_READ", t("may look")], ["GRANT_RIGHT_ADD_PHOTOS", t("may look and add photos")]];

// `subject` is {pinId} or {listId}; `counted(number)` is called with how many accounts there are.
export function grants(subject, counted) {
  const rows = el("ul");
  const making = el("div");
  const title = subject.pinId ? t("Accounts that see this pin") : t("Accounts that see this list");
  const element = el(
    "section", { class: "grants", hidden: true, "aria-label": title }, el("h2", {}, title), rows, making,
  );

  async function draw() {
    try {
      const { account } = await read("accounts.v1.AccountService/GetProfile");
      if (!account.email) return;
      const { grants: all = [] } = await read(`${SERVICE}/ListGrants`, subject);
      element.hidden = false;
      counted(all.length);
      replace(rows, all.map(row));
      if (!making.hasChildNodes()) close();
    } catch (error) {
      element.hidden = false;
      replace(rows, el("li", {}, reasonOf(error)));
    }
  }

  function row(grant) {
    const end = el("button", { class: "quiet-link" }, t("End it"));
    askFirst(end, {
      asking: (isAsking) => replace(end, isAsking ? t("End it for them?") : t("End it")), run: () => endGrant(grant),
    });
    return el(
      "li", {}, el("strong", {}, grant.email),
      el("div", { class: "share-buttons" }, subject.pinId ? rightField(grant) : el("span", {}, RIGHTS[0][1]), end),
    );
  }

  function rightField(grant) {
    const field = el(
      "select", { "aria-label": t("What {email} may do", { email: grant.email }), onchange: () => choose() }, options(),
    );
    field.value = grant.right;
    async function choose() {
      try {
        await act(`${SERVICE}/ChangeGrant`, { id: grant.id, right: field.value });
        say(t("The right is changed."));
      } catch (error) {
        complain(t("The right could not be changed."), error);
        draw();
      }
    }
    return field;
  }

  async function endGrant({ id, email }) {
    try {
      await act(`${SERVICE}/DeleteGrant`, { id });
      say(t("It is no more shared with {email}.", { email }));
    } catch (error) {
      complain(t("It is still shared."), error);
    }
    draw();
  }

  function form() {
    const right = el("select", { id: "grant-right" }, options());
    const made = talkingForm({
      fields: [{
        name: "email", label: t("The address that they log in with"), inputmode: "email", autocomplete: "off",
        autocapitalize: "none", spellcheck: "false", maxlength: LIMITS.CreateGrantRequest.email[1], required: true,
      }],
      button: t("Share"),
      async send({ email }, signal) {
        await readOnce(`${SERVICE}/CreateGrant`, { ...subject, email, right: right.value }, signal);
        close();
        await draw();
        say(t("They see it now, if there is such an account."));
      },
      more: [el("button", { class: "button", type: "button", onclick: close }, t("Cancel"))],
    });
    if (subject.pinId) {
      made.element.prepend(el("div", { class: "field" }, el("label", { for: right.id }, t("This account")), right));
    }
    replace(making, made.element);
    made.focus();
  }

  const close = () => replace(
    making, el("button", { class: "button", onclick: form }, icon("people"), t("Share with an account")),
  );

  return { element, draw };
}

const options = () => RIGHTS.map(([value, label]) => el("option", { value }, label));
