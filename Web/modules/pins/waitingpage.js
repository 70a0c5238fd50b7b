// The page of a pin that the server does not know yet: what can be done to it, and why nothing is around it so far.
import { onPins } from "./store.js";
import { showPanel } from "../map/panel.js";
import { pinHead } from "./pinhead.js";
import { nothing } from "../ground/states.js";
import { showPinOnMap } from "./surroundings.js";
import { t } from "../ground/text.js";

export function openWaiting({ pin: id }) {
  const head = pinHead(id, "places", () => surroundings.fit());
  const content = nothing(
    "waits", t("It waits for the server"),
    t("The pin is kept in this browser. It is sent as soon as the server answers; its places and photos come then."),
  );
  showPanel({ head: head.head, content, label: t("Places"), stand: "half" });
  const surroundings = showPinOnMap(id);
  const stop = onPins(({ changed }) => {
    if (!changed.has(id)) return;
    head.draw();
    surroundings.draw();
  });
  return {
    update: () => undefined,
    photos: () => undefined,
    placeName: () => "",
    close() {
      stop();
      surroundings.close();
    },
  };
}
