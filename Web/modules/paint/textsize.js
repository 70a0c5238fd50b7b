// How wide texts are, and how they are broken into lines.
const MOST = 20000;
const widths = new Map();

export const SERIF = '"Iowan Old Style", "Palatino Linotype", P052, Palatino, Georgia, serif';
export const SANS = 'Inter, system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';

// A label with its width: that of its longest line.
export function measured(pen, label) {
  const key = `${label.font}|${label.spacing ?? ""}|${label.text}`;
  let width = widths.get(key);
  if (width === undefined) {
    if (widths.size > MOST) widths.clear();
    pen.font = label.font;
    pen.letterSpacing = label.spacing ?? "0px";
    width = Math.max(...(label.lines ?? [label.text]).map((line) => pen.measureText(line).width));
    widths.set(key, width);
  }
  return { ...label, width };
}

// Capitals and room between letters suit scripts that have capitals; Arabic letters must join.
const HAS_CAPITALS = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\P{L}]*$/u;

export function capitals(text, spacing) {
  return HAS_CAPITALS.test(text) ? { text: text.toUpperCase(), spacing } : { text };
}

// In two lines, broken at the blank nearest to the middle, when it is long.
export function inLines(text, longest = 16) {
  if (text.length <= longest) return [text];
  const blanks = [...text.matchAll(/\s/g)].map(({ index }) => index);
  if (blanks.length === 0) return [text];
  const middle = text.length / 2;
  const at = blanks.reduce((best, index) => (Math.abs(index - middle) < Math.abs(best - middle) ? index : best));
  return [text.slice(0, at), text.slice(at + 1)];
}
