import Budgets
import Caches
import EventLoops
import Synchronization

/// A token bucket for each client: so many requests a second on average, and twice as many at once.
final class RateLimit: Sendable {
    private struct Bucket {
        var tokens: Double
        var updated: MonotonicTime
    }

    /// The number of clients remembered; others begin with a full bucket again.
    private static let clientLimit = 20_000
    private let perSecond: Double
    private let buckets = Mutex(BoundedCache<ClientKey, Bucket>(limit: RateLimit.clientLimit))

    /// - Parameter perSecond: 0 for no limit.
    init(perSecond: Int) { self.perSecond = Double(perSecond) }

    /// Takes a token; nil when there was one, else the time until there is one.
    func refusal(_ client: ClientKey, at now: MonotonicTime = .now) -> Duration? {
        guard perSecond > 0 else { return nil }
        return buckets.withLock { buckets in
            var bucket = buckets.use(client) ?? Bucket(tokens: burst, updated: now)
            let seconds = max(0, now.since(bucket.updated) / .seconds(1))
            bucket = Bucket(tokens: min(burst, bucket.tokens + seconds * perSecond), updated: now)
            defer { buckets.add(bucket, at: client) }
            guard bucket.tokens < 1 else {
                bucket.tokens -= 1
                return nil
            }
            return .milliseconds(Int64((1 - bucket.tokens) / perSecond * 1000) + 1)
        }
    }

    private var burst: Double { perSecond * 2 }
}
