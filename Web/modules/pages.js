// The pages that the first look at the map does not need; they are a script of their own (later.js).
import { openAccount } from "./account.js";
import { openFavourites } from "./favourites.js";
import { openNetworks } from "./networklist.js";
import { openPost } from "./postform.js";
import { openPosts } from "./posts.js";

export const pages = {
  account: openAccount, favourites: openFavourites, networks: openNetworks, post: openPost, posts: openPosts,
};
