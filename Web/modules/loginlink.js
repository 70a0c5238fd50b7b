// A link that logs in once: #/login/SECRET. A browser doesn't send what is behind "#"; this sends it once, in the body
// of a request, and takes it out of the address first, so that neither the history nor a reload has it.
import { link } from "./link.js";
import { lacksToken, logIn } from "./login.js";

const MARK = "#/login/";
const SPENT = "This link was used, or is older than ten minutes. A new one comes from “waymark login-link” on the server.";

// Whether the address had such a link. Where it does not let in, and nothing else does, a person is asked for the
// token.
export async function logInByLink() {
  if (!location.hash.startsWith(MARK)) return false;
  const secret = location.hash.slice(MARK.length);
  history.replaceState(history.state, "", "#/");
  const problem = await logIn({ link: secret }, SPENT);
  if (problem && await lacksToken()) await link.login(problem);
  return true;
}

// One that is opened where the map is open already.
export const onLoginLink = () => addEventListener("hashchange", async () => {
  if (await logInByLink()) location.reload();
});
