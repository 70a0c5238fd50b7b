// The pins of an account that has too many for a page: the server counts them, and those that stand alone are pins.
import { L } from "../map/leaflet.js";
import { latLng, map } from "../map/map.js";
import { crowdIcon, nameCluster, pinMarker } from "./pinmark.js";
import { drawAlone } from "./pins.js";
import { openCluster } from "../map/sight.js";
import { isHiddenPin, onPins } from "./store.js";
import { keepNear, letGo, near } from "../map/turns.js";
import { viewport } from "../map/viewport.js";
import { shortNumber } from "../ground/words.js";

export function startCrowd() {
  const layer = L.layerGroup().addTo(map);
  const drawn = new Map();
  // When the service does not answer, the marks stay as they are.
  const { again } = viewport(() => ["pins"], ({ pins = [], branches }) => branches?.[0]?.code || draw(pins));
  onPins(again);

  function draw(clusters) {
    const several = new Map(clusters.filter(({ mark }) => !mark).map((cluster) => [keyOf(cluster), cluster]));
    for (const [key, marker] of drawn) {
      if (several.has(key)) continue;
      letGo(marker.remove());
      drawn.delete(key);
    }
    for (const [key, cluster] of several) if (!drawn.has(key)) drawn.set(key, put(cluster));
    drawAlone(clusters.filter(({ mark }) => mark && !isHiddenPin(mark.id)).map(pinOfMark));
  }

  function put(cluster) {
    const marker = pinMarker(near(latLng(cluster.position)), { icon: crowdIcon(cluster.count) });
    const open = () => openCluster(cluster);
    marker.on("click", open);
    marker.on("keypress", ({ originalEvent }) => originalEvent.key === "Enter" && open());
    return keepNear(nameCluster(marker, shortNumber(cluster.count))).addTo(layer);
  }
}

const keyOf = ({ count, position }) => JSON.stringify([count, position]);

// As much of a pin as its mark shows.
const pinOfMark = ({ mark, position }) => ({ ...mark, position, generation: mark.unopened ? undefined : "1" });
