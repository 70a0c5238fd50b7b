import Crypto
import RPC

/// A client's token, and the digest by which it is looked up: computed once for each request.
struct ClientToken: Sendable {
    let text: String
    /// Its SHA-256; empty for a text that is too short or too long for a token.
    let digest: [UInt8]

    init(_ text: String) { self.init(text, digest: Self.digest(text)) }

    /// That of a call.
    init(_ context: CallContext) {
        let (text, digest) = (context.token, context.tokenDigest)
        self.init(text, digest: digest.isEmpty ? Self.digest(text) : digest)
    }

    private init(_ text: String, digest: [UInt8]) {
        self.text = text
        self.digest = digest
    }

    private static func digest(_ text: String) -> [UInt8] {
        AccessTokens.lengths.contains(text.utf8.count) ? SHA256.digest(Array(text.utf8)) : []
    }

    var isEmpty: Bool { text.isEmpty }
}
