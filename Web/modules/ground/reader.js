// What the reader has chosen: the language of the page, and light or dark; as the system has both until then. A plain
// script in the head, so that the first paint has the right words and colours already.
(() => {
  const chosen = (name) => {
    try {
      return localStorage.getItem(`waymark.${name}`);
    } catch {
      return null; // Storage may be forbidden; then it is as the system has it.
    }
  };

  // Those that Web/words has a table for, and English, which the modules are written in.
  const languages = ["en", "de", "es", "fi", "fr", "ja"];
  const base = (tag) => tag.split("-")[0].toLowerCase();
  const readers = navigator.languages ?? [navigator.language];
  const language = [chosen("language") ?? "", ...readers].map(base).find((tag) => languages.includes(tag)) ?? "en";
  const words = {
    language, languages, chosen: chosen("language") ?? "", table: {},
    // As exactly as the browser says it: "de-AT" writes numbers in another way.
    locale: readers.find((tag) => base(tag) === language) ?? language,
    come: undefined,
    // What the first look does not say is in a table of its own. A share's page, which is one look, has both at once.
    later: language === "en" ? "" : `/words/later/${language}.json`,
    comeLater: () => take(words.later),
  };
  const root = document.documentElement;
  window.words = words;
  root.lang = language;
  // Modules run when the table has come. One that does not come, or takes too long, leaves English.
  if (language !== "en") {
    const tables = [`/words/${language}.json`, root.dataset.tables === "all" && words.later].filter(Boolean);
    words.come = Promise.race([Promise.all(tables.map(take)), late()]).catch(() => { root.lang = "en"; });
  }

  async function take(path) {
    if (path) Object.assign(words.table, await (await fetch(path)).json());
  }

  // The service worker waits for the server for four seconds before it gives what it has kept.
  function late() {
    return new Promise((_, reject) => setTimeout(reject, 8000));
  }

  const system = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    document.documentElement.dataset.theme = chosen("theme") ?? (system.matches ? "dark" : "light");
    document.dispatchEvent(new Event("themechange"));
  };
  document.addEventListener("themeswitch", () => {
    const other = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem("waymark.theme", other);
    } catch {
      // Then the choice is valid for this page only, and the next line still shows it.
      document.documentElement.dataset.theme = other;
    }
    apply();
  });
  system.addEventListener("change", apply);
  apply();
})();
