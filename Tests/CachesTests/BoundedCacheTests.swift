import TestTools
import Testing

@testable import Caches

@Suite("Bounded cache")
struct BoundedCacheTests {
    @Test("keeps what was used last, and says what goes for a new value")
    func order() {
        var cache = BoundedCache<String, Int>(limit: 3)
        for (number, key) in ["a", "b", "c"].enumerated() { #expect(cache.add(number, at: key).isEmpty) }
        #expect(cache.use("a") == 0)
        // A look is no use.
        #expect(cache["b"] == 1)
        #expect(cache.add(3, at: "d").map(\.key) == ["b"])
        #expect(cache.count == 3 && cache["b"] == nil && cache["a"] == 0)
    }

    @Test("makes as much room as a value costs, and no room for one that costs more than all may")
    func costs() {
        var cache = BoundedCache<String, Int>(limit: 10)
        for key in ["a", "b", "c"] { cache.add(0, at: key, cost: 3) }
        #expect(cache.add(0, at: "d", cost: 5).map(\.key) == ["a", "b"])
        #expect(cache.cost == 8)
        #expect(cache.add(1, at: "d", cost: 11).map(\.value) == [1])
        #expect(cache["d"] == nil && cache.cost == 3)
    }

    @Test("keeps nothing where nothing may cost anything")
    func closed() {
        var cache = BoundedCache<String, Int>(limit: 0)
        #expect(cache.add(1, at: "a").map(\.key) == ["a"])
        #expect(cache.count == 0 && cache.remove("a") == nil)
    }

    @Test("lets go of a value as soon as it is removed or replaced")
    func freed() {
        final class Thing {}
        var cache = BoundedCache<String, Thing>(limit: 2)
        var thing: Thing? = Thing()
        weak let first = thing
        if let thing { cache.add(thing, at: "a") }
        thing = nil
        #expect(first != nil)
        cache.add(Thing(), at: "a")
        #expect(first == nil)
    }

    @Test("does what a list in the order of use would, whatever it is asked", arguments: 0..<20)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let limit = Int.random(in: 0...40, using: &random)
        let keys = Int.random(in: 1...30, using: &random)
        var (cache, list) = (BoundedCache<Int, Int>(limit: limit), ListedCache(limit: limit))
        for step in 0..<3000 {
            let key = Int.random(in: 0..<keys, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0...3: #expect(cache.use(key) == list.use(key))
            case 4: #expect(cache.remove(key) == list.remove(key))
            default:
                let cost = Int.random(in: 0...max(1, limit / 4 + 1), using: &random)
                #expect(cache.add(step, at: key, cost: cost).map(\.value) == list.add(step, at: key, cost: cost))
            }
            #expect(cache.cost == list.cost && cache.count == list.entries.count)
            #expect(cache[key] == list.entries.first { $0.key == key }?.value)
        }
    }
}

/// The same as a list with the oldest first.
private struct ListedCache {
    let limit: Int
    var entries: [(key: Int, value: Int, cost: Int)] = []

    var cost: Int { entries.map(\.cost).reduce(0, +) }

    mutating func use(_ key: Int) -> Int? {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
        entries.append(entries.remove(at: index))
        return entries.last?.value
    }

    mutating func remove(_ key: Int) -> Int? {
        entries.firstIndex { $0.key == key }.map { entries.remove(at: $0).value }
    }

    mutating func add(_ value: Int, at key: Int, cost added: Int) -> [Int] {
        _ = remove(key)
        if added > limit { return [value] }
        var gone: [Int] = []
        while cost + added > limit { gone.append(entries.removeFirst().value) }
        entries.append((key, value, added))
        return gone
    }
}
