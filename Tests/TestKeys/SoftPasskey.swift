internal import Bytes
internal import Crypto

/// A passkey without a device, and the browser that asks it. What it says can be changed before it says it.
package struct SoftPasskey: Sendable {
    package let key: SigningKey
    package var id: [UInt8] = Array(0..<16)
    package var site = "example.org"
    package var origin = "https://example.org"
    /// User present and verified.
    package var flags: UInt8 = 0x05
    package var signCount: UInt32 = 0
    /// Members at the end of clientDataJSON.
    package var more = #","crossOrigin":false"#
    package var type: String?
    /// CBOR behind the credential, with the flag 0x80.
    package var extensions: [UInt8] = []

    package init(_ key: SigningKey) { self.key = key }

    /// The public key as a COSE_Key.
    package var coseKey: [UInt8] {
        let parts = key.publicParts.map { CBORText.bytes($0) }
        let (type, algorithm, members): (Int, Int, [(Int, [UInt8])]) =
            switch key.kind {
            case .rsa: (3, -257, [(-1, parts[0]), (-2, parts[1])])
            case .p256: (2, -7, [(-1, CBORText.number(1)), (-2, parts[0]), (-3, parts[1])])
            case .ed25519: (1, -8, [(-1, CBORText.number(6)), (-2, parts[0])])
            }
        return CBORText.map(
            ([(1, CBORText.number(type)), (3, CBORText.number(algorithm))] + members).map {
                (CBORText.number($0.0), $0.1)
            })
    }

    /// clientDataJSON for a challenge.
    package func clientData(_ type: String, _ challenge: [UInt8]) -> [UInt8] {
        let type = self.type ?? type
        return Array(
            #"{"type":"\#(type)","challenge":"\#(Base64URL.encode(challenge))","origin":"\#(origin)"\#(more)}"#.utf8)
    }

    /// What it says when it is made.
    package func attestedData(key: [UInt8]? = nil) -> [UInt8] {
        let length = [UInt8(truncatingIfNeeded: id.count >> 8), UInt8(truncatingIfNeeded: id.count)]
        return authenticatorData(flags | 0x40, [UInt8](repeating: 7, count: 16) + length + id + (key ?? coseKey))
    }

    package func attestationObject(
        _ data: [UInt8]? = nil, format: String = "none", statement: [UInt8] = CBORText.map([])
    ) -> [UInt8] {
        CBORText.map([
            (CBORText.text("fmt"), CBORText.text(format)), (CBORText.text("attStmt"), statement),
            (CBORText.text("authData"), CBORText.bytes(data ?? attestedData())),
        ])
    }

    /// What it says at a login.
    package func loginData() -> [UInt8] { authenticatorData(flags, []) }

    /// The signature of a login.
    package func signature(of data: [UInt8], _ clientData: [UInt8]) throws -> [UInt8] {
        try key.signature(of: data + SHA256.digest(clientData))
    }

    private func authenticatorData(_ flags: UInt8, _ credential: [UInt8]) -> [UInt8] {
        let count = BigEndian.bytes(UInt64(signCount)).suffix(4)
        return SHA256.digest(Array(site.utf8)) + [flags] + count + credential + extensions
    }
}
