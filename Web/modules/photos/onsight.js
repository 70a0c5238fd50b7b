// Small pictures are asked for when they are seen, a few at a time: one may have to be made first, and a browser that
// waits for six pictures of a server by HTTP/1.1 asks it for nothing else. By HTTP/2 it waits for none: there 34
// pictures with 154 kB are there after 1.1 s on slow 4G, with four at a time after 1.8 s; their bytes alone would
// take 0.9 s. One that does not come is asked for again later.
const AT_ONCE = isOneConnection() ? 12 : 4;
// After how many milliseconds, in turn; then it is given up.
const AGAIN = [6_000, 20_000, 60_000];

/** @type {WeakMap<HTMLImageElement, {url: string, gone: () => void, tries: number, isBusy: boolean}>} */
const wishes = new WeakMap();
/** @type {Set<HTMLImageElement>} */
const seen = new Set();
let coming = 0;

const watcher = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    const image = /** @type {HTMLImageElement} */ (target);
    if (isIntersecting && wishes.has(image)) seen.add(image);
    else seen.delete(image);
  }
  next();
});

function isOneConnection() {
  const [page] = performance.getEntriesByType("navigation");
  return ["h2", "h3"].includes(/** @type {any} */ (page)?.nextHopProtocol);
}

// Fills an image, when it is on the page; `gone()` is called if its picture can't be had.
export function askOnSight(image, url, gone) {
  wishes.set(image, { url, gone, tries: 0, isBusy: false });
  watcher.observe(image);
}

// It is not wanted any more.
export function forget(image) {
  wishes.delete(image);
  seen.delete(image);
  watcher.unobserve(image);
}

function next() {
  for (const image of seen) {
    if (coming >= AT_ONCE) return;
    if (!wishes.get(image).isBusy) ask(image);
  }
}

function ask(image) {
  const wish = wishes.get(image);
  wish.isBusy = true;
  coming += 1;
  image.classList.add("asked");
  const over = (then) => () => {
    coming -= 1;
    image.classList.remove("asked");
    if (wishes.get(image) === wish) then();
    next();
  };
  image.onload = over(() => forget(image));
  image.onerror = over(() => {
    const wait = AGAIN[wish.tries];
    wish.tries += 1;
    if (!wait) {
      forget(image);
      wish.gone();
      return;
    }
    setTimeout(() => {
      wish.isBusy = false;
      next();
    }, wait);
  });
  image.src = wish.url;
}
