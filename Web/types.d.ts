// What tsc does not know: of the browsers that Waymark is for, and of the page itself. See script/check.
declare const L: any; // Leaflet
declare const OffscreenCanvas: any;
type Coordinate = { latitude?: number, longitude?: number };
interface Window {
  L: any;
  begun: any; // ground/begin.js
  words: any; // ground/reader.js
}
interface PromiseConstructor {
  withResolvers<T>(): { promise: Promise<T>, resolve: (value?: T) => void, reject: (reason?: unknown) => void };
}
interface Array<T> {
  findLast(holds: (value: T) => boolean): T | undefined;
}
// What is found in the page are elements of HTML and SVG.
interface Element {
  dataset: DOMStringMap;
}
interface ChildNode {
  dataset: DOMStringMap;
}
interface EventTarget {
  closest?(selectors: string): Element | null;
}
