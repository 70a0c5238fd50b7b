// Drops a pin in the middle of Helsinki, watches it turn green, opens its album and says where a picture is.
// For a browser; in Node take createConnectTransport of @connectrpc/connect-node.

import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { AlbumState } from "./gen/waymark/photos/v1/album_summary_pb";
import { PhotoService, PhotoState } from "./gen/waymark/photos/v1/photos_pb";
import { PinState } from "./gen/waymark/pins/v1/pin_state_pb";
import { PinService } from "./gen/waymark/pins/v1/pins_pb";

export async function walk(baseUrl = "http://127.0.0.1:7780"): Promise<string | undefined> {
  const transport = createConnectTransport({ baseUrl, useHttpGet: true });
  const pins = createClient(PinService, transport);
  const photos = createClient(PhotoService, transport);

  // The same requestId again would give the same pin: a call that was cut off may be retried.
  const position = { latitude: 60.1675, longitude: 24.943 };
  const { pin } = await pins.createPin({ position, radiusM: 300, requestId: crypto.randomUUID() });

  for await (const news of pins.watchPin({ id: pin!.id })) {
    console.log(news.pin?.name, news.pin && PinState[news.pin.state], news.pin?.placeCount);
    if (news.pin?.state === PinState.READY || news.pin?.state === PinState.FAILED) break;
  }

  const subject = `pin/${pin!.id}`;
  await photos.openAlbum({ subject });
  for await (const news of photos.watchAlbum({ subject })) {
    const photo = news.photos.find((photo) => photo.state === PhotoState.READY);
    // Signed, and good for an <img> as it is.
    if (photo) return baseUrl + photo.largeUrl;
    const state = news.album?.summary?.state;
    if (state === AlbumState.EMPTY || state === AlbumState.FAILED) return;
  }
}
