// Sends a photo of one's own to the server, part by part. What the server has already, perhaps of an earlier visit, is
// not sent again.
import { LIMITS } from "../ground/limits.js";
import { read } from "./api.js";
import { sha256 } from "../ground/sha256.js";
import { t } from "../ground/text.js";

const SERVICE = "photos.v1.UploadService";
const PART = 512 * 1024;
export const LARGEST = LIMITS.StartUploadRequest.byteCount[1];

// Resolves with the photo; `progressed` is called with the part that has arrived, 0 to 1. The pin's album gets it; or
// `finish` makes a photo of the upload elsewhere. `troubled` and `signal` are those of `read`.
export async function upload(file, pinId, progressed, { finish, signal, troubled }) {
  const ask = (method, request) => read(`${SERVICE}/${method}`, request, troubled, signal);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const begun = await ask("StartUpload", {
    sha256: await sha256(bytes), byteCount: String(bytes.length), pinId,
  });
  if (begun.photo) return finish ? finish(begun.photo.id) : begun.photo;
  const { uploadId } = begun;
  let sent = Number(begun.receivedByteCount ?? 0);
  while (sent < bytes.length) {
    progressed(sent / bytes.length);
    const data = base64(bytes.subarray(sent, sent + PART));
    const answer = await ask("AddUploadPart", { uploadId, offset: String(sent), data });
    const received = Number(answer.receivedByteCount ?? 0);
    if (!(received > sent)) throw new Error(t("The server did not take the bytes."));
    sent = received;
  }
  progressed(1);
  return finish ? finish(uploadId) : (await ask("FinishUpload", { uploadId })).photo;
}

// As many characters at once as a call may have arguments.
const CHARACTERS = 8192;

export function base64(bytes) {
  let text = "";
  for (let start = 0; start < bytes.length; start += CHARACTERS) {
    text += String.fromCharCode(...bytes.subarray(start, start + CHARACTERS));
  }
  return btoa(text);
}
