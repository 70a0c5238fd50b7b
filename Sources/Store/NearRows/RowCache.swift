import Geo

/// Rows as accounts have seen them, up to a number of bytes: those that were used last. When the newer half is full it
/// becomes the older one, and what was the older one is forgotten.
struct RowCache {
    private struct Key: Equatable {
        let id: PointID
        let account: UInt32

        /// By secret odd factors, so that ids can not be chosen to collide (Dietzfelbinger, Universal hashing via
        /// integer arithmetic without primes, 1996).
        var hash: Int {
            let mixed = id.high &* Self.factors.0 &+ id.low &* Self.factors.1 &+ UInt64(account) &* Self.factors.2
            return Int(truncatingIfNeeded: mixed >> 32)
        }

        private static let factors = (
            UInt64.random(in: 0...(.max)) | 1, UInt64.random(in: 0...(.max)) | 1, UInt64.random(in: 0...(.max)) | 1
        )
    }

    /// Where a row is in the bytes of its half: its id, and its message behind it.
    private struct Entry {
        /// Nil when it is removed.
        var key: Key?
        let start: Int
        let idCount: Int
        let messageCount: Int

        var id: Range<Int> { start..<start + idCount }
        var message: Range<Int> { start + idCount..<start + idCount + messageCount }
    }

    /// Rows in the order in which they were put in, so that those of one place are together; and a table of their
    /// numbers plus 1, which is searched from where the hash says up to a zero.
    private struct Half {
        private(set) var entries: [Entry] = []
        private(set) var bytes: [UInt8] = []
        private var table: [UInt32] = []
        private let maximumBytes: Int

        init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

        func hasRoom(for byteCount: Int) -> Bool {
            bytes.count + byteCount + (entries.count + 1) * RowCache.overhead <= maximumBytes
        }

        func find(_ key: Key) -> Int? {
            if table.isEmpty { return nil }
            var at = key.hash & (table.count - 1)
            while table[at] != 0 {
                let number = Int(table[at]) - 1
                if entries[number].key == key { return number }
                at = (at + 1) & (table.count - 1)
            }
            return nil
        }

        func row(_ key: Key, at position: Coordinate) -> NearRow? {
            find(key).map { number in
                NearRow(
                    id: String(decoding: bytes[entries[number].id], as: UTF8.self), position: position,
                    message: Array(bytes[entries[number].message]))
            }
        }

        /// The numbers of several rows; nil where one is not here. Where each begins to be searched for is read before
        /// the first is followed: so the processor waits for memory once, and not for each.
        func find(_ keys: [Key]) -> [Int?] {
            if table.isEmpty { return keys.map { _ in nil } }
            let mask = table.count - 1
            let guesses = unsafe table.withUnsafeBufferPointer { table in
                keys.map { unsafe table[$0.hash & mask] }
            }
            return unsafe entries.withUnsafeBufferPointer { entries in
                zip(keys, guesses).map { key, guess in
                    if guess == 0 { return nil }
                    let number = Int(guess) - 1
                    return unsafe entries[number].key == key ? number : find(key)
                }
            }
        }

        mutating func put(_ key: Key, _ id: ArraySlice<UInt8>, _ message: ArraySlice<UInt8>) {
            // What is reserved is used as it fills.
            if entries.isEmpty { bytes.reserveCapacity(maximumBytes) }
            if (entries.count + 1) * 2 > table.count { growTable() }
            remove(key)
            entries.append(Entry(key: key, start: bytes.count, idCount: id.count, messageCount: message.count))
            bytes += id
            bytes += message
            enter(key, entries.count)
        }

        /// Half of it stays free.
        private mutating func growTable() {
            table = [UInt32](repeating: 0, count: max(table.count * 2, RowCache.leastTable))
            for (index, entry) in entries.enumerated() { if let key = entry.key { enter(key, index + 1) } }
        }

        private mutating func enter(_ key: Key, _ number: Int) {
            var at = key.hash & (table.count - 1)
            while table[at] != 0 { at = (at + 1) & (table.count - 1) }
            table[at] = UInt32(truncatingIfNeeded: number)
        }

        /// Its room stays taken.
        mutating func remove(_ key: Key) {
            if let number = find(key) { entries[number].key = nil }
        }
    }

    /// What a row takes besides its bytes.
    private static let overhead = MemoryLayout<Entry>.stride + 8
    /// Every change of a photo empties the memory of photos: its table begins small, and grows as it fills.
    private static let leastTable = 256
    /// Accounts that are known by number.
    private static let maximumAccounts: UInt32 = 100_000

