import Arguments
import Backups
import EventLoops
import Terminal

/// Where backups are, and what opens them.
struct BackupAccess: Sendable {
    /// - Parameters:
    ///   - place: the name of the flag with the place.
    ///   - prefix: what the names of the others begin with.
    static func flags(_ place: String, _ summary: String, prefix: String = "") -> [Flag] {
        [
            Flag(place, "PLACE", "\(summary): a folder, or s3://BUCKET/PREFIX?endpoint=https://HOST:PORT"),
            Flag(
                "\(prefix)credentials", "FILE",
                "the id and the secret of the bucket's key, in two lines; AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
                    + " without it"),
            Flag(
                "\(prefix)passphrase-file", "FILE",
                "seals the backups with the passphrase in its first line; the deployment's key and tokens are in sealed"
                    + " ones only"),
        ]
    }

    let place: String
    private let credentials: String?
    private let passphraseFile: String?
    private let environment: [String: String]

    /// - Parameters: as `flags` has them.
    init(_ arguments: ParsedArguments, _ flag: String, prefix: String = "") throws(UsageError) {
        guard let place = arguments.text(flag), !place.isEmpty else {
            throw UsageError("--\(flag) is missing: the folder or the bucket of the backups")
        }
        self.place = place
        credentials = arguments.text("\(prefix)credentials")
        passphraseFile = arguments.text("\(prefix)passphrase-file")
        environment = arguments.environment
    }

    /// Runs a body with the opened place.
    /// - Parameters:
    ///   - isNew: whether it may be a place without backups.
    ///   - isUrgent: whether all else waits for it. Otherwise services of this machine come first, and half of its
    ///     processors are left to them: a change goes through several threads, and each would wait for its turn even of
    ///     one that yields.
    func with<Value: Sendable>(
        isNew: Bool = false, isUrgent: Bool = false, _ body: (BackupVault, BlockingPool) async throws -> Value
    ) async throws -> Value {
        let threads = isUrgent ? max(4, Processors.count) : max(1, Processors.count / 2)
        let blocking = BlockingPool(threadCount: threads, name: "backup", isBackground: !isUrgent)
        defer { blocking.close() }
        let passphrase = try await blocking.run { try passphraseFile.map(Passphrase.read) }
        let store = try await BackupStore.open(
            place, credentials: credentials, agent: "waymark/\(Release.version)", environment: environment,
            isThere: !isNew, blocking)
        let result: Result<Value, any Error>
        do {
            result = .success(
                try await body(BackupVault.open(store, passphrase: passphrase, makesKey: isNew), blocking))
        } catch {
            result = .failure(error)
        }
        await store.close()
        return try result.get()
    }
}
