// Deleting a pin. It disappears from the page at once, and is deleted on the server when Undo was not pressed for some
// seconds, or when the page is left. Until then it is unchanged on the server: after Undo it still has its places and
// its album, and other windows show it all the time.
import { change, leave } from "../server/api.js";
import { goesByKeys, keepFocus } from "../ground/focus.js";
import { markerOf } from "./pins.js";
import { complain, notice } from "../ground/notices.js";
import { dropPin, hidePin, pinOf, unhidePin } from "./store.js";
import { t } from "../ground/text.js";

const METHOD = "pins.v1.PinService/DeletePin";
const waiting = new Set();

export function deletePin(id, pin = pinOf(id)) {
  if (!pin) return;
  waiting.add(id);
  const isNext = goesByKeys();
  hidePin(id);
  const undo = { label: t("Undo"), run: () => bringBack(id), isNext };
  notice(t("{name} is deleted", { name: pin.name }), undo, () => remove(id));
  keepFocus();
}

function bringBack(id) {
  if (!waiting.delete(id)) return;
  if (!unhidePin(id)) notice(t("It was deleted elsewhere, too"));
  keepFocus(markerOf(id)?.getElement());
}

async function remove(id) {
  if (!waiting.delete(id)) return;
  try {
    const { waits } = await change(METHOD, { id });
    // What waits hides it from here on.
    if (waits) return unhidePin(id);
  } catch (error) {
    if (error.code !== "not_found") {
      unhidePin(id);
      return complain(t("The pin could not be deleted."), error);
    }
  }
  dropPin(id);
  unhidePin(id);
}

// Deletes what can still be undone, before another account has the page.
export const finishDeletions = () => Promise.all([...waiting].map(remove));

addEventListener("pagehide", () => {
  for (const id of waiting) leave(METHOD, { id });
  waiting.clear();
});
