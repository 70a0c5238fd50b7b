// What the page says, in the reader's language. In the code it stands in English, t("Delete the list"), and a table in
// Web/words says the same in another language; what a table lacks stays English. See CONTRIBUTING.md.

// reader.js has chosen them, and fetched the table.
const { language, table } = window.words;
// For Intl: "de-AT".
export const locale = window.words.locale;
export const isEnglish = language === "en";

const NUMBER = new Intl.NumberFormat(locale);
const RULES = new Intl.PluralRules(locale);
export const number = (value) => NUMBER.format(value);

// t("{name} is deleted", { name }); a number is written as one. Where English has one word for two things, what stands
// behind a bar says which: t("Open|verb").
/** @type {(english: string, values?: Record<string, any>) => string} */
export const t = (english, values) => filled(table[english] ?? english.split("|")[0], values);

// With a number, {n}, that decides on the form: tn(3, "{n} pin", "{n} pins"). A table has the forms under the second.
/** @type {(n: number, one: string, many: string, values?: Record<string, any>) => string} */
export function tn(n, one, many, values = {}) {
  const said = table[many] ?? { one, other: many };
  return filled(typeof said === "string" ? said : said[RULES.select(n)] ?? said.other, { ...values, n });
}

/** @type {(text: string, values?: Record<string, any>) => string} */
export function filled(text, values = {}) {
  return text.replace(/\{(\w+)\}/g, (mark, name) => {
    const value = values[name] ?? mark;
    return typeof value === "number" ? number(value) : value;
  });
}

// Those that pages say, before their script runs; without them pages are in English.
export const laterWords = () => window.words.comeLater().catch(() => {});

// What stands in the page's HTML: names for screen readers, and texts that are marked with data-words.
export function sayPage() {
  if (isEnglish) return;
  for (const element of document.querySelectorAll("[aria-label]")) {
    element.setAttribute("aria-label", t(element.getAttribute("aria-label")));
  }
  for (const element of document.querySelectorAll("[data-words]")) element.textContent = t(element.textContent);
}
