// Builds elements. Text from outside only ever becomes a text node.
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...shown(children));
  return element;
}

// Shows these in place of what was there.
export function show(element, ...children) {
  element.replaceChildren(...shown(children));
}

const shown = (children) =>
  children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false);
