internal import Bytes
internal import Signatures

/// What an authenticator says, and signs (WebAuthn, section 6.1).
///
///     rpIdHash 32 | flags 1 | signCount 4 | if AT: aaguid 16, length 2, credentialId, COSE_Key | if ED: map of CBOR
struct AuthenticatorData {
    struct Flags: OptionSet {
        let rawValue: UInt8

        static let userPresent = Flags(rawValue: 0x01)
        static let userVerified = Flags(rawValue: 0x04)
        static let backupEligible = Flags(rawValue: 0x08)
        static let backedUp = Flags(rawValue: 0x10)
        static let hasCredential = Flags(rawValue: 0x40)
        static let hasExtensions = Flags(rawValue: 0x80)
    }

    /// A credential that was just made (section 6.5.1).
    struct Credential {
        let id: [UInt8]
        let key: PublicKey
        /// The key as it was received.
        let keyBytes: [UInt8]
    }

    private static let headLength = 37
    private static let aaguidLength = 16

    let relyingPartyHash: ArraySlice<UInt8>
    let flags: Flags
    let signCount: UInt32
    let credential: Credential?

    init(reading bytes: [UInt8]) throws(PasskeyError) {
        guard bytes.count >= Self.headLength else {
            throw .authenticatorData("\(bytes.count) bytes are not allowed; at least \(Self.headLength) are")
        }
        relyingPartyHash = bytes[..<32]
        flags = Flags(rawValue: bytes[32])
        signCount = UInt32(truncatingIfNeeded: BigEndian.number(bytes[33..<37]))
        var rest = bytes.dropFirst(Self.headLength)
        credential = flags.contains(.hasCredential) ? try Self.credential(&rest) : nil
        if flags.contains(.hasExtensions) {
            var reader = CBORReader(rest)
            do {
                guard try reader.value().map != nil else { throw CBORError.label }
            } catch {
                throw .authenticatorData("the extensions are no map: \(error)")
            }
            rest = reader.rest
        }
        guard rest.isEmpty else { throw .authenticatorData("\(rest.count) bytes follow") }
    }

    private static func credential(_ rest: inout ArraySlice<UInt8>) throws(PasskeyError) -> Credential {
        rest = rest.dropFirst(aaguidLength)
        guard rest.count >= 2 else { throw .authenticatorData("it is cut short") }
        let length = Int(BigEndian.number(rest.prefix(2)))
        guard (1...NewPasskey.longestID).contains(length) else { throw .credentialID(length) }
        rest = rest.dropFirst(2)
        guard rest.count > length else { throw .authenticatorData("it is cut short") }
        let id = Array(rest.prefix(length))
        rest = rest.dropFirst(length)
        let (key, count) = try COSEKey.read(rest)
        let keyBytes = Array(rest.prefix(count))
        rest = rest.dropFirst(count)
        return Credential(id: id, key: key, keyBytes: keyBytes)
    }
}
