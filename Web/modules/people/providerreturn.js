// A browser that comes back from a login provider: #/provider/NAME/ENDING, which the address forgets at once.
import { entrance } from "../server/entrance.js";
import { notice } from "../ground/notices.js";
import { loginProviders } from "./providers.js";
import { go } from "../ground/router.js";
import { arrived } from "../server/session.js";

const WORDS = {
  linked: (label) => `${label} is linked with your account.`,
  denied: (label) => `${label} was not allowed to say who you are.`,
  unknown: (label) =>
    `No account is linked with ${label}. Log in the way you know, and link it on your account's page.`,
  unconfirmed: (label) =>
    `${label} confirms no e-mail address of yours. Sign up with a password, and link ${label} on your account's page.`,
  taken: (label) =>
    `An account has this address or this identity already. Log in to it, and link ${label} on its page.`,
  unproven: (label) => `${label} could not prove who you are to this map. Try again, or ask who runs it.`,
  away: (label) => `${label} does not answer as it should. Try again later.`,
  foreign: () => "That login is over, or was begun in another browser. Begin again.",
  busy: () => "Too many logins were begun here. Try again in ten minutes.",
  elsewhere: (label) => `Logging in with ${label} works only at this map's own address.`,
  failed: () => "The login did not work. Try again.",
};

// To be awaited before anything is asked for.
export async function comeBack() {
  const found = location.hash.match(/^#\/provider\/([a-z0-9-]{1,40})\/([a-z]{1,20})$/);
  if (!found) return;
  const [, name, ending] = found;
  history.replaceState(history.state, "", "#/");
  if (ending === "linked") go({ view: "account" }, { replace: true });
  if (ending === "done") {
    await arrived();
    return;
  }
  const { providers = [] } = await loginProviders();
  const label = providers.find((provider) => provider.name === name)?.label ?? "The provider";
  const text = (WORDS[ending] ?? WORDS.failed)(label);
  // Where one has to log in, beside the way to do it.
  if (ending === "linked" || !await entrance.check(false, text)) notice(text);
}
