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
    // Modules run when the table has come. One that does not come, or takes too long, leaves English.
    come: language === "en" ? undefined : Promise.race([fetched(), late()]).then(
      (table) => { words.table = table; }, () => { document.documentElement.lang = "en"; },
    ),
  };
  window.words = words;
  document.documentElement.lang = language;

  async function fetched() {
    return (await fetch(`/words/${language}.json`)).json();
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
