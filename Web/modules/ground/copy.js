// Puts a link into the clipboard.
import { notice } from "./notices.js";
import { t } from "./text.js";

// A page that is not reached by TLS may not write there: then the link is shown, to be copied by hand.
export async function copyLink(link) {
  try {
    await navigator.clipboard.writeText(link);
    notice(t("The link is copied"));
  } catch {
    notice(link);
  }
}
