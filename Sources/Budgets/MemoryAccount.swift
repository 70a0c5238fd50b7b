/// What one connection, request or import holds of a budget, in bytes. Whoever it belongs to says how much that is now;
/// the budget is asked only when that has changed by much, so that short calls never meet in its lock.
package struct MemoryAccount: ~Copyable {
    /// Bytes that are free: what a connection has for its short messages is in the price of the connection.
    package static let allowance = 4 << 10
    /// Bytes that stay granted when less is held, for the next message.
    private static let slack = 64 << 10

    private let budget: MemoryBudget
    private let client: ClientKey
    private let kind: MemoryKind
    /// How far its client is trusted; what was granted before stays.
    package var standing: ClientStanding
    private var granted = 0

    /// - Parameters:
    ///   - client: who makes the process hold it.
    ///   - kind: what it is held for.
    package init(_ budget: MemoryBudget, _ client: ClientKey, _ standing: ClientStanding, _ kind: MemoryKind) {
        self.budget = budget
        self.client = client
        self.standing = standing
        self.kind = kind
    }

    deinit { if granted > 0 { budget.give(granted, kind, of: client) } }

    /// Says that so many bytes are held. False when they may not be: then they must not be kept, and what was granted
    /// before stays.
    package mutating func hold(_ bytes: Int) -> Bool {
        let isEnough = bytes <= granted || granted == 0 && bytes <= Self.allowance
        return isEnough && granted - bytes <= Self.slack ? true : grant(bytes)
    }

    private mutating func grant(_ bytes: Int) -> Bool {
        // An eighth more than is asked for: what grows byte by byte asks seldom.
        let wanted = bytes <= Self.allowance ? 0 : (bytes + bytes / 8 + 4095) & ~4095
        if wanted <= granted {
            budget.give(granted - wanted, kind, of: client)
            granted = wanted
            return true
        }
        for target in [wanted, bytes] where budget.take(target - granted, kind, for: client, standing) {
            granted = target
            return true
        }
        budget.refuse()
        return false
    }
}
