import Bytes
import Contracts
import Daemon
import Wire

/// Seals what the URLs of shared pictures name, and opens it: no one reads the path of a file out of one, or makes one.
struct SharedTickets: Sendable {
    /// The prefix of the path of a shared picture's URL.
    static let path = "/shared/pictures/"
    /// The longest ticket as text, in bytes: that of the longest photo id has about 2,800.
    private static let longestText = 3_000
    private static let owner = ""

    private let seal: SecretSeal

    init(_ key: DeploymentKey) { seal = SecretSeal(key, purpose: "tickets of shared pictures") }

    func url(_ ticket: SharedTicket) -> String {
        Self.path + Base64URL.encode(seal.seal(Base64URL.encode(ticket.packedBytes()), of: Self.owner))
    }

    /// Nil unless this deployment has sealed it.
    func open(_ text: Substring) -> SharedTicket? {
        guard text.utf8.count <= Self.longestText, let sealed = Base64URL.decode(text.utf8),
            let packed = seal.open(sealed, of: Self.owner).flatMap({ Base64URL.decode($0) })
        else { return nil }
        return try? SharedTicket(packed: packed)
    }
}
