import Bytes
import PlaceContracts
import Geo
import Texts

/// Finds the street addresses that a text names: a street and a number side by side, in either order, and besides them
/// only words that apply to the address.
struct AddressSearch {
    /// Street names with more words are not searched for.
    private static let maximumStreetWords = 6
    /// Of a number's words: "22 b", "3-5", "13 A, 5. krs.".
    private static let maximumNumberWords = 6
    /// A town named with an address is within this distance; otherwise it is another town.
    private static let townMetres = 30_000.0
    /// The same address from two sources differs in position by at most this much.
    private static let sameMetres = 300.0

    /// One interpretation of the text: where street and number are, and the key of both.
    struct Reading {
        let key: AddressKey
        let street: Range<Int>
        let number: Range<Int>
        /// Whether it takes one end of a range of numbers for the number: "14-20" may be known as "14".
        var isEnd = false

        fileprivate var span: Range<Int> {
            min(street.lowerBound, number.lowerBound)..<max(street.upperBound, number.upperBound)
        }
    }

    /// An address that a text names.
    struct Found {
        let address: Address
        /// Whether it has the very number.
        let isExact: Bool
        /// How many words name a part of the house.
        let units: Int
    }

    let words: QueryWords
    private let book: StreetAddresses
    /// What the words name; nil without a gazetteer.
    let table: NameTable?

    init(_ words: QueryWords, in book: StreetAddresses, _ gazetteer: Gazetteer?) {
        self.words = words
        self.book = book
        table = gazetteer.map { NameTable(words, in: $0) }
    }

    /// The words of a text, with those for signs that stand before parts of a house.
    static func words(of text: String) -> QueryWords { QueryWords(UnitWords.spelled(text)) }

    /// Whether the text may hold a house number at all.
    static func isWorthwhile(_ words: QueryWords) -> Bool {
        2...QueryWords.maximum ~= words.count
            && words.words.contains { AddressKey.isDigit(words.folded[$0.lowerBound]) }
    }

    /// The first `limit` matches that `match` makes of the addresses, no address twice: exact numbers first, then those
    /// nearest to `bias` if that is given. `checkpoint` ends it by throwing.
    func matches(
        _ view: CatalogView, bias: Geo.Coordinate?, limit: Int, checkpoint: () throws -> Void,
        match: (Address) throws -> GeocodeMatch?
    ) throws -> [GeocodeMatch] {
        var taken: [(address: Address, match: GeocodeMatch)] = []
        for found in try ranked(readings, view, bias, checkpoint) where taken.count < limit {
            try checkpoint()
            let address = found.address
            guard !taken.contains(where: { isSame($0.address, address) }) else { continue }
            if let match = try match(address) { taken.append((address, match)) }
        }
        return taken.map(\.match)
    }

    /// The same as they are.
    func addresses(
        _ view: CatalogView, bias: Geo.Coordinate?, limit: Int, checkpoint: () throws -> Void
    ) throws -> [Found] {
        try addresses(as: readings, view, bias: bias, limit: limit, checkpoint: checkpoint)
    }

    /// The same for other interpretations of the text, as those whose street is spelled in another way.
    func addresses(
        as readings: [Reading], _ view: CatalogView, bias: Geo.Coordinate?, limit: Int,
        checkpoint: () throws -> Void
    ) throws -> [Found] {
        var taken: [Found] = []
        for found in try ranked(readings, view, bias, checkpoint) where taken.count < limit {
            if !taken.contains(where: { isSame($0.address, found.address) }) { taken.append(found) }
        }
        return taken
    }

