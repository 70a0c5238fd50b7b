internal import Refusals

/// Why a passkey is not taken. Each reads as a sentence for the log, and names the member of WebAuthn's answer.
package enum PasskeyError: Error, Equatable, CustomStringConvertible {
    case clientData(String)
    case type(String?)
    case challenge
    case origin(String?)
    /// A page of another origin had the page that asked in a frame.
    case crossOrigin
    case attestationObject(String)
    case authenticatorData(String)
    case relyingParty
    case userPresence
    case userVerification
    /// Backed up, without being eligible for it.
    case backupState
    /// Eligible for backup now, and not at the registration, or the other way round.
    case backupEligibility
    case noCredential
    case credentialID(Int)
    case key(String)
    case algorithm(Int64)
    case signature
    /// Not more than the stored one: somewhere may be a copy of the authenticator.
    case counter(stored: UInt32, received: UInt32)

    package var description: String {
        switch self {
        case .clientData(let problem): "clientDataJSON: \(problem)"
        case .type(let type): "clientDataJSON.type: \(type?.quoted ?? "none") is not allowed here"
        case .challenge: "clientDataJSON.challenge: it is not the one that was sent"
        case .origin(let origin): "clientDataJSON.origin: \(origin?.quoted ?? "none") is not one of ours"
        case .crossOrigin: "clientDataJSON.crossOrigin: the page was in a frame of another origin"
        case .attestationObject(let problem): "attestationObject: \(problem)"
        case .authenticatorData(let problem): "authenticatorData: \(problem)"
        case .relyingParty: "authenticatorData.rpIdHash: it is of another site"
        case .userPresence: "authenticatorData.flags: no user was present"
        case .userVerification: "authenticatorData.flags: the user was not verified, and has to be"
        case .backupState: "authenticatorData.flags: backed up, but not eligible for backup"
        case .backupEligibility: "authenticatorData.flags: the eligibility for backup has changed"
        case .noCredential: "authenticatorData: it has no credential"
        case .credentialID(let count):
            "authenticatorData.credentialId: \(count) bytes are not allowed; 1 to \(NewPasskey.longestID) are"
        case .key(let problem): "credentialPublicKey: \(problem)"
        case .algorithm(let number): "credentialPublicKey.alg: \(number) was not offered"
        case .signature: "signature: it is not of this passkey"
        case .counter(let stored, let received): "signCount: \(received) is not allowed; more than \(stored) is"
        }
    }
}
