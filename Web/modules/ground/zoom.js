// Zoom and pan of a picture: wheel, two fingers, double tap, drag. The numbers are a scale and where the picture's
// corner is; the point below the pointer stays where it is.
const LARGEST = 8;
const MOVED = 10;
// The picture may follow the finger.
const onScreen = ({ clientX, clientY }) => ({ x: clientX, y: clientY });
const apart = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

export function zoomable(stage) {
  let scale = 1;
  let x = 0;
  let y = 0;
  const fingers = new Map();
  let lastTap = -Infinity;
  let pressed; // Where.

  function apply() {
    const { width, height } = stage.getBoundingClientRect();
    x = Math.min(0, Math.max(width * (1 - scale), x));
    y = Math.min(0, Math.max(height * (1 - scale), y));
    for (const picture of stage.querySelectorAll("img, canvas")) {
      picture.style.transform = scale === 1 ? "" : `translate(${x}px, ${y}px) scale(${scale})`;
    }
    stage.classList.toggle("zoomed", scale > 1);
    stage.dataset.scale = scale.toFixed(2);
  }

  function zoomTo(wanted, atX, atY) {
    const next = Math.min(LARGEST, Math.max(1, wanted));
    x = atX - ((atX - x) / scale) * next;
    y = atY - ((atY - y) / scale) * next;
    scale = next;
    apply();
  }

  const place = (event) => {
    const { left, top } = stage.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };

  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    const at = place(event);
    zoomTo(scale * Math.exp(-event.deltaY / 300), at.x, at.y);
  }, { passive: false });

  stage.addEventListener("pointerdown", (event) => {
    if (event.target.closest("button, a")) return;
    stage.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, place(event));
    if (fingers.size > 1) return;
    const now = performance.now();
    const at = place(event);
    if (now - lastTap < 320) zoomTo(scale > 1.05 ? 1 : 2.5, at.x, at.y);
    pressed = onScreen(event);
  });

  // A finger that has moved has not tapped.
  stage.addEventListener("pointerup", (event) => {
    lastTap = pressed && apart(pressed, onScreen(event)) < MOVED ? performance.now() : -Infinity;
  });

  stage.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = place(event);
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    fingers.set(event.pointerId, now);
    x += (now.x - before.x) / fingers.size;
    y += (now.y - before.y) / fingers.size;
    if (other) {
      zoomTo((scale * apart(now, other)) / (apart(before, other) || 1), (now.x + other.x) / 2, (now.y + other.y) / 2);
    } else apply();
  });

  for (const name of ["pointerup", "pointercancel"]) {
    stage.addEventListener(name, (event) => fingers.delete(event.pointerId));
  }

  return {
    isIn: () => scale > 1,
    by(factor) {
      const { width, height } = stage.getBoundingClientRect();
      zoomTo(scale * factor, width / 2, height / 2);
    },
    reset() {
      scale = 1;
      apply();
    },
  };
}
