// The networks that places, photos and maps come from: what both services say of them, and switching them on and off.
import { act, read } from "../server/api.js";
import { choices, choose, isChosen } from "../server/choices.js";
import { readKeys } from "./networkkeys.js";
import { t } from "../ground/text.js";
import { listed, networkName, plain } from "../ground/words.js";

const SERVICES = [
  { list: "places.v1.PlacesService/ListNetworks", turn: "places.v1.PlacesService/SwitchNetwork" },
  { list: "photos.v1.PhotoNetworkService/ListPhotoNetworks", turn: "photos.v1.PhotoNetworkService/SwitchPhotoNetwork" },
];

// What no network ever learns.
export const NEVER = t("What never leaves this server: where exactly a pin is, its name, and your own pictures.");

// {networks, canSwitch}: all networks that can be asked or could be, by name, and what the account has chosen. One that
// both services ask is one here, with what each says as a part. `troubled` is called with the reason why there is no
// answer yet.
export async function readNetworks(troubled) {
  const [chosen, ...answers] = await Promise.all([
    choices(troubled), ...SERVICES.map(({ list }) => read(list, {}, troubled)),
  ]);
  const byName = new Map();
  answers.forEach(({ networks = [] }, index) => {
    for (const info of networks) {
      const parts = byName.get(info.name) ?? [];
      byName.set(info.name, [...parts, { ...info, turn: SERVICES[index].turn }]);
    }
  });
  const networks = inOrder([...byName].map(([name, parts]) => summary(name, parts, isChosen(chosen, name))));
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
    known.push({
      ...summary(each.network, [], true), gives: ["photos"], isAvailable: each.servers.length > 0, keys: each,
    });
  }
  return { networks: inOrder(known), canSwitch };
}

// It has a part for keys when it is here, or was.
function keysOf(keys, network) {
  const own = keys.find((each) => each.network === network.name);
  return own && (network.isAvailable || own.given.length > 0) ? own : undefined;
}

// What comes from this server itself is no one else's, and has no switch of its own.
function summary(name, parts, isChosen) {
  const available = parts.filter((part) => part.available);
  const isOn = parts.some((part) => part.on);
  return {
    name, parts, isOn, isChosen,
    isAsked: isOn && isChosen,
    isAvailable: available.length > 0,
    isOurs: parts.length > 0 && parts.every((part) => !part.live),
    gives: parts.flatMap((part) => part.gives ?? []),
    needsContact: available.some((part) => part.needsContact),
    learns: parts.map((part) => part.sends).find(Boolean) ?? "",
    attribution: [...new Set(parts.map((part) => part.attribution).filter(Boolean))].join(" · "),
  };
}

// Whether the account's own searches ask a network.
export const chooseNetwork = (network, on) => choose({ [on ? "enableNetworks" : "disableNetworks"]: [network.name] });

const GIVES = { places: t("Places"), photos: t("Photos"), maps: t("Streets on the map, anywhere") };
const ALSO = { places: t("places"), photos: t("photos"), maps: t("streets on the map, anywhere") };

// "Places and photos", or what of this server it is.
export function aboutNetwork(network) {
  if (network.name === "catalog") return t("Places that this server has imported");
  if (network.name === "folder") return t("Photos from a folder of this server");
  return listed.format(network.gives.map((each, at) => (at === 0 ? GIVES : ALSO)[each] ?? each));
}

// Switches a network at each service that has it. The same request may be made again: it has no other effect.
export async function switchNetwork(network, on, contact = "") {
  for (const { turn, available } of network.parts) {
    if (available && !network.isOurs) await act(turn, { network: network.name, on, contact });
  }
  document.dispatchEvent(new Event("networkschange"));
}


// What one learns, or several alike do, in the server's own sentence.
export const learntBy = ({ learns }, areMany = false) =>
  plain(areMany ? learns.replace(/^It learns/, "They learn") : learns, "");

export const namesOf = (networks) => listed.format(networks.map(({ name }) => networkName(name)));
