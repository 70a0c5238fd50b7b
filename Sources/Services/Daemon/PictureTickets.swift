import Bytes
package import BaseContracts
import Wire

/// Signs the tickets in the URLs of pictures, and checks them: "<packed ticket>.<code>", both as base64url.
package struct PictureTickets: Sendable {
    /// The prefix of the path of a picture's URL.
    package static let path = "/pictures/"
    /// The longest ticket as text, in bytes: that of the longest photo id has about 1,480.
    private static let longestText = 1_600
    /// A ticket is valid until the end of the next day, so that a URL stays the same for a day.
    private static let daySeconds: Int64 = 86_400
    /// The prefix of what is signed. A packed identity never begins with it: no message begins with a "w".
    private static let prefix = Array("waymark picture ticket\n".utf8)

    private let key: DeploymentKey
    private let clock: WallClock

    package init(_ key: DeploymentKey, clock: WallClock = .system) {
        self.key = key
        self.clock = clock
    }

    /// The relative URL of a picture. `source` differs when the picture's bytes do.
    package func url(of photoID: String, _ size: PictureSize, source: [UInt8]) -> String {
        let today = day
        let ticket = PictureTicket(
            photoId: photoID, size: size, source: source, expiresUnixS: (today + 2) * Self.daySeconds)
        let bytes = ticket.packedBytes()
        return "\(Self.path)\(Base64URL.encode(bytes)).\(Base64URL.encode(key.shortSign(Self.prefix + bytes)))"
    }

    /// The ticket in a text; nil when there is none, it is not signed by this deployment, or it has expired.
    package func check(_ text: Substring) -> PictureTicket? {
        // Bytes, not characters: those would take longer than everything else here.
        let text = text.utf8
        guard text.count <= Self.longestText, let dot = text.firstIndex(of: UInt8(ascii: ".")),
            let bytes = Base64URL.decode(text[..<dot]), let code = Base64URL.decode(text[text.index(after: dot)...]),
            key.shortVerify(code, of: Self.prefix + bytes), let ticket = try? PictureTicket(packed: bytes),
            ticket.expiresUnixS > seconds
        else { return nil }
        return ticket
    }

    /// The day whose URLs these are, since 1970.
    package var day: Int64 { seconds / Self.daySeconds }

    private var seconds: Int64 { clock.unixMilliseconds / 1_000 }
}
