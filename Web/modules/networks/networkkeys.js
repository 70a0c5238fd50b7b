// The keys that the account has given to networks. The service gives none back: what is known is that there is one.
import { act, read, readOnce } from "../server/api.js";
import { t } from "../ground/text.js";

const SERVICE = "photos.v1.NetworkKeyService";

// What a key is called, what it opens, and where it comes from. `none` is said where there is no server that keys can
// be for; `isNamed` where people know the servers.
const TAKERS = {
  immich: {
    label: t("API key"), isNamed: true,
    give: t("Give your key"), another: t("Give another key"), keep: t("Keep the key"), kept: t("Your key is kept."),
    removed: t("Your key is removed."), notRemoved: t("Your key could not be removed."),
    about: t("Photos of your own library appear in your albums, and no other account sees them. The key is tried first,"
      + " then sealed; it is never shown again."),
    help: t("Immich makes one under “Account settings”, “API keys”, with the permissions asset.read and asset.view;"
      + " before Immich 2.6 also map.read."),
    none: t("The operator of this server names no Immich that keys can be for. The setting is --immich-servers"
      + " (WAYMARK_IMMICH_SERVERS)."),
  },
  instagram: {
    label: t("Access token"), isNamed: false,
    give: t("Give your token"), another: t("Give another token"), keep: t("Keep the token"),
    kept: t("Your token is kept."), removed: t("Your token is removed."),
    notRemoved: t("Your token could not be removed."),
    about: t("With a token of your own, each photo says whether you like it there. The token is tried first, then"
      + " sealed; it is never shown again."),
    help: t("This API is gone from the public: Instagram itself has ended it. The token is for the server that speaks"
      + " it here."),
    none: t("A token of your own can be given while this network is on."),
  },
};

// [{network, …its words, given: [{server, setTime, problem}], servers: ["https://photos.example.org"]}]:
// each network that takes keys of accounts.
export async function readKeys(troubled) {
  const { keys = [], servers = [] } = await read(`${SERVICE}/ListNetworkKeys`, {}, troubled);
  const of = (network, list) => list.filter((each) => each.network === network);
  return Object.entries(TAKERS).map(([network, words]) => ({
    network, ...words, given: of(network, keys), servers: of(network, servers).map(({ server }) => server),
  }));
}

// Asked once: what the network's server says is the answer.
export const setKey = (network, server, key) => readOnce(`${SERVICE}/SetNetworkKey`, { network, server, key });

export const deleteKey = (network, server) => act(`${SERVICE}/DeleteNetworkKey`, { network, server });
