// What a changed password, and the end of all other sessions, end beside them: the keys for programs, unless one says
// that they stay.
import { t, tn } from "../ground/text.js";

export const KEEP_KEYS = {
  name: "keepApiKeys", type: "checkbox", label: t("Keep the keys for programs"),
  hint: t("Without this they end too: who got in may have made one."),
};

// Says what an answer to one of these calls tells.
export const ended = ({ endedCount = 0, endedKeyCount = 0 }) => [
  endedCount === 0
    ? t("There was no other session.") : tn(
      endedCount, "{n} other session has ended.", "{n} other sessions have ended.",
    ),
  endedKeyCount > 0 && tn(endedKeyCount, "{n} key has ended.", "{n} keys have ended."),
].filter(Boolean).join(" ");
