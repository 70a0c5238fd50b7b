// Invites someone by mail.
import { readOnce } from "../server/api.js";
import { talkingForm } from "../ground/form.js";
import { t } from "../ground/text.js";

const SEND = "accounts.v1.AccountMailService/SendInvitation";

export const invitationForm = () => talkingForm({
  fields: [{
    name: "email", label: t("Invite by e-mail"), inputmode: "email", autocomplete: "off", autocapitalize: "none",
    spellcheck: "false", required: true,
  }],
  button: t("Send the invitation"),
  async send({ email }, signal) {
    await readOnce(SEND, { email }, signal);
    return t("An invitation is on its way to {email}.", { email });
  },
}).element;
