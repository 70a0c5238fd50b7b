// The lists of names that the page has fetched: {name, zoom: [from, to], labels}.
let lists = [];

export function useNames(next) {
  lists = next;
}

// Those of a list that there are for a zoom level: [name, latitude, longitude, rank, code], the most important first.
export const namesOf = (name, zoom) =>
  lists.filter((list) => list.name === name && list.zoom[0] <= zoom && zoom <= list.zoom[1])
    .flatMap(({ labels }) => labels);
