// The end of an account, with all that it has. It needs a log-in that has just been made.
import { el } from "../ground/dom.js";
import { readOnce } from "../server/api.js";
import { entrance, startOver } from "../server/entrance.js";
import { talkingForm } from "../ground/form.js";
import { notice } from "../ground/notices.js";
import { section } from "../ground/section.js";
import { leave } from "../server/session.js";
import { t } from "../ground/text.js";

const ACCOUNTS = "accounts.v1.AccountService";
const ABOUT = t("Your pins, notes, lists, albums, uploaded photos, favourites, links and keys are deleted, for good. "
  + "No one can bring them back.");
const AGAIN = t("You logged in some time ago. Who deletes an account has to do it again.");

export const accountDeletion = () => section(t("Delete the account"), (body) => {
  if (body.hasChildNodes()) return;
  const form = talkingForm({
    fields: [{
      name: "email", label: t("Its e-mail address, to be sure"), inputmode: "email", autocapitalize: "none",
      autocomplete: "off", required: true,
    }],
    button: t("Delete my account and all that is mine"), send: remove,
  });
  form.element.querySelector("button").classList.replace("primary", "danger");
  body.append(el("p", { class: "section-note" }, ABOUT), form.element);
});

async function remove({ email }) {
  try {
    await readOnce(`${ACCOUNTS}/DeleteAccount`, { email });
  } catch (error) {
    if (error.code !== "failed_precondition" || !/log in again/.test(error.message)) throw error;
    if (!await entrance.again(AGAIN)) return t("Nothing is deleted.");
    await readOnce(`${ACCOUNTS}/DeleteAccount`, { email });
  }
  notice(t("The account is deleted."));
  await leave().catch(() => {});
  await startOver();
}
