// Debian's Leaflet, as loaded by the scripts in index.html; its cluster plug-in can't be loaded as a module, since it
// modifies the global Leaflet.
export const L = window.L;
