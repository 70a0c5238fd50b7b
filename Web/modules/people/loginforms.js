// The ways in: each has its fields, and `enter` resolves with the account when the browser is let in.
import { call } from "../ground/call.js";
import { device } from "../ground/device.js";
import { enter, take } from "../server/session.js";
import { t } from "../ground/text.js";

const ACCOUNTS = "accounts.v1.AccountService";
const EMAIL = {
  name: "email", label: t("E-mail"), autocomplete: "username", inputmode: "email", autocapitalize: "none",
  spellcheck: "false", required: true,
};
const PASSWORD = {
  name: "password", label: t("Password"), type: "password", autocomplete: "current-password", required: true,
};
export const NEW_PASSWORD = {
  ...PASSWORD, autocomplete: "new-password", hint: t("At least 8 characters; a few words are better than one."),
};
export const NAMES = [
  { name: "firstName", label: t("First name"), autocomplete: "given-name" },
  { name: "lastName", label: t("Last name"), autocomplete: "family-name" },
];
const OPTIONAL_NAMES = NAMES.map((field) => ({ ...field, label: t("{label} (optional)", { label: field.label }) }));
const code = (name, label) => ({
  name, label, autocomplete: "off", autocapitalize: "characters", spellcheck: "false", required: true,
});
const TAKE_OVER = {
  name: "takeOverLocal", label: t("Take over the pins, photos and favourites that are here"), type: "checkbox",
  checked: true,
};

export const FORMS = {
  forgot: {
    title: t("Forgot your password?"), button: t("Send the message"),
    lead: t("A message with a link goes to your e-mail address. The link leads to where you set a new password."),
    fields: [EMAIL],
    // Whether there is such an account is not said.
    async ask({ email }) {
      await call("accounts.v1.AccountMailService/RequestPasswordReset", { email });
      return t("If an account has this address, a message is on its way.");
    },
  },
  // Where no mail is sent.
  lost: {
    title: t("Forgot your password?"), fields: [],
    lead: t("This server sends no mail. Ask an administrator of it for a reset code."),
  },
  logIn: {
    title: t("Log in"), button: t("Log in"), fields: [EMAIL, PASSWORD],
    enter: (values) => begin("LogIn", values, {
      unauthenticated: { words: t("That e-mail address or password is wrong.") },
    }),
  },
  signUp: {
    title: t("Sign up"), button: t("Sign up"), fields: [EMAIL, NEW_PASSWORD, ...OPTIONAL_NAMES],
    enter: (values) => begin("SignUp", values, TAKEN),
  },
  invitation: {
    title: t("Sign up"), button: t("Sign up"),
    fields: [code("invitation", t("Invitation")), EMAIL, NEW_PASSWORD, ...OPTIONAL_NAMES],
    enter: (values) => begin("SignUp", values, TAKEN),
  },
  reset: {
    title: t("Set a new password"), button: t("Set the password"),
    lead: t("The code is in the message that you were sent, or an administrator of this server can give you one. All"
      + " your sessions end."),
    fields: [code("code", t("Reset code")), { ...NEW_PASSWORD, label: t("New password") }],
    enter: (values) => begin("ResetPassword", values),
  },
  administrator: {
    title: t("Make the administrator"), button: t("Make the administrator"),
    lead: t("No one administers this server yet. The service for pins has written a code into its log."),
    fields: [code("code", t("Code")), EMAIL, NEW_PASSWORD, ...OPTIONAL_NAMES, TAKE_OVER],
    enter: (values) => begin("CreateAdministrator", values, {
      ...TAKEN, failed_precondition: { words: t("What is here belongs to an account already.") },
    }),
  },
  token: {
    title: t("Use a token"), button: t("Open the map"),
    fields: [{ ...PASSWORD, name: "token", label: t("Token of this server") }],
    enter: ({ token }) => reworded(enter({ token }), { unauthenticated: { words: t("That is not the token.") } }),
  },
};

const TAKEN = { already_exists: { fields: { email: t("There is an account with this address already.") } } };

const begin = async (method, values, words) =>
  take((await reworded(call(`${ACCOUNTS}/${method}`, { ...values, device: device() }), words)).session);

// With what people read about some codes.
function reworded(promise, words = {}) {
  return promise.catch((error) => {
    throw Object.assign(error, words[error.code]);
  });
}
