package import EventLoops
import Bytes
import Crypto
import Files
import Glibc

/// Links that log a browser in once, each a file in a folder of the gateway: named by the digest of the link's secret,
/// with the time at which it ends and the token that it stands for.
///
/// The one that removes the file has used the link, and a file is removed only once, whatever runs at the same time and
/// whether or not the gateway was started again in between.
package struct LoginLinks: Sendable {
    /// Milliseconds for which a link is good.
    package static let life: Int64 = 600_000
    /// Bytes of a secret. A client may try 500 a second (`--rate`): in ten minutes a million clients would find one of
    /// 2^128 with a chance of one in 10^27.
    static let secretLength = 16
    /// Bytes of a file: a time and a token of at most 256 bytes.
    private static let longestFile = 512

    private let folder: String

    /// Those of the gateway that keeps its data in a folder.
    package init(gatewayData: String) { folder = "\(gatewayData)/links" }

    /// Makes a link that stands for `token`; returns its secret. Removes those that are too old. Blocks.
    /// - Parameter now: milliseconds since 1970.
    package func make(for token: String, at now: Int64) throws(SystemError) -> String {
        try DiskFile.makeFolder(folder)
        try removeOld(at: now)
        var bytes = [UInt8](repeating: 0, count: Self.secretLength)
        try syscall("getentropy") { unsafe getentropy(&bytes, Self.secretLength) }
        let secret = Base64URL.encode(bytes)
        try DiskFile.create(path(of: secret), with: Array("\(now + Self.life)\n\(token)\n".utf8))
        return secret
    }

    /// The token that a link stands for; the link is used up. Nil when it was used before, is too old, or never was.
    /// Blocks.
    /// - Parameter now: milliseconds since 1970.
    package func use(_ secret: String, at now: Int64) throws(SystemError) -> String? {
        // What a client sends gets into a path only as a digest; looking that up tells nothing of any secret.
        guard Base64URL.decode(secret)?.count == Self.secretLength else { return nil }
        let path = path(of: secret)
        let entry = Self.entry(path)
        guard try DiskFile.removeIfThere(path) else { return nil }
        // Otherwise it could be back after a power cut.
        try DiskFile.sync(folder: folder)
        guard let entry, Self.isGood(until: entry.end, at: now) else { return nil }
        return entry.token
    }

    private func removeOld(at now: Int64) throws(SystemError) {
        for name in try DiskFile.names(in: folder) {
            let path = "\(folder)/\(name)"
            // By its age and not by what it says: another link may just be written.
            guard let file = try DiskFile.status(path), file.modified + Self.life <= now else { continue }
            try DiskFile.remove(path)
        }
    }

    /// One that ends later than a link made now was made by a clock that has been set back since.
    private static func isGood(until end: Int64, at now: Int64) -> Bool { end > now && end <= now + life }

    /// What a file says; nil when it is not there, or says something else.
    private static func entry(_ path: String) -> (end: Int64, token: String)? {
        guard let bytes = try? SmallFile.read(path, limit: longestFile) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(at: "\n", omittingEmptySubsequences: false)
        guard lines.count == 3, lines[2].isEmpty, let end = Int64(lines[0]) else { return nil }
        return (end, String(lines[1]))
    }

    private func path(of secret: String) -> String {
        "\(folder)/\(Base64URL.encode(SHA256.digest(Array(secret.utf8))))"
    }
}
