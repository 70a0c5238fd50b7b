import Geo

/// Rows as accounts have seen them, up to a number of bytes: those that were used last. When the newer half is full it
/// becomes the older one, and what was the older one is forgotten.
struct RowCache {
    struct Key: Hashable {
        let id: PointID
        let account: String
    }

    /// What a row takes besides its texts: the entry of the table, the heads of three arrays.
    private static let overhead = 200

    private let mostBytes: Int
    private var (newer, older): ([Key: NearRow], [Key: NearRow]) = ([:], [:])
    private var newerBytes = 0

    init(mostBytes: Int) { self.mostBytes = mostBytes }

    var count: Int { newer.count + older.count }

    mutating func row(_ key: Key) -> NearRow? {
        if let row = newer[key] { return row }
        guard let row = older.removeValue(forKey: key) else { return nil }
        put(row, key)
        return row
    }

    mutating func put(_ row: NearRow, _ key: Key) {
        let bytes = row.message.count + row.id.utf8.count + key.account.utf8.count + Self.overhead
        if newerBytes + bytes > mostBytes / 2 {
            (older, newer, newerBytes) = (newer, [:], 0)
        }
        older[key] = nil
        if newer.updateValue(row, forKey: key) == nil { newerBytes += bytes }
    }

    mutating func remove(_ key: Key) {
        // Its bytes stay counted until the halves are exchanged.
        newer[key] = nil
        older[key] = nil
    }

    mutating func removeAll() { (newer, older, newerBytes) = ([:], [:], 0) }
}
