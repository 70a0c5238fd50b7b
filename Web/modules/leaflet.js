// Debian's Leaflet as the scripts in index.html leave it; its cluster plug-in can't be loaded as a module, since it
// wants to add to Leaflet itself.
export const L = window.L;
