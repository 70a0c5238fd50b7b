import Bytes
import Crypto

/// Names a row that is new. It is no secret.
enum RandomID {
    /// 128 bits, in 22 characters.
    static func make() -> String { Base64URL.encode(RandomBytes.make(16)) }
}
