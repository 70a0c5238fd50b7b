import Arguments
import Bytes
import EventLoops
import Files

/// The sessions that `waymark login` has begun: a file in the user's configuration folder, readable for the user alone,
/// with a line for each gateway: its address, a space, the token.
struct SavedSessions: Sendable {
    private static let longestFile = 64 << 10

    private let folder: String
    private var path: String { "\(folder)/sessions" }

    /// Nil when the environment names no home.
    init?(_ environment: [String: String]) {
        guard let folder = SavedTarget.folder(environment) else { return nil }
        self.folder = folder
    }

    /// The token for a gateway; nil when no one is logged in there. A file that can't be read says nothing of that.
    /// Blocks.
    func token(for target: Endpoint) throws(UsageError) -> String? {
        do {
            return try all()[target.description]
        } catch {
            throw UsageError(
                "the session that `waymark login` has kept can't be read: \(error); --token-file and WAYMARK_TOKEN do"
                    + " without it")
        }
    }

    /// Keeps a token for a gateway in place of the one before, or none. Blocks.
    func keep(_ token: String?, for target: Endpoint) throws {
        // Those of other gateways stay, and so they have to be read.
        var sessions = try all()
        sessions[target.description] = token
        let lines = sessions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }
        try DiskFile.makeFolder(folder)
        try DiskFile.replace(path, with: Array(lines.joined().utf8))
    }

    private func all() throws -> [String: String] {
        guard try DiskFile.exists(path) else { return [:] }
        let bytes = try SmallFile.read(path, limit: Self.longestFile)
        let lines = String(decoding: bytes, as: UTF8.self).split(at: "\n")
        let pairs = lines.compactMap { line -> (String, String)? in
            let words = line.split(at: " ")
            return words.count == 2 ? (String(words[0]), String(words[1])) : nil
        }
        return Dictionary(pairs) { _, last in last }
    }
}
