/// A house that has nothing but an address is a place of this category.
enum AddressCategory {
    static let path = "address"
}

/// A street, the number of a road, a river: what a map writes along a line is a place of a category below this one.
enum LineCategory {
    static let path = "line"
    static let street = "line/street"
    static let road = "line/road"
}

/// Categories of which there are many more places than of all others, and that one does not go to: a search gives
/// these only when it asks for them.
enum HiddenCategories {
    private static let slash = UInt8(ascii: "/")
    private static let paths = [AddressCategory.path, LineCategory.path].map { Array($0.utf8) }

    /// Whether a category is one of them, or below one.
    static func contains(_ category: [UInt8]) -> Bool { paths.contains { selects($0, category) } }

    /// Those that were not asked for.
    static func besides(_ wanted: [[UInt8]]) -> [[UInt8]] {
        paths.filter { hidden in !wanted.contains { selects(hidden, $0) } }
    }

    private static func selects(_ path: [UInt8], _ category: [UInt8]) -> Bool {
        category.starts(with: path) && (category.count == path.count || category[path.count] == slash)
    }
}
