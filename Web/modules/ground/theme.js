// Light or dark: as the system has it, until a person chooses. A plain script in the head, so that the first paint
// has the right colours already.
(() => {
  const key = "waymark.theme";
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null; // Storage may be forbidden; then the system's theme is used.
    }
  };
  const apply = () => {
    document.documentElement.dataset.theme = chosen() ?? (system.matches ? "dark" : "light");
    document.dispatchEvent(new Event("themechange"));
  };
  document.addEventListener("themeswitch", () => {
    const other = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem(key, other);
    } catch {
      // Then the choice is valid for this page only, and the next line still shows it.
      document.documentElement.dataset.theme = other;
    }
    apply();
  });
  system.addEventListener("change", apply);
  apply();
})();
