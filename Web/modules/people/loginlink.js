// A link that logs in once: #/login/SECRET. A browser doesn't send what is behind "#"; this sends it once, in the body
// of a request, and takes it out of the address first, so that neither the history nor a reload has it. #/reset/CODE is
// taken out in the same way, and stands in the form for a new password; so is #/invitation/CODE in that for an account.
import { entrance } from "../server/entrance.js";
import { reasonOf } from "../ground/notices.js";
import { enter } from "../server/session.js";
import { t } from "../ground/text.js";

const SPENT =
  t("This link was used, or is older than ten minutes. A new one comes from “waymark login-link” on the server.");

// Whether the address had such a link. Where it does not let in, and nothing else does, a person is asked to log in.
export async function logInByLink() {
  const secret = taken("#/login/");
  if (secret === undefined) return false;
  try {
    await enter({ link: secret });
  } catch (error) {
    await entrance.check(false, error.words ?? (error.code === "unauthenticated" ? SPENT : reasonOf(error)));
  }
  return true;
}

// Resolves at once when the address had no code of a reset or an invitation, else when the form for it was closed.
export async function resetByLink() {
  const code = taken("#/reset/");
  if (code !== undefined) return entrance.invite("reset", { code });
  const invitation = taken("#/invitation/");
  if (invitation !== undefined) await entrance.invite("invitation", { invitation });
}

// What is behind this beginning of the address, which forgets it.
function taken(mark) {
  if (!location.hash.startsWith(mark)) return undefined;
  const secret = location.hash.slice(mark.length);
  history.replaceState(history.state, "", "#/");
  return secret;
}

// One that is opened where the map is open already.
export const onLoginLink = () => addEventListener("hashchange", async () => {
  if (await logInByLink()) location.reload();
  else await resetByLink();
});
