/// Values by key, each with a cost, as long as there is room for all: those go that were not used for the longest time.
///
/// A value that decides; what else has to be done with those that go, its owner does: delete a file, close a statement.
/// A step takes as long in a full cache as in an empty one. All of it can be inlined: across modules each use would
/// take ten times as long otherwise.
package struct BoundedCache<Key: Hashable, Value> {
    /// A value between its neighbours in the order of their uses.
    @usableFromInline
    struct Entry {
        @usableFromInline let key: Key
        @usableFromInline var value: Value
        @usableFromInline let cost: Int
        @usableFromInline var older: Int
        @usableFromInline var newer: Int

        @inlinable
        init(_ key: Key, _ value: Value, _ cost: Int, at place: Int) {
            (self.key, self.value, self.cost, older, newer) = (key, value, cost, place, place)
        }
    }

    /// What all values may cost together, at most.
    package let limit: Int
    @usableFromInline var total = 0
    /// Without gaps, in any order. Their neighbours make a circle, in which the oldest is behind the newest.
    @usableFromInline var entries: [Entry] = []
    @usableFromInline var places: [Key: Int] = [:]
    @usableFromInline var newest = 0

    @inlinable
    package init(limit: Int) { self.limit = limit }

    /// What all values cost together.
    @inlinable package var cost: Int { total }
    @inlinable package var count: Int { entries.count }

    /// The value of a key, which counts as used by `use` alone.
    @inlinable
    package subscript(key: Key) -> Value? { places[key].map { entries[$0].value } }

    /// The value of a key, which is now the one that was used last.
    @inlinable
    package mutating func use(_ key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        renew(place)
        return entries[place].value
    }

    /// Keeps a value instead of the former one of its key, as the one that was used last. Returns those that have to go
    /// for it; only itself when it costs more than all may together.
    @inlinable @discardableResult
    package mutating func add(_ value: Value, at key: Key, cost: Int = 1) -> [(key: Key, value: Value)] {
        if let place = places[key], entries[place].cost == cost {
            entries[place].value = value
            renew(place)
            return []
        }
        remove(key)
        guard cost <= limit else { return [(key, value)] }
        var gone: [(key: Key, value: Value)] = []
        while total > limit - cost, !entries.isEmpty {
            let oldest = entries[entries[newest].newer]
            gone.append((oldest.key, oldest.value))
            remove(oldest.key)
        }
        let place = entries.count
        entries.append(Entry(key, value, cost, at: place))
        places[key] = place
        total += cost
        link(place)
        return gone
    }

    @inlinable @discardableResult
    package mutating func remove(_ key: Key) -> Value? {
        guard let place = places.removeValue(forKey: key) else { return nil }
        unlink(place)
        if place != entries.count - 1 { moveLast(to: place) }
        let entry = entries.removeLast()
        total -= entry.cost
        return entry.value
    }
}

extension BoundedCache {
    @inlinable
    mutating func renew(_ place: Int) {
        guard place != newest else { return }
        unlink(place)
        link(place)
    }

    /// Takes an entry out of the circle.
    @inlinable
    mutating func unlink(_ place: Int) {
        let (older, newer) = (entries[place].older, entries[place].newer)
        entries[older].newer = newer
        entries[newer].older = older
        if place == newest { newest = older }
    }

    /// Makes an entry that is not in the circle the newest.
    @inlinable
    mutating func link(_ place: Int) {
        if entries.count > 1 {
            let oldest = entries[newest].newer
            (entries[place].older, entries[place].newer) = (newest, oldest)
            entries[newest].newer = place
            entries[oldest].older = place
        }
        newest = place
    }

    /// Exchanges the last entry with one that is not in the circle.
    @inlinable
    mutating func moveLast(to place: Int) {
        let last = entries.count - 1
        let (older, newer) = (entries[last].older, entries[last].newer)
        entries[older].newer = place
        entries[newer].older = place
        if newest == last { newest = place }
        entries.swapAt(last, place)
        places[entries[place].key] = place
    }
}

extension BoundedCache.Entry: Sendable where Key: Sendable, Value: Sendable {}
extension BoundedCache: Sendable where Key: Sendable, Value: Sendable {}
