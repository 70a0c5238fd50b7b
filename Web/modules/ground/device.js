// What this browser is called in a list of sessions: "Firefox on Linux".

// The first that its name has in it: each pretends to be some of those behind it.
const BROWSERS = {
  "Edg": "Edge", "OPR/": "Opera", "SamsungBrowser": "Samsung Internet", "Firefox": "Firefox", "FxiOS": "Firefox",
  "CriOS": "Chrome", "Chrome": "Chrome", "Safari": "Safari",
};
const SYSTEMS = {
  "Android": "Android", "iPhone": "iPhone", "iPad": "iPad", "Windows": "Windows", "Mac OS X": "macOS",
  "CrOS": "ChromeOS", "Linux": "Linux",
};

const first = (names) => Object.entries(names).find(([mark]) => navigator.userAgent.includes(mark))?.[1];

export const device = () => [
  first(BROWSERS) ?? "Browser", first(SYSTEMS),
].filter(Boolean).join(" on "); // kept at the server, in English