    private func ranked(
        _ readings: [Reading], _ view: CatalogView, _ bias: Geo.Coordinate?, _ checkpoint: () throws -> Void
    ) throws -> [Found] {
        var found: [Found] = []
        for reading in readings {
            for address in try book.addresses(of: reading.key, in: view, checkpoint: checkpoint) {
                guard let units = units(reading, of: address) else { continue }
                let isExact = !reading.isEnd && reading.key == address.key(book.words)
                found.append(Found(address: address, isExact: isExact, units: units))
            }
        }
        return found.map { (rank(of: $0, bias), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private func rank(
        of found: Found, _ bias: Geo.Coordinate?
    ) -> (isOther: Int, units: Int, metres: Double, name: String) {
        (found.isExact ? 0 : 1, found.units, bias?.metres(to: found.address.position) ?? 0, found.address.name)
    }

    var readings: [Reading] {
        spans.flatMap { street, number in readings(of: words.text(street), street, number) }
    }

    /// Where a street and a number may be.
    var spans: [(street: Range<Int>, number: Range<Int>)] {
        words.words.indices.flatMap { start -> [(street: Range<Int>, number: Range<Int>)] in
            guard AddressKey.isDigit(words.folded[words.words[start].lowerBound]) else { return [] }
            let ends = start + 1...min(start + Self.maximumNumberWords, words.count)
            return ends.flatMap { end in streets(beside: start..<end).map { ($0, start..<end) } }
        }
    }

    private func streets(beside number: Range<Int>) -> [Range<Int>] {
        let before = (max(0, number.lowerBound - Self.maximumStreetWords)..<number.lowerBound).map {
            $0..<number.lowerBound
        }
        let last = min(words.count, number.upperBound + Self.maximumStreetWords)
        return before + (number.upperBound..<last).map { number.upperBound..<$0 + 1 }
    }

    /// The interpretations with a street's name for some words of the text, and a number for others.
    func readings(of name: some Collection<UInt8>, _ street: Range<Int>, _ number: Range<Int>) -> [Reading] {
        func key(_ number: Range<Int>) -> AddressKey {
            AddressKey(street: name, number: words.text(number), book.words)
        }
        return [Reading(key: key(number), street: street, number: number)]
            + ends(of: number).map { Reading(key: key($0), street: street, number: number, isEnd: true) }
    }

    /// Both ends of a range of numbers.
    private func ends(of number: Range<Int>) -> [Range<Int>] {
        let areNumbers = number.allSatisfy { AddressKey.isDigit(words.folded[words.words[$0].lowerBound]) }
        return number.count == 2 && areNumbers ? number.map { $0..<$0 + 1 } : []
    }

    /// How many of the words beside street and number name a part of the house; nil when some apply to nothing.
    private func units(_ reading: Reading, of address: Address) -> Int? {
        guard let before = cover(0..<reading.span.lowerBound, of: address, number: reading.number),
            let behind = cover(reading.span.upperBound..<words.count, of: address, number: reading.number)
        else { return nil }
        return before + behind
    }

    /// Splits words into parts that all apply to the address, so that as few as can be name a part of the house; how
    /// many do. Nil when they can't be split so.
    /// - Parameter number: where the house number is.
    func cover(_ span: Range<Int>, of address: Address, number: Range<Int>? = nil) -> Int? {
        if span.isEmpty { return 0 }
        return (span.lowerBound + 1...span.upperBound).compactMap { end -> Int? in
            let part = span.lowerBound..<end
            guard let own = units(part, of: address, number), let rest = cover(end..<span.upperBound, of: address)
            else { return nil }
            return own + rest
        }.min()
    }

    private func units(_ part: Range<Int>, of address: Address, _ number: Range<Int>?) -> Int? {
        if isTrue(part, of: address) { return 0 }
        guard part.count <= 2 else { return nil }
        let texts = part.map { words.folded[words.words[$0]] }
        return UnitWords.areUnit(texts, isBehindNumber: part.lowerBound == number?.upperBound) ? part.count : nil
    }

    private func isTrue(_ part: Range<Int>, of address: Address) -> Bool {
        let key = NameKey.letters(words.text(part))
        if [address.city, address.postcode].contains(where: { NameKey.letters(FoldedText($0).bytes) == key }) {
            return true
        }
        // There are districts that are called as a number; beside an address it is none of them.
        let isNumber = part.allSatisfy { words.folded[words.words[$0]].allSatisfy(AddressKey.isDigit) }
        return !isNumber && table?[part].contains { isAround($0, address.position) } ?? false
    }

    private func isAround(_ entry: NameTable.Entry, _ position: Geo.Coordinate) -> Bool {
        guard entry.record.kind == .town else { return table?.extent(entry)?.contains(position) ?? false }
        return entry.record.position.metres(to: position) <= Self.townMetres
    }

    private func isSame(_ a: Address, _ b: Address) -> Bool {
        a.position.metres(to: b.position) <= Self.sameMetres && a.key(book.words) == b.key(book.words)
    }
}
