// A finger that moves a picture aside leads to the next one, and one that pulls it down closes it. The picture follows
// the finger, and goes back when it was not moved far enough.

// Below it a finger only taps; from there on it is a swipe of its direction.
const [BEGINS, ASIDE, DOWN] = [10, 56, 96];

// `may()` says whether the picture is as large as the page; `ended(by)` is called with -1 or 1 for the photo before or
// behind, with 0 to close.
export function swipeable(stage, { may, ended }) {
  let from; // Where the finger was, and the direction, once there is one.

  const follow = (x, y) => { stage.style.translate = x || y ? `${x}px ${y}px` : ""; };

  function stop() {
    from = undefined;
    stage.classList.remove("swiped");
    follow(0, 0);
  }

  stage.addEventListener("pointerdown", (event) => {
    // A second finger zooms.
    if (from || event.pointerType === "mouse" || !may()) return stop();
    from = { x: event.clientX, y: event.clientY, id: event.pointerId, direction: "" };
  });

  stage.addEventListener("pointermove", (event) => {
    if (event.pointerId !== from?.id) return;
    const [x, y] = [event.clientX - from.x, event.clientY - from.y];
    if (!from.direction && Math.hypot(x, y) > BEGINS) from.direction = Math.abs(x) > Math.abs(y) ? "aside" : "down";
    stage.classList.toggle("swiped", from.direction !== "");
    if (from.direction === "aside") follow(x, 0);
    else if (from.direction === "down") follow(0, Math.max(0, y));
  });

  stage.addEventListener("pointerup", (event) => {
    if (event.pointerId !== from?.id) return;
    const { direction, x, y } = from;
    stop();
    if (direction === "aside" && Math.abs(event.clientX - x) > ASIDE) ended(event.clientX > x ? -1 : 1);
    else if (direction === "down" && event.clientY - y > DOWN) ended(0);
  });

  stage.addEventListener("pointercancel", stop);
}
