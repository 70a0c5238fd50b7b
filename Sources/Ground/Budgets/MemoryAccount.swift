/// What one connection, request or import holds of a budget, in bytes. Its owner reports how much that is now; the
/// budget is asked only when that has changed by much, so that short calls never contend for its lock.
package struct MemoryAccount: ~Copyable {
    /// Bytes that are not counted: what a connection needs for its short messages is included in the cost of a
    /// connection.
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
    ///   - client: the client for which the process holds it.
    ///   - kind: what it is held for.
    package init(_ budget: MemoryBudget, _ client: ClientKey, _ standing: ClientStanding, _ kind: MemoryKind) {
        self.budget = budget
        self.client = client
        self.standing = standing
        self.kind = kind
    }

    deinit { if granted > 0 { budget.give(granted, kind, of: client) } }

    /// Reports that so many bytes are held. False when the budget refuses: then they must not be kept, and the earlier
    /// grant stays.
    package mutating func hold(_ bytes: Int) -> Bool {
        let isEnough = bytes <= granted || granted == 0 && bytes <= Self.allowance
        return isEnough && granted - bytes <= Self.slack ? true : grant(bytes)
    }

    /// Reports the same of a holding that rests: nothing more than that stays granted.
    package mutating func settle(at bytes: Int) {
        if Self.wanted(bytes) < granted { _ = grant(bytes) }
    }

    /// An eighth more than needed: a holding that grows byte by byte then rarely asks.
    private static func wanted(_ bytes: Int) -> Int { bytes <= allowance ? 0 : (bytes + bytes / 8 + 4095) & ~4095 }

    private mutating func grant(_ bytes: Int) -> Bool {
        let wanted = Self.wanted(bytes)
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
