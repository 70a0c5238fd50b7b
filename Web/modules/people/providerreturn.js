// A browser that comes back from a login provider: #/provider/NAME/ENDING, which the address forgets at once.
import { entrance } from "../server/entrance.js";
import { notice } from "../ground/notices.js";
import { loginProviders } from "./providers.js";
import { go } from "../ground/router.js";
import { arrived } from "../server/session.js";
import { t } from "../ground/text.js";

const WORDS = {
  linked: (label) => t("{label} is linked with your account.", { label }),
  denied: (label) => t("{label} was not allowed to say who you are.", { label }),
  unknown: (label) =>
    t("No account is linked with {label}. Log in the way you know, and link it on your account's page.", { label }),
  unconfirmed: (label) =>
    t(
      "{label} confirms no e-mail address of yours. Sign up with a password, and link {label} on your account's page.",
      { label },
    ),
  taken: (label) =>
    t("An account has this address or this identity already. Log in to it, and link {label} on its page.", { label }),
  unproven: (label) => t("{label} could not prove who you are to this map. Try again, or ask who runs it.", { label }),
  away: (label) => t("{label} does not answer as it should. Try again later.", { label }),
  foreign: () => t("That login is over, or was begun in another browser. Begin again."),
  busy: () => t("Too many logins were begun here. Try again in ten minutes."),
  elsewhere: (label) => t("Logging in with {label} works only at this map's own address.", { label }),
  failed: () => t("The login did not work. Try again."),
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
  const label = providers.find((provider) => provider.name === name)?.label ?? t("The provider");
  const text = (WORDS[ending] ?? WORDS.failed)(label);
  // Where one has to log in, beside the way to do it.
  if (ending === "linked" || !await entrance.check(false, text)) notice(text);
}
