// What the first look at the map does not need: pages, and what the search field does. It is a script of its own
// (later.js).
import { openAccount } from "./account.js";
import { openAlbum } from "./album.js";
import { openAround } from "./around.js";
import { startCrowd } from "./crowd.js";
import { openFavourites } from "./favourites.js";
import { firstStart } from "./firststart.js";
import { startLayers } from "./layers.js";
import { openList } from "./listpage.js";
import { openLists } from "./listspage.js";
import { mapMarks, startMarks } from "./mapmarks.js";
import { pinLists } from "./pinlists.js";
import { openSettings } from "./settingspage.js";
import { nearPins } from "./nearpins.js";
import { importPins } from "./pinimport.js";
import { pinNote } from "./pinnote.js";
import { openPost } from "./postform.js";
import { openPosts } from "./posts.js";
import { search } from "./search.js";
import { openPlaces } from "./places.js";
import { openWaiting } from "./waitingpage.js";
import { shares } from "./share.js";
import { openShared } from "./sharedpage.js";
import { openSharedWithMe } from "./sharedwithme.js";
import { placeStar } from "./stars.js";

export const pages = {
  account: openAccount, album: openAlbum, around: openAround, favourites: openFavourites, settings: openSettings,
  places: openPlaces, waiting: openWaiting, post: openPost, posts: openPosts,
  lists: (route) => (route.list ? openList(route) : openLists()), search, firstStart, importPins,
  mapMarks, nearPins, pinLists, pinNote, placeStar,
  shared: (route) => (route.shared ? openShared(route) : openSharedWithMe()), shares,
  startCrowd, startLayers, startMarks,
};
