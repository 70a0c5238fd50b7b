// The drawings in the marks of named things on the map, 24 units wide, as lines.
const DRAWN = {
  airport: "M12 3v18M12 9l9 5M12 9l-9 5M12 18l3 2.5M12 18l-3 2.5",
  station: "M7 4h10a2 2 0 0 1 2 2v11H5V6a2 2 0 0 1 2-2ZM5 11.5h14M8 21l2-4M16 21l-2-4",
  bus: "M5 5h14v12H5ZM5 11.5h14M8 20.5V17M16 20.5V17",
  ferry: "M12 11V4M8 7h8M3.5 14l8.5-3.5 8.5 3.5-2.5 5.5H6Z",
  hospital: "M9.5 4h5v5.5H20v5h-5.5V20h-5v-5.5H4v-5h5.5Z",
  pharmacy: "M12 5v14M5 12h14",
  museum: "M3.5 9.5L12 4l8.5 5.5ZM6 10v8M10 10v8M14 10v8M18 10v8M3.5 20.5h17",
  castle: "M4.5 20V5h3v3h3V5h3v3h3V5h3v15ZM10.5 20v-5h3v5",
  attraction: "M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9L3.5 9.7l5.9-.8Z",
  theatre: "M5 5h14v7a7 7 0 0 1-14 0ZM9 9.5v.1M15 9.5v.1M9 13.5q3 3 6 0",
  library: "M12 6.5c-3-2-6-2-8-1v12.5c2-1 5-1 8 1 3-2 6-2 8-1V5.5c-2-1-5-1-8 1ZM12 6.5V19",
  sport: "M12 4a8 8 0 1 0 .01 0ZM4 12h16M12 4v16",
  town_hall: "M7 21V4h11l-3 4 3 4H7",
  worship: "M12 3l5.5 7V20h-11V10ZM12 14.5V20",
  school: "M2.5 9.5L12 5l9.5 4.5L12 14ZM6.5 11.5v4.5c3 3 8 3 11 0v-4.5",
  viewpoint: "M2.5 12c5-7.5 14-7.5 19 0-5 7.5-14 7.5-19 0ZM12 9.5a2.5 2.5 0 1 0 .01 0Z",
  camp: "M3 20L12 5l9 15ZM12 13l-3.5 7M12 13l3.5 7",
  hotel: "M4 18.5V6.5M4 14.5h16v4M20 14.5V12a3 3 0 0 0-3-3h-6.5v5.5",
  shop: "M5 8.5h14l-1 12H6ZM8.5 11V7.5a3.5 3.5 0 0 1 7 0V11",
  food: "M7.5 4v5.5a2.5 2.5 0 0 0 5 0V4M10 12v8.5M17 4c-2.5 3-2.5 7 0 9v7.5",
  cafe: "M5 8.5h11V14a4 4 0 0 1-4 4H9a4 4 0 0 1-4-4ZM16 10h1.5a2.3 2.3 0 0 1 0 4.6H16M5 21h11",
  bar: "M5 4.5h14l-7 8ZM12 12.5V20M8 20h8",
  monument: "M9 19.5l1-13 2-3 2 3 1 13ZM6 20h12",
  post: "M4 6h16v12H4ZM4 7l8 6.5L20 7",
  bank: "M12 4a8 8 0 1 0 .01 0ZM12 8v8M9 12h6",
  fuel: "M5 20V5h8v15M4 20h10M13 10.5h2.5V17a1.5 1.5 0 0 0 3 0V9l-3-3",
  parking: "M8.5 20V4.5h4.5a4.8 4.8 0 0 1 0 9.6H8.5",
};
const paths = new Map();

export function iconPath(name) {
  if (!paths.has(name)) paths.set(name, new Path2D(DRAWN[name]));
  return paths.get(name);
}
