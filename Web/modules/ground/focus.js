// Where the focus goes when what had it is gone: a keyboard would otherwise begin at the top of the page again.

// Whether a person goes by keyboard, as the browser sees it.
export const goesByKeys = () => document.activeElement?.matches(":focus-visible") ?? false;

export function loseFocus() {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

// To the first of these that is on the page and can be seen, at last to the panel; only when nothing has it.
export function keepFocus(...others) {
  if (document.activeElement && document.activeElement !== document.body) return;
  const next = others.find((other) => other?.isConnected && other.checkVisibility());
  (next ?? document.getElementById("panel")).focus({ preventScroll: true });
}
