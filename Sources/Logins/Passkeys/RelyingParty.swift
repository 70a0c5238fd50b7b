internal import Crypto
package import Signatures

/// The site that passkeys are for, and what it demands of them. The checks follow the order of the standard: Web
/// Authentication, level 3 (https://www.w3.org/TR/webauthn-3/), sections 7.1 and 7.2.
package struct RelyingParty: Sendable {
    /// Bytes of an attestation object: those with a chain of certificates have a few thousand.
    static let longestObject = 64 << 10

    /// A domain. Passkeys are bound to it for good.
    private let id: String
    /// Where its pages come from, as browsers write it: "https://maps.example.org", with a port if it is not 443.
    private let origins: [String]
    /// The algorithms that were offered for new passkeys.
    private let offered: [SignatureAlgorithm]

    package init(
        id: String, origins: [String], offered: [SignatureAlgorithm] = [.es256, .edDSA, .rs256]
    ) {
        self.id = id
        self.origins = origins
        self.offered = offered
    }

    /// Checks a new passkey. Who made the authenticator is not asked: its statement about that is passed over.
    /// - Parameters:
    ///   - challenge: the one that was sent; good for this once.
    ///   - needsVerification: whether the user has to prove who they are to the authenticator.
    package func register(
        clientData: [UInt8], attestationObject: [UInt8], challenge: [UInt8], needsVerification: Bool
    ) throws(PasskeyError) -> NewPasskey {
        try ClientData.check(clientData, type: "webauthn.create", challenge: challenge, origins: origins)
        let data = try AuthenticatorData(reading: try Self.authenticatorData(in: attestationObject))
        try check(data, needsVerification)
        guard let credential = data.credential else { throw .noCredential }
        guard offered.contains(credential.key.algorithm) else {
            throw .algorithm(credential.key.algorithm.coseNumber)
        }
        return NewPasskey(
            id: credential.id, publicKey: credential.keyBytes, signCount: data.signCount,
            isBackupEligible: data.flags.contains(.backupEligible), isBackedUp: data.flags.contains(.backedUp))
    }

    /// Checks a login with a passkey that is known. The caller has found it by its id, and compares the user handle.
    package func logIn(
        clientData: [UInt8], authenticatorData: [UInt8], signature: [UInt8], challenge: [UInt8],
        passkey: KnownPasskey, needsVerification: Bool
    ) throws(PasskeyError) -> PasskeyLogin {
        let (key, count) = try COSEKey.read(passkey.publicKey[...])
        guard count == passkey.publicKey.count else { throw .key("bytes follow") }
        try ClientData.check(clientData, type: "webauthn.get", challenge: challenge, origins: origins)
        let data = try AuthenticatorData(reading: authenticatorData)
        try check(data, needsVerification)
        guard data.flags.contains(.backupEligible) == passkey.isBackupEligible else { throw .backupEligibility }
        // Over the bytes as they were received, not as they would be written here.
        let signed = authenticatorData + SHA256.digest(clientData)
        guard key.isSignature(signature, of: signed, ecdsa: .der) else { throw .signature }
        // Passkeys that are synchronized always say 0.
        guard data.signCount > passkey.signCount || data.signCount == 0 && passkey.signCount == 0 else {
            throw .counter(stored: passkey.signCount, received: data.signCount)
        }
        return PasskeyLogin(
            signCount: data.signCount, isBackedUp: data.flags.contains(.backedUp),
            isVerified: data.flags.contains(.userVerified))
    }

    private func check(_ data: AuthenticatorData, _ needsVerification: Bool) throws(PasskeyError) {
        guard data.relyingPartyHash.elementsEqual(SHA256.digest(Array(id.utf8))) else { throw .relyingParty }
        guard data.flags.contains(.userPresent) else { throw .userPresence }
        guard !needsVerification || data.flags.contains(.userVerified) else { throw .userVerification }
        guard data.flags.contains(.backupEligible) || !data.flags.contains(.backedUp) else { throw .backupState }
    }

    /// The one part of an attestation object that is used (section 6.5.4).
    private static func authenticatorData(in object: [UInt8]) throws(PasskeyError) -> [UInt8] {
        guard object.count <= longestObject else { throw .attestationObject("\(object.count) bytes are not allowed") }
        let value: CBOR
        do { value = try CBOR(reading: object) } catch { throw .attestationObject("it is no CBOR: \(error)") }
        guard let members = value.map, let format = members[.text("fmt")]?.text,
            let statement = members[.text("attStmt")], let data = members[.text("authData")]?.bytes
        else { throw .attestationObject("fmt, attStmt and authData are needed") }
        guard format != "none" || statement == .map([:]) else {
            throw .attestationObject("attStmt: with the format none it is empty")
        }
        return data
    }
}
