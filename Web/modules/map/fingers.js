// Where a finger or the mouse is on the map. Leaflet asks the browser where the map itself is at each move of each
// finger, and the browser lays out the page for the answer, whose marks and tiles have just been moved: several times
// in each frame of a zoom. That changes with the window alone.
import { L } from "./leaflet.js";
import { map } from "./map.js";

let corner;

export function startFingers() {
  addEventListener("resize", () => { corner = undefined; });
  map.mouseEventToContainerPoint = ({ clientX, clientY }) => {
    corner ??= cornerOf(map.getContainer());
    return L.point(clientX - corner.x, clientY - corner.y);
  };
}

function cornerOf(container) {
  const { left, top } = container.getBoundingClientRect();
  return { x: left + container.clientLeft, y: top + container.clientTop };
}
