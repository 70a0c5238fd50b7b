// Starts the service worker (worker.js beside index.html), by which the app opens while the server is away. Browsers
// have one over https, or on the machine itself.
const LATER = ["/modules/pages.js", "/modules/paint/painter.js", "/map/schema.json"];

// It begins after the first look, so as not to take its place; what came until then is kept as well.
export async function startWorker() {
  if (!navigator.serviceWorker) return;
  if (document.readyState !== "complete") {
    await new Promise((resolve) => addEventListener("load", resolve, { once: true }));
  }
  await new Promise((resolve) => setTimeout(resolve, 2000));
  try {
    await navigator.serviceWorker.register("/worker.js");
    const { active } = await navigator.serviceWorker.ready;
    const urls = performance.getEntriesByType("resource").map(({ name }) => name);
    active.postMessage({ keep: ["/", ...LATER, window.words.later || "/", ...urls] });
  } catch {
    // It is forbidden here; then the app opens with the server only.
  }
}
