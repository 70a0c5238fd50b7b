// Logging in with an account at another service: the browser goes there, and comes back to the gateway.
import { el } from "../ground/dom.js";
import { ask, call } from "../ground/call.js";
import { t } from "../ground/text.js";

export const PROVIDERS = "accounts.v1.LoginProviderService";

// {providers, passwordLogin}; none, and passwords, where the server does not say.
export const loginProviders = () => call(`${PROVIDERS}/ListProviders`).catch(() => ({ passwordLogin: true }));

export const providerButtons = (providers) => providers.map(({ name, label }) => el(
  "button", {
    class: "button", onclick: () => location.assign(`/session/provider/${name}`),
  }, t("Log in with {label}", { label }),
));

// Leads to the provider, to link what one is there to the account of this browser. The browser's cookie says to which,
// so this is no call like others.
export async function beginLink(name) {
  const answer = await ask("POST", `/session/provider/${name}/link`, {});
  const { address } = await answer.json();
  location.assign(address);
}
