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
  const languages = ["en"];
  const base = (tag) => tag.split("-")[0].toLowerCase();
  const readers = navigator.languages ?? [navigator.language];
  const language = [chosen("language") ?? "", ...readers].map(base).find((tag) => languages.includes(tag)) ?? "en";
  const words = {
    language, languages, chosen: chosen("language") ?? "", table: {},
    // As exactly as the browser says it: "de-AT" writes numbers in another way.
    locale: readers.find((tag) => base(tag) === language) ?? language,
    // Modules run when it has come; what does not come stays English.
    come: language === "en" ? undefined : fetch(`/words/${language}.json`).then((answer) => answer.json()).then(
      (table) => { words.table = table; }, () => {},
    ),
  };
  window.words = words;
  document.documentElement.lang = language;

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
