// Builds elements. Text from outside only ever becomes a text node, so markup in a name stays text.

// el("button", {class: "quiet", onclick: run}, icon("trash"), "Delete"). Null and false children are left out.
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  append(element, children);
  return element;
}

export function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== undefined && child !== null && child !== false) element.append(child);
  }
}

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  append(element, children);
  return element;
}

// Changes a text only when it is another one, so that a screen reader doesn't say it again.
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function replace(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

// Puts rows into a list in this order, moving only those that stand elsewhere: what has the focus keeps it.
export function arrange(list, rows) {
  const kept = new Set(rows);
  for (const child of [...list.children]) if (!kept.has(child)) child.remove();
  rows.forEach((row, index) => {
    if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null);
  });
}
