import Bytes
import Crypto
import Daemon

/// A secret that its owner sees once; only its digest is kept.
struct Secret: Sendable {
    let text: String
    let digest: [UInt8]

    /// The token of a session, or a key for programs.
    static func token(_ kind: BearerToken, _ deployment: DeploymentKey) -> Secret {
        let text = kind.make(deployment)
        return Secret(text: text, digest: SHA256.digest(Array(text.utf8)))
    }

    /// A code that people may have to type: 100 bits in groups of five characters.
    static func code() -> Secret {
        let characters = RandomBytes.make(20).map { Self.alphabet[Int($0 & 31)] }
        let groups = stride(from: 0, to: 20, by: 5).map { String(characters[$0..<$0 + 5]) }
        let text = groups.joined(separator: "-")
        return Secret(text: text, digest: Self.digest(code: text))
    }

    /// The digest of a code as someone typed it: upper or lower case, with or without hyphens, O for 0, I or L for 1.
    static func digest(code: String) -> [UInt8] {
        let plain = code.uppercased().unicodeScalars.compactMap { scalar -> Unicode.Scalar? in
            switch scalar {
            case "-", " ": nil
            case "O": "0"
            case "I", "L": "1"
            default: scalar
            }
        }
        return SHA256.digest(Array(String(String.UnicodeScalarView(plain)).utf8))
    }

    /// Crockford's base 32: digits and letters without I, L, O and U.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
}
