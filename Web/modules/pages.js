// The pages that the first look at the map does not need; they are a script of their own (later.js).
import { openAccount } from "./account.js";
import { openFavourites } from "./favourites.js";
import { firstStart } from "./firststart.js";
import { openSettings } from "./settingspage.js";
import { openPost } from "./postform.js";
import { openPosts } from "./posts.js";

export const dialogs = { firstStart };

export const pages = {
  account: openAccount, favourites: openFavourites, settings: openSettings, post: openPost, posts: openPosts,
};
