package import EventLoops

/// The addresses of a name, and when to look it up again. It does no lookups: the caller does, and reports the results.
package struct AddressBook: Sendable {
    /// The last addresses found; a lookup that fails or finds nothing leaves them unchanged.
    package private(set) var addresses: [SocketAddress] = []
    /// When the name is to be looked up.
    package private(set) var nextLookup = MonotonicTime(nanoseconds: 0)
    private var earliest = MonotonicTime(nanoseconds: 0)
    private let rules: BalancingRules

    package init(_ rules: BalancingRules) { self.rules = rules }

    /// A lookup starts.
    package mutating func lookupStarted(at now: MonotonicTime, using random: inout QuickRandom) {
        nextLookup = now + rules.lookupInterval * Double.random(in: 0.8...1.2, using: &random)
        earliest = now + rules.shortestLookupInterval
    }

    /// Something failed that new addresses could fix: the next lookup is moved up to the earliest time allowed.
    package mutating func hurry(at now: MonotonicTime) { nextLookup = min(nextLookup, max(now, earliest)) }

    /// Takes the result of a lookup. True when it differs from the previous one.
    package mutating func found(_ found: [SocketAddress]) -> Bool {
        let distinct = Set(found)
        guard !distinct.isEmpty else { return false }
        let used = distinct.count > rules.maximumAddresses ? Set(first(of: distinct)) : distinct
        guard used != Set(addresses) else { return false }
        addresses = used.count == found.count ? found : Array(used)
        return true
    }

    /// The same ones whatever order the resolver gives them in.
    private func first(of found: Set<SocketAddress>) -> ArraySlice<SocketAddress> {
        let names = found.map { (address: $0, name: $0.description) }
        return names.sorted { $0.name < $1.name }.map(\.address).prefix(rules.maximumAddresses)
    }
}