    private let maximumBytes: Int
    private var newer: Half
    private var older: Half
    private var accounts: [String: UInt32] = [:]

    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
        (newer, older) = (Half(maximumBytes: maximumBytes / 2), Half(maximumBytes: maximumBytes / 2))
    }

    var count: Int { newer.entries.count + older.entries.count }

    /// A row, where a hit is; nil when it is not here.
    func row(_ hit: PointHit, for account: String) -> NearRow? {
        guard let account = accounts[account] else { return nil }
        let key = Key(id: hit.id, account: account)
        return newer.row(key, at: hit.position) ?? older.row(key, at: hit.position)
    }

    /// Keeps a row.
    mutating func put(_ row: NearRow, _ id: PointID, for account: String) {
        if accounts.count >= Self.maximumAccounts { removeAll() }
        let number = accounts[account] ?? UInt32(accounts.count)
        accounts[account] = number
        put(Array(row.id.utf8)[...], row.message[...], Key(id: id, account: number))
    }

    mutating func remove(_ id: PointID, for account: String) {
        guard let number = accounts[account] else { return }
        newer.remove(Key(id: id, account: number))
        older.remove(Key(id: id, account: number))
    }

    mutating func removeAll() { self = RowCache(maximumBytes: maximumBytes) }

    private mutating func put(_ id: ArraySlice<UInt8>, _ message: ArraySlice<UInt8>, _ key: Key) {
        let byteCount = id.count + message.count
        if !newer.hasRoom(for: byteCount) { (older, newer) = (newer, Half(maximumBytes: maximumBytes / 2)) }
        // What alone is longer than a half is not kept.
        if newer.hasRoom(for: byteCount) { newer.put(key, id, message) }
        older.remove(key)
    }

}

extension RowCache {
    private struct Found {
        let entry: Entry
        let isOlder: Bool
        /// Which hit it is.
        let index: Int
    }

    /// The rows of hits, at most `limit`, packed as an answer has them; nil when one of the hits is not here.
    /// - Parameter isInOrder: whether equally near ones are in the order of the answer.
    mutating func packed(
        _ hits: [PointHit], limit: Int, isInOrder: Bool, _ distance: DistanceField, for account: String
    ) -> PackedRows? {
        if hits.isEmpty { return PackedRows() }
        guard let number = accounts[account] else { return nil }
        var found: [Found] = []
        found.reserveCapacity(hits.count)
        let keys = hits.map { Key(id: $0.id, account: number) }
        for (index, place) in newer.find(keys).enumerated() {
            if let place {
                found.append(Found(entry: newer.entries[place], isOlder: false, index: index))
            } else if let place = older.find(keys[index]) {
                found.append(Found(entry: older.entries[place], isOlder: true, index: index))
            } else {
                return nil
            }
        }
        if !isInOrder { order(&found, hits) }
        var rows = PackedRows()
        let count = min(limit, found.count)
        rows.reserve(found[..<count].reduce(0) { $0 + $1.entry.messageCount }, rows: count)
        unsafe newer.bytes.withUnsafeBufferPointer { newer in
            unsafe older.bytes.withUnsafeBufferPointer { older in
                for row in found[..<count] {
                    let message = unsafe (row.isOlder ? older : newer)[row.entry.message]
                    unsafe rows.append(UnsafeBufferPointer(rebasing: message), distance, hits[row.index].metres)
                }
            }
        }
        keep(found, hits, number)
        return rows
    }

    /// Orders by distance, equally near ones by id.
    private func order(_ found: inout [Found], _ hits: [PointHit]) {
        guard zip(hits, hits.dropFirst()).contains(where: { $0.metres == $1.metres }) else { return }
        found.sort { one, other in
            let (first, second) = (hits[one.index].metres, hits[other.index].metres)
            return first == second ? id(one).lexicographicallyPrecedes(id(other)) : first < second
        }
    }

    private func id(_ row: Found) -> ArraySlice<UInt8> {
        (row.isOlder ? older : newer).bytes[row.entry.id]
    }

    /// Puts rows of the older half into the newer one.
    private mutating func keep(_ found: [Found], _ hits: [PointHit], _ account: UInt32) {
        guard found.contains(where: \.isOlder) else { return }
        // The halves may be exchanged meanwhile.
        let bytes = older.bytes
        for row in found where row.isOlder {
            let id = bytes[row.entry.id]
            put(id, bytes[row.entry.message], Key(id: hits[row.index].id, account: account))
        }
    }
}
