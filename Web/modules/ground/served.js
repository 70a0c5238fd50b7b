// What the server says in English, in the reader's language: its fixed sentences and its words for kinds, which
// Web/words/served.txt lists, and its refusals by their rule. Any other sentence stays as it is.
import { isEnglish, t } from "./text.js";

// What is allowed instead.
/** @type {{ form: RegExp, words: (parts: string[]) => string }[]} */
const ALLOWED = [
  {
    form: /^([\d,.]+) to ([\d,.]+)(?: characters)? (?:is|are)$/,
    words: ([, least, most]) => t("From {least} to {most}.", { least, most }),
  },
  { form: /^at most ([\d,.]+)(?: characters)? (?:is|are)$/, words: ([, most]) => t("At most {most}.", { most }) },
  { form: /^([\d,.]+) or more(?: characters)? (?:is|are)$/, words: ([, least]) => t("At least {least}.", { least }) },
];
const COUNTED = {
  characters: (n) => t("{n} characters", { n }), bytes: (n) => t("{n} bytes", { n }),
  entries: (n) => t("{n} entries", { n }),
};

function allowed(rule) {
  for (const { form, words } of ALLOWED) {
    const parts = form.exec(rule);
    if (parts) return words(parts);
  }
  const words = t(rule);
  return words === rule ? undefined : words;
}

function given(value) {
  const [n, things] = value.split(" ");
  return COUNTED[things]?.(n) ?? t(value);
}

// "201 characters are not allowed; at most 200 are", "It is missing; 8 or more characters are needed"
function refused(sentence) {
  const [, value, rule] = /^(.+?) (?:is|are) not allowed; (.+?)\.?$/.exec(sentence) ?? [];
  // What was typed stands in the field.
  if (rule && value === "This") return allowed(rule);
  if (rule) return allowed(rule) && `${t("{value}: not allowed.", { value: given(value) })} ${allowed(rule)}`;
  const [, needed] = /^It is missing; (.+) needed\.?$/.exec(sentence) ?? [];
  return needed && allowed(needed) && `${t("It is missing.")} ${allowed(needed)}`;
}

// `sentence` begins with a capital.
export function served(sentence) {
  if (isEnglish) return sentence;
  const words = t(sentence);
  return words === sentence ? refused(sentence) ?? sentence : words;
}
