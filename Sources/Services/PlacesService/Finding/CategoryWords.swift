import Geo

/// Finds the categories that words name: "cafe" is amenity/cafe, "fast food" amenity/fast_food, "shops" all below shop.
struct CategoryWords {
    private static let slash = UInt8(ascii: "/")
    private static let blank = UInt8(ascii: " ")
    private static let fewestLetters = 4
    /// Categories that one word may name.
    private static let maximum = 16

    /// Folded, without blanks at both ends.
    private let words: [UInt8]
    /// The words as they stand, and without the endings of an English plural.
    private let forms: [[UInt8]]

    init(_ words: some Collection<UInt8>) {
        self.words = Array(words)
        forms = Self.forms(of: self.words)
    }

    /// The paths that the words name; `isWhole` is false when they only begin to name them.
    func paths(in view: CatalogView) -> (paths: [[UInt8]], isWhole: Bool) {
        var whole: Set<[UInt8]> = []
        var begun: Set<[UInt8]> = []
        for snapshot in view.set.snapshots {
            for path in snapshot.categoryNames where mayName(path) { sort(path, &whole, &begun) }
        }
        let found = whole.isEmpty ? begun : whole
        let paths = found.sorted { ($0.count, $0.lexicographicallyPrecedes($1) ? 0 : 1) < ($1.count, 0) }
        return (Array(paths.prefix(Self.maximum)), !whole.isEmpty)
    }

    /// Whether a part of a path has the first letter: nearly all parts of all paths have another.
    private func mayName(_ path: [UInt8]) -> Bool {
        guard let first = words.first else { return false }
        var isStart = true
        for byte in path {
            if isStart, Self.folded(byte) == first { return true }
            isStart = byte == Self.slash
        }
        return false
    }

    /// Each part of a path that has the words selects all that is below it.
    private func sort(_ path: [UInt8], _ whole: inout Set<[UInt8]>, _ begun: inout Set<[UInt8]>) {
        var start = 0
        while start < path.count {
            let end = path[start...].firstIndex(of: Self.slash) ?? path.count
            let part = path[start..<end]
            let isNamed = forms.contains { $0.count == part.count && Self.begins(part, with: $0) }
            if isNamed || words.count >= Self.fewestLetters && Self.begins(part, with: words),
                !HiddenCategories.contains(path)
            {
                if isNamed { whole.insert(Array(path[..<end])) } else { begun.insert(Array(path[..<end])) }
            }
            start = end + 1
        }
    }

    private static func begins(_ part: ArraySlice<UInt8>, with words: [UInt8]) -> Bool {
        guard part.count >= words.count else { return false }
        for (byte, wanted) in zip(part, words) where folded(byte) != wanted { return false }
        return true
    }

    private static func forms(of words: [UInt8]) -> [[UInt8]] {
        var forms = [words]
        if words.last == UInt8(ascii: "s") { forms.append(words.dropLast()) }
        if words.suffix(2).elementsEqual("es".utf8) { forms.append(words.dropLast(2)) }
        if words.suffix(3).elementsEqual("ies".utf8) { forms.append(words.dropLast(3) + [UInt8(ascii: "y")]) }
        return forms
    }

    /// In lower case, with a blank for "_" and "-".
    private static func folded(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        case UInt8(ascii: "_"), UInt8(ascii: "-"): blank
        default: byte
        }
    }
}
