// What the account has chosen: the networks that its searches ask, units, the language of names, and what the map
// shows first.
import { act, read } from "./api.js";
import { setNameLanguage } from "../ground/language.js";
import { setUnits } from "../ground/words.js";

const SERVICE = "accounts.v1.SettingsService";
const listeners = new Set();
let asked;

// Resolves with the settings; asked for once.
export function choices(troubled) {
  asked ??= read(`${SERVICE}/GetSettings`, {}, troubled).then(take, (error) => {
    asked = undefined;
    throw error;
  });
  return asked;
}

// Changes some, and resolves with all.
export async function choose(update) {
  const settings = take(await act(`${SERVICE}/UpdateSettings`, update));
  asked = Promise.resolve(settings);
  for (const listener of listeners) listener(settings);
  return settings;
}

export const onChoices = (listener) => listeners.add(listener);

// Whether searches of the account ask a network.
export const isChosen = ({ allNetworks, networks = [] }, name) => allNetworks === true || networks.includes(name);

function take({ settings }) {
  setUnits(settings.units);
  setNameLanguage(settings.language);
  return settings;
}
