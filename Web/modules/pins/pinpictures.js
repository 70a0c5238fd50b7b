// How pins look, as one picture for each state, in the colours of the theme: marks that are pictures cost a browser a
// tenth of what as many drawings in the page do. CSS finds them as --pin-ready and so on.
import { drawing, drawings } from "../ground/icons.js";
import { map } from "../map/map.js";

// The states, and which of the page's colours each one has.
export const COLOUR_OF = {
  new: "new", partial: "partial", ready: "ready", gaps: "ready", bare: "ready", failed: "failed", unopened: "bare",
  waits: "bare",
};
export const DROP = "M17 43S3.5 28.6 3.5 17.2a13.5 13.5 0 0 1 27 0C30.5 28.6 17 43 17 43Z";

export async function drawPins() {
  draw();
  await drawings;
  draw();
  document.addEventListener("themechange", draw);
}

function draw() {
  const page = getComputedStyle(document.documentElement);
  const colour = (name) => page.getPropertyValue(`--${name}`).trim();
  const { style } = map.getContainer();
  for (const [key, name] of Object.entries(COLOUR_OF)) {
    // Until the drawings are there, a pin has none in its middle.
    const mark = document.querySelector(drawing(key))?.innerHTML ?? "";
    const picture = picturePin(mark, key, colour(name), colour("paper"));
    style.setProperty(`--pin-${key}`, `url("data:image/svg+xml,${encodeURIComponent(picture)}")`);
  }
}

// Of the server there is nothing yet: the edge is broken.
const picturePin = (mark, key, colour, paper) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 34 46">
<ellipse cx="17" cy="43" rx="6" ry="2.2" fill="#141e23" fill-opacity="0.22"/>
<path d="${DROP}" fill="${colour}" stroke-width="2" ${key === "waits"
    ? `fill-opacity="0.75" stroke="${colour}" stroke-dasharray="4 3"` : `stroke="${paper}"`}/>
<circle cx="17" cy="17" r="9.2" fill="${paper}"/>
<g color="${colour}" transform="translate(9.5 9.5) scale(0.625)">${mark}</g></svg>`;
