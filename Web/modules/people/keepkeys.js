// What a changed password, and the end of all other sessions, end beside them: the keys for programs, unless one says
// that they stay.
import { count } from "../ground/words.js";

export const KEEP_KEYS = {
  name: "keepApiKeys", type: "checkbox", label: "Keep the keys for programs",
  hint: "Without this they end too: who got in may have made one.",
};

// Says what an answer to one of these calls tells.
export const ended = ({ endedCount = 0, endedKeyCount = 0 }) => [
  endedCount === 0
    ? "There was no other session." : `${count(endedCount, "other session has", "other sessions have")} ended.`,
  endedKeyCount > 0 && `${count(endedKeyCount, "key has", "keys have")} ended.`,
].filter(Boolean).join(" ");
