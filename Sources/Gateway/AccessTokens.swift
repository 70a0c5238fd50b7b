import Crypto
import Daemon
import Files

/// The tokens that let a client in. A client that presents one acts as the profile "local".
struct AccessTokens: Sendable {
    /// Why the tokens can't be read.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    /// A token is put into headers and cookies unchanged.
    static let lengths = 16...256
    /// Digests, so that comparing takes the same time for near and far misses, and no token stays in memory.
    private let digests: Set<[UInt8]>

    static let none = AccessTokens(digests: [])

    /// Whether any token is known.
    var isEmpty: Bool { digests.isEmpty }

    private init(digests: Set<[UInt8]>) { self.digests = digests }

    init(_ tokens: [String]) { digests = Set(tokens.map { SHA256.digest(Array($0.utf8)) }) }

    /// Reads a file with one token per line; empty lines, and those that begin with "#", are skipped.
    init(file path: String) throws {
        let lines = String(decoding: try SmallFile.read(path, limit: 64 << 10), as: UTF8.self).split(separator: "\n")
        let tokens = lines.map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
        for token in tokens where !Self.isToken(token) {
            throw Problem(
                description: "\(path) has a line that is no token: \(Self.lengths.lowerBound) to "
                    + "\(Self.lengths.upperBound) letters, digits, '-', '.', '_' or '~' are needed")
        }
        guard !tokens.isEmpty else { throw Problem(description: "\(path) has no token") }
        self.init(tokens)
    }

    func isKnown(_ token: String) -> Bool {
        Self.isToken(token) && digests.contains(SHA256.digest(Array(token.utf8)))
    }

    private static func isToken(_ text: String) -> Bool {
        lengths.contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || "-._~".utf8.contains(byte)
            }
    }
}
