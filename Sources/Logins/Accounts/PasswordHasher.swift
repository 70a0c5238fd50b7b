import Crypto
import EventLoops
import Glibc
package import RPC

/// Hashes passwords and compares them, one at a time: a hash takes a tenth of a second and 64 MiB, and a storm of them
/// must not slow other calls. So there is one thread, which lets all others go first, and a short queue before it, in
/// which clients take turns: no client can keep others from logging in by having much hashed.
package final class PasswordHasher: Sendable {
    /// How many wait: the last one for some three seconds.
    private static let queueLimit = 32
    /// The priority of the thread: 0 is usual, 19 the lowest.
    private static let niceness: Int32 = 10

    private let pool = BlockingPool(threadCount: 1, queueLimit: queueLimit, name: "passwords")
    /// For addresses without an account, so that an answer takes as long as with one.
    private let hashOfNoAccount: String

    package init() { hashOfNoAccount = Argon2id.hash(RandomBytes.make(16)) ?? "" }

    /// The hash of a password.
    package func hash(_ password: Password, _ context: CallContext) async throws -> String {
        let hash = try await run(context) { Argon2id.hash(password.bytes) }
        guard let hash else {
            throw RPCError(.resourceExhausted, "there is no memory to hash a password; try again later")
        }
        return hash
    }

    /// Whether a password is the one of `hash`; wrong, after the same time, when there is no hash.
    package func compare(
        _ password: Password, with hash: String?, _ context: CallContext
    ) async throws -> PasswordMatch {
        let known = hash.flatMap { $0.isEmpty ? nil : $0 }
        return try await run(context) { [hashOfNoAccount] in
            let hash = known ?? hashOfNoAccount
            if Argon2id.isHash(hash, of: password.bytes), known != nil {
                return Argon2id.isOutdated(hash) ? .outdated : .right
            }
            guard let typed = password.typed, Argon2id.isHash(hash, of: typed), known != nil else { return .wrong }
            return .outdated
        }
    }

    /// Lets waiting work end. Blocks.
    package func close() { pool.close() }

    private func run<Value: Sendable>(
        _ context: CallContext, _ body: @escaping @Sendable () -> Value
    ) async throws -> Value {
        try await pool.run { () throws(RPCError) in
            if let remaining = context.remaining, remaining <= .zero { throw .tooLate }
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
            return body()
        }
    }
}
