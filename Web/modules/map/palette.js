// The map's colours, defined in base.css with all others: {land: "#f5f1e6", …}.
const PREFIX = "--map-";
let names;

export function colours() {
  names ??= [...new Set([...document.styleSheets].filter(isOurs).flatMap(namesIn))];
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(names.map((name) => [name.slice(PREFIX.length), style.getPropertyValue(name).trim()]));
}

const isOurs = ({ href }) => !href || new URL(href).origin === location.origin;

// A browser lists the names of variables in rules alone.
function namesIn(sheet) {
  return [...sheet.cssRules].flatMap((rule) => {
    if (rule.styleSheet) return namesIn(rule.styleSheet);
    return rule.style ? [...rule.style].filter((name) => name.startsWith(PREFIX)) : [];
  });
}
