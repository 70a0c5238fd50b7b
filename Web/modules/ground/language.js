// The languages of names on the map: the one that the account has chosen, the one of the page if that is
// chosen, then those of the reader.
const readers = [globalThis.words?.chosen, ...navigator.languages ?? [navigator.language]].filter(Boolean);
const listeners = new Set();
let chosen = "";
let languages = listOf(readers);

// Tags of BCP 47, the preferred one first: "pt-BR" before "pt".
export const nameLanguages = () => languages;

// In a worker, to which the page says all of them.
export function useLanguages(next) {
  languages = next;
}

// "" for the reader's.
export function setNameLanguage(tag = "") {
  if (tag === chosen) return;
  chosen = tag;
  languages = listOf([tag, ...readers].filter(Boolean));
  for (const listener of listeners) listener();
}

export const onNameLanguage = (listener) => listeners.add(listener);

function listOf(tags) {
  return [...new Set(tags.flatMap((tag) => [tag, tag.split("-")[0]]))];
}
