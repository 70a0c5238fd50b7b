import Bytes
import Daemon
import Files
import RPC
import Wire

/// The tokens that let a client in, and what each may do. A client that presents one acts as the profile "local".
struct AccessTokens: Sendable {
    /// Why the tokens can't be read.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    /// A token is put into headers and cookies unchanged.
    static let lengths = 16...256
    /// By digest, so that comparing takes the same time for near and far misses, and no token stays in memory.
    private let known: [[UInt8]: Roles]

    static let none = AccessTokens(known: [:])

    /// Whether any token is known.
    var isEmpty: Bool { known.isEmpty }

    private init(known: [[UInt8]: Roles]) { self.known = known }

    /// Reads a file with one token per line, and after it the roles that its bearer has; all when there are none. Empty
    /// lines, and those that begin with "#", are skipped.
    init(file path: String) throws {
        let text = String(decoding: try SmallFile.read(path, limit: 64 << 10), as: UTF8.self)
        var known: [[UInt8]: Roles] = [:]
        for line in text.split(atScalars: \.isLineEnd) {
            let words = line.split(atScalars: \.isWhitespace).map(String.init)
            guard let token = words.first, !token.begins(with: "#") else { continue }
            guard Self.isToken(token) else { throw Self.noToken(path) }
            let digest = ClientToken(token).digest
            // A token that is there twice may do what both lines say.
            known[digest, default: []].formUnion(try Self.roles(words.dropFirst(), path))
        }
        guard !known.isEmpty else { throw Problem(description: "\(path) has no token") }
        self.init(known: known)
    }

    /// What the bearer of a token may do; nil when it is not known.
    func roles(of token: ClientToken) -> Roles? { known[token.digest] }

    /// Whether a token with this SHA-256 is let in.
    func isKnown(digest: [UInt8]) -> Bool { known[digest] != nil }

    func isKnown(_ token: ClientToken) -> Bool { isKnown(digest: token.digest) }

    private static func roles(_ words: ArraySlice<String>, _ path: String) throws -> Roles {
        if words.isEmpty { return .ofAccounts }
        let roles = try words.map { word in
            guard let role = Roles.ofAccounts.list.first(where: { Role.names[$0] == word }) else {
                // Not the word itself: a token may have a space in it by mistake.
                throw Problem(
                    description: "\(path) has a line with a word after its token that is no role; user and admin are")
            }
            return role
        }
        return Roles(roles)
    }

    private static func noToken(_ path: String) -> Problem {
        Problem(
            description: "\(path) has a line that does not begin with a token: \(lengths.lowerBound) to "
                + "\(lengths.upperBound) letters, digits, '-', '.', '_' or '~' are needed")
    }

    private static func isToken(_ text: String) -> Bool {
        lengths.contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || "-._~".utf8.contains(byte)
            }
    }
}
