// The networks that places and photos come from: what both services say of them, and switching them on and off.
import { read } from "./api.js";
import { readKeys } from "./networkkeys.js";
import { networkName } from "./words.js";

const SERVICES = [
  { list: "places.v1.PlacesService/ListNetworks", turn: "places.v1.PlacesService/SwitchNetwork" },
  { list: "photos.v1.PhotoNetworkService/ListPhotoNetworks", turn: "photos.v1.PhotoNetworkService/SwitchPhotoNetwork" },
];

// What no network ever learns.
export const NEVER = "What never leaves this server: where exactly a pin is, its name, and your own pictures.";

// {networks, canSwitch}: all networks that can be asked or could be, by name. One that both services ask is one here,
// with what each says as a part. `troubled` is called with the reason why there is no answer yet.
export async function readNetworks(troubled) {
  const answers = await Promise.all(SERVICES.map(({ list }) => read(list, {}, troubled)));
  const byName = new Map();
  answers.forEach(({ networks = [] }, index) => {
    for (const info of networks) {
      if (!info.live) continue;
      const parts = byName.get(info.name) ?? [];
      byName.set(info.name, [...parts, { ...info, turn: SERVICES[index].turn }]);
    }
  });
  const networks = inOrder([...byName].map(([name, parts]) => summary(name, parts)));
  return { networks, canSwitch: answers.every(({ canSwitch }) => canSwitch) };
}

function inOrder(networks) {
  const order = (network) => `${network.isAvailable ? 0 : 1}${networkName(network.name)}`;
  return networks.sort((one, other) => order(one).localeCompare(order(other)));
}

// The same with the keys that the account has given: those of a network that takes some are its `keys`. One that both
// services know nothing of is opened by keys alone.
export async function readNetworksAndKeys(troubled) {
  const [{ networks, canSwitch }, keys] = await Promise.all([readNetworks(troubled), readKeys(troubled)]);
  const known = networks.map((network) => ({ ...network, keys: keysOf(keys, network) }));
  for (const each of keys) {
    if (known.some(({ name }) => name === each.network)) continue;
    known.push({ ...summary(each.network, []), gives: ["photos"], isAvailable: each.servers.length > 0, keys: each });
  }
  return { networks: inOrder(known), canSwitch };
}

// It has a part for keys when it is here, or was.
function keysOf(keys, network) {
  const own = keys.find((each) => each.network === network.name);
  return own && (network.isAvailable || own.given.length > 0) ? own : undefined;
}

function summary(name, parts) {
  const available = parts.filter((part) => part.available);
  return {
    name, parts,
    isAvailable: available.length > 0,
    isOn: parts.some((part) => part.on),
    gives: parts.flatMap((part) => part.gives ?? []),
    needsContact: available.some((part) => part.needsContact),
    learns: parts.map((part) => part.sends).find(Boolean) ?? "",
    attribution: [...new Set(parts.map((part) => part.attribution).filter(Boolean))].join(" · "),
  };
}

// Switches a network at each service that has it. The same request may be made again: it has no other effect.
export async function switchNetwork(network, on, contact = "") {
  for (const { turn, available } of network.parts) {
    if (available) await read(turn, { network: network.name, on, contact });
  }
}

export const listed = new Intl.ListFormat("en", { type: "conjunction" });
export const namesOf = (networks) => listed.format(networks.map(({ name }) => networkName(name)));
