// The ways in: each has its fields, and `enter` resolves with the account when the browser is let in.
import { call } from "../ground/call.js";
import { device } from "../ground/device.js";
import { enter, take } from "../server/session.js";

const ACCOUNTS = "accounts.v1.AccountService";
const EMAIL = {
  name: "email", label: "E-mail", autocomplete: "username", inputmode: "email", autocapitalize: "none",
  spellcheck: "false", required: true,
};
const PASSWORD = {
  name: "password", label: "Password", type: "password", autocomplete: "current-password", required: true,
};
export const NEW_PASSWORD = {
  ...PASSWORD, autocomplete: "new-password", hint: "At least 8 characters; a few words are better than one.",
};
export const NAMES = [
  { name: "firstName", label: "First name", autocomplete: "given-name" },
  { name: "lastName", label: "Last name", autocomplete: "family-name" },
];
const OPTIONAL_NAMES = NAMES.map((field) => ({ ...field, label: `${field.label} (optional)` }));
const code = (name, label) => ({
  name, label, autocomplete: "off", autocapitalize: "characters", spellcheck: "false", required: true,
});
const TAKE_OVER = {
  name: "takeOverLocal", label: "Take over the pins, photos and favourites that are here", type: "checkbox",
  checked: true,
};

export const FORMS = {
  forgot: {
    title: "Forgot your password?", button: "Send the message",
    lead: "A message with a link goes to your e-mail address. The link leads to where you set a new password.",
    fields: [EMAIL],
    // Whether there is such an account is not said.
    async ask({ email }) {
      await call("accounts.v1.AccountMailService/RequestPasswordReset", { email });
      return "If an account has this address, a message is on its way.";
    },
  },
  // Where no mail is sent.
  lost: {
    title: "Forgot your password?", fields: [],
    lead: "This server sends no mail. Ask an administrator of it for a reset code.",
  },
  logIn: {
    title: "Log in", button: "Log in", fields: [EMAIL, PASSWORD],
    enter: (values) => begin("LogIn", values, {
      unauthenticated: { words: "That e-mail address or password is wrong." },
    }),
  },
  signUp: {
    title: "Sign up", button: "Sign up", fields: [EMAIL, NEW_PASSWORD, ...OPTIONAL_NAMES],
    enter: (values) => begin("SignUp", values, TAKEN),
  },
  invitation: {
    title: "Sign up", button: "Sign up",
    fields: [code("invitation", "Invitation"), EMAIL, NEW_PASSWORD, ...OPTIONAL_NAMES],
    enter: (values) => begin("SignUp", values, TAKEN),
  },
  reset: {
    title: "Set a new password", button: "Set the password",
    lead: "The code is in the message that you were sent, or an administrator of this server can give you one. All"
      + " your sessions end.",
    fields: [code("code", "Reset code"), { ...NEW_PASSWORD, label: "New password" }],
    enter: (values) => begin("ResetPassword", values),
  },
  administrator: {
    title: "Make the administrator", button: "Make the administrator",
    lead: "No one administers this server yet. The service for pins has written a code into its log.",
    fields: [code("code", "Code"), EMAIL, NEW_PASSWORD, ...OPTIONAL_NAMES, TAKE_OVER],
    enter: (values) => begin("CreateAdministrator", values, {
      ...TAKEN, failed_precondition: { words: "What is here belongs to an account already." },
    }),
  },
  token: {
    title: "Use a token", button: "Open the map",
    fields: [{ ...PASSWORD, name: "token", label: "Token of this server" }],
    enter: ({ token }) => reworded(enter({ token }), { unauthenticated: { words: "That is not the token." } }),
  },
};

const TAKEN = { already_exists: { fields: { email: "There is an account with this address already." } } };

const begin = async (method, values, words) =>
  take((await reworded(call(`${ACCOUNTS}/${method}`, { ...values, device: device() }), words)).session);

// With what people read about some codes.
function reworded(promise, words = {}) {
  return promise.catch((error) => {
    throw Object.assign(error, words[error.code]);
  });
}
