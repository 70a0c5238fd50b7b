import Bytes
import Crypto
import Daemon

/// The last part of a share's link: the share's id and a code that only this deployment can make. So the links
/// themselves need not be stored, and one that was guessed costs no look into the database.
enum ShareToken {
    private static let idLength = 16
    private static let codeLength = HMAC.shortLength
    /// What is signed begins so; no message of protobuf does.
    private static let purpose = Array("waymark share\n".utf8)

    static func newID() -> String { Base64URL.encode(RandomBytes.make(idLength)) }

    static func make(_ id: String, _ key: DeploymentKey) -> String {
        let bytes = Base64URL.decode(id) ?? []
        return Base64URL.encode(bytes + key.shortSign(purpose + bytes))
    }

    /// The id in a token; nil unless this deployment has made it.
    static func id(in token: String, _ key: DeploymentKey) -> String? {
        guard token.utf8.count <= 64, let bytes = Base64URL.decode(token),
            bytes.count == idLength + codeLength,
            key.shortVerify(Array(bytes.suffix(codeLength)), of: purpose + bytes.prefix(idLength))
        else { return nil }
        return Base64URL.encode(Array(bytes.prefix(idLength)))
    }
}
