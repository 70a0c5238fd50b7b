// The networks of places that are asked when one looks, as far as they are on and searches of the account ask them.
import { read } from "../server/api.js";
import { choices, isChosen } from "../server/choices.js";

// Their names; none while that is not known.
export async function liveNetworks() {
  try {
    const [{ networks = [] }, chosen] = await Promise.all([read("places.v1.PlacesService/ListNetworks"), choices()]);
    const isAsked = ({ name, live, on, gives = [] }) =>
      live && on && gives.includes("places") && isChosen(chosen, name);
    return networks.filter(isAsked).map(({ name }) => name);
  } catch {
    return [];
  }
}
