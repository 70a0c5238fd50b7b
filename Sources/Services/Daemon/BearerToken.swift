import Bytes
import Crypto

/// The token of a session or of a key for programs: 256 random bits, and 128 bits that show that this deployment made
/// it. So a gateway asks about no token that was made up, and a stranger can't keep its questions busy.
package enum BearerToken: String, CaseIterable, Sendable {
    case session = "wms_"
    case key = "wmk_"

    private static let randomLength = 32
    private static let prefixLength = 4
    /// Characters of a token: the prefix, and 48 bytes in base64url.
    private static let length = prefixLength + (randomLength + HMAC.shortLength) * 4 / 3

    /// A new one.
    package func make(_ deployment: DeploymentKey) -> String {
        let random = RandomBytes.make(Self.randomLength)
        return rawValue + Base64URL.encode(random + deployment.shortSign(proven(random)))
    }

    /// What a text is written as; nil when it is neither.
    package static func kind(of text: String) -> BearerToken? {
        text.utf8.count == length ? allCases.first { text.begins(with: $0.rawValue) } : nil
    }

    /// Whether this deployment has made it; whose it is, and whether it has ended, only the pin service knows.
    package static func isGenuine(_ text: String, _ deployment: DeploymentKey) -> Bool {
        guard let kind = kind(of: text), let bytes = Base64URL.decode(text.utf8.dropFirst(prefixLength)),
            bytes.count == randomLength + HMAC.shortLength
        else { return false }
        let (random, code) = (Array(bytes.prefix(randomLength)), Array(bytes.suffix(HMAC.shortLength)))
        return deployment.shortVerify(code, of: kind.proven(random))
    }

    private func proven(_ random: [UInt8]) -> [UInt8] { Array(rawValue.utf8) + random }
}
