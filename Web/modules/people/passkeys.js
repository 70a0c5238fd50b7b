// Passkeys: what the server and the browser have to say to each other, so that one is made or logs in.
import { call } from "../ground/call.js";
import { device } from "../ground/device.js";
import { take } from "../server/session.js";
import { t } from "../ground/text.js";

export const PASSKEYS = "accounts.v1.PasskeyService";

// Asked once. Rejects as long as the server does not answer.
let options;

// Why there are none here, for people; undefined when there are.
export async function whyNoPasskeys() {
  options ??= call(`${PASSKEYS}/GetPasskeyOptions`).catch((error) => {
    options = undefined;
    throw error;
  });
  const { origin } = await options;
  if (!origin) return t("This server has no passkeys: it has to know its public address for that, by https.");
  if (origin !== location.origin) return t("Passkeys work at {origin} alone.", { origin });
  return window.PublicKeyCredential ? undefined : t("This browser has no passkeys.");
}

// Logs in, and resolves with the account; with undefined when the browser's question was closed.
export async function logInWithPasskey() {
  const { challenge, relyingPartyId } = await call(`${PASSKEYS}/BeginPasskeyLogIn`);
  const credential = await asked(navigator.credentials.get({
    publicKey: { challenge: bytes(challenge), rpId: relyingPartyId, userVerification: "required" },
  }));
  if (!credential) return undefined;
  const { rawId, response } = credential;
  const { session } = await call(`${PASSKEYS}/FinishPasskeyLogIn`, {
    challenge, credentialId: text(rawId), clientData: text(response.clientDataJSON),
    authenticatorData: text(response.authenticatorData), signature: text(response.signature),
    userHandle: text(response.userHandle ?? new ArrayBuffer(0)), device: device(),
  });
  return take(session);
}

// Makes one, and resolves with it; with undefined when a question was closed. Calls go by `send`. `logIn` is called
// when the last log-in is too long ago, and resolves with whether there was another.
export async function makePasskey(send, logIn) {
  const begin = () => send(`${PASSKEYS}/BeginPasskeyRegistration`);
  const asking = await begin().catch(async (error) => {
    if (error.code !== "failed_precondition") throw error;
    return await logIn() ? begin() : undefined;
  });
  if (!asking) return undefined;
  const credential = await asked(navigator.credentials.create({ publicKey: creation(asking) }));
  if (!credential) return undefined;
  const { clientDataJSON, attestationObject } = credential.response;
  const { passkey } = await send(`${PASSKEYS}/FinishPasskeyRegistration`, {
    challenge: asking.challenge, clientData: text(clientDataJSON), attestationObject: text(attestationObject),
    device: device(),
  });
  return passkey;
}

/** @type {(asked: any) => any} */
const creation = ({
  challenge, relyingPartyId, userHandle, userName, displayName, algorithms, knownIds = [],
}) => ({
  challenge: bytes(challenge),
  rp: { id: relyingPartyId, name: "Waymark" },
  user: { id: bytes(userHandle), name: userName, displayName: displayName ?? userName },
  pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
  excludeCredentials: knownIds.map((id) => ({ type: "public-key", id: bytes(id) })),
  authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
  attestation: "none",
});

const WORDS = {
  InvalidStateError: t("This device has a passkey for the account already."),
  SecurityError: t("The browser allows no passkeys at this address."),
  NotSupportedError: t("This device can't make such a passkey."),
};

// Undefined when a person has said no, or nothing, or could not show the device who they are.
async function asked(question) {
  try {
    return await question ?? undefined;
  } catch (error) {
    if (["NotAllowedError", "AbortError"].includes(error.name)) return undefined;
    const words = WORDS[error.name] ?? t("The browser could not do it.");
    throw Object.assign(new Error(words), { words });
  }
}

const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)));
