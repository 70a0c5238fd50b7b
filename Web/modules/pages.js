// What the first look at the map does not need: pages, and what the search field does. It is a script of its own
// (later.js).
import { openAccount } from "./people/account.js";
import { openAlbum } from "./pins/album.js";
import { openAround } from "./search/around.js";
import { startCrowd } from "./pins/crowd.js";
import { openFavourites } from "./places/favourites.js";
import { firstStart } from "./settings/firststart.js";
import { drawTracks } from "./tracks/tracklines.js";
import { trackRows } from "./tracks/trackrows.js";
import { startLayers } from "./lists/layers.js";
import { openLeftOut } from "./photos/leftout.js";
import { openList } from "./lists/listpage.js";
import { openLists } from "./lists/listspage.js";
import { mapMarks, startMarks } from "./search/mapmarks.js";
import { pinLists } from "./lists/pinlists.js";
import { openSettings } from "./settings/settingspage.js";
import { nearPins } from "./search/nearpins.js";
import { importPins } from "./files/pinimport.js";
import { pinNote } from "./pins/pinnote.js";
import { openPost } from "./people/postform.js";
import { openPosts } from "./people/posts.js";
import { search } from "./search/search.js";
import { openPlaces } from "./pins/places.js";
import { openWaiting } from "./pins/waitingpage.js";
import { shares } from "./sharing/share.js";
import { openShared } from "./sharing/sharedpage.js";
import { openSharedWithMe } from "./sharing/sharedwithme.js";
import { placeStar } from "./places/stars.js";

export const pages = {
  account: openAccount, album: openAlbum, around: openAround, favourites: openFavourites, settings: openSettings,
  leftout: openLeftOut,
  places: openPlaces, waiting: openWaiting, post: openPost, posts: openPosts,
  lists: (route) => (route.list ? openList(route) : openLists(trackRows())), search, firstStart, importPins,
  mapMarks, nearPins, pinLists, pinNote, placeStar,
  shared: (route) => (route.shared ? openShared(route) : openSharedWithMe()), shares,
  drawTracks, startCrowd, startLayers, startMarks,
};
