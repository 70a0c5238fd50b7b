import Contracts
import Geo

/// Finds the street addresses that a text names: a street and a number side by side, in either order, and besides them
/// only words that apply to the address.
struct AddressSearch {
    /// Street names with more words are not searched for.
    private static let mostStreetWords = 6
    /// Of a number's words: "22 b", "3-5".
    private static let mostNumberWords = 2
    /// A town named with an address is within this distance; otherwise it is another town.
    private static let townMetres = 30_000.0
    /// The same address from two sources differs in position by at most this much.
    private static let sameMetres = 300.0

    /// One interpretation of the text: where street and number are, and the key of both.
    struct Reading {
        let key: UInt64
        let span: Range<Int>
        /// Whether it takes one end of a range of numbers for the number: "14-20" may be known as "14".
        var isEnd = false
    }

    let words: QueryWords
    /// What the words name; nil without a gazetteer.
    let table: NameTable?

    init(_ words: QueryWords, in gazetteer: Gazetteer?) {
        self.words = words
        table = gazetteer.map { NameTable(words, in: $0) }
    }

    /// Whether the text may hold a house number at all.
    static func isWorthwhile(_ words: QueryWords) -> Bool {
        2...QueryWords.most ~= words.count && words.words.contains { AddressKey.isDigit(words.folded[$0.lowerBound]) }
    }

    /// The first `limit` matches that `match` makes of the addresses, no address twice: exact numbers first, then those
    /// nearest to `bias` if that is given. `checkpoint` ends it by throwing.
    func matches(
        _ book: StreetAddresses, _ view: CatalogView, bias: Geo.Coordinate?, limit: Int, checkpoint: () throws -> Void,
        match: (Address) throws -> GeocodeMatch?
    ) throws -> [GeocodeMatch] {
        var taken: [(address: Address, match: GeocodeMatch)] = []
        for address in try ranked(book, view, bias, checkpoint) where taken.count < limit {
            try checkpoint()
            guard !taken.contains(where: { Self.isSame($0.address, address) }) else { continue }
            if let match = try match(address) { taken.append((address, match)) }
        }
        return taken.map(\.match)
    }

    /// The same as they are, and whether each has the very number.
    func addresses(
        _ book: StreetAddresses, _ view: CatalogView, bias: Geo.Coordinate?, limit: Int, checkpoint: () throws -> Void
    ) throws -> [(address: Address, isExact: Bool)] {
        let exact = Set(readings.filter { !$0.isEnd }.map(\.key))
        var taken: [Address] = []
        for address in try ranked(book, view, bias, checkpoint) where taken.count < limit {
            if !taken.contains(where: { Self.isSame($0, address) }) { taken.append(address) }
        }
        return taken.map { ($0, exact.contains($0.key)) }
    }

    private func ranked(
        _ book: StreetAddresses, _ view: CatalogView, _ bias: Geo.Coordinate?, _ checkpoint: () throws -> Void
    ) throws -> [Address] {
        var found: [Address] = []
        for reading in readings {
            for address in try book.addresses(of: reading.key, in: view, checkpoint: checkpoint)
            where isTrue(reading, of: address) { found.append(address) }
        }
        let exact = Set(readings.filter { !$0.isEnd }.map(\.key))
        return found.map { (rank(of: $0, exact, bias), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private func rank(
        of address: Address, _ exact: Set<UInt64>, _ bias: Geo.Coordinate?
    ) -> (isOther: Int, metres: Double, name: String) {
        (exact.contains(address.key) ? 0 : 1, bias?.metres(to: address.position) ?? 0, address.name)
    }

    var readings: [Reading] {
        words.words.indices.flatMap { start -> [Reading] in
            guard AddressKey.isDigit(words.folded[words.words[start].lowerBound]) else { return [] }
            let ends = start + 1...min(start + Self.mostNumberWords, words.count)
            return ends.flatMap { streets(beside: start..<$0) }
        }
    }

    private func streets(beside number: Range<Int>) -> [Reading] {
        let before = (max(0, number.lowerBound - Self.mostStreetWords)..<number.lowerBound).map {
            $0..<number.lowerBound
        }
        let last = min(words.count, number.upperBound + Self.mostStreetWords)
        let behind = (number.upperBound..<last).map { number.upperBound..<$0 + 1 }
        return (before + behind).flatMap { street in
            let span = min(street.lowerBound, number.lowerBound)..<max(street.upperBound, number.upperBound)
            let name = words.text(street)
            return [Reading(key: AddressKey.hash(street: name, number: words.text(number)), span: span)]
                + ends(of: number).map { end in
                    Reading(key: AddressKey.hash(street: name, number: words.text(end)), span: span, isEnd: true)
                }
        }
    }

    /// Both ends of a range of numbers.
    private func ends(of number: Range<Int>) -> [Range<Int>] {
        let areNumbers = number.allSatisfy { AddressKey.isDigit(words.folded[words.words[$0].lowerBound]) }
        return number.count == 2 && areNumbers ? number.map { $0..<$0 + 1 } : []
    }

    private func isTrue(_ reading: Reading, of address: Address) -> Bool {
        cover(0..<reading.span.lowerBound, of: address) && cover(reading.span.upperBound..<words.count, of: address)
    }

    /// Whether the words can be split into parts that all apply to the address.
    private func cover(_ span: Range<Int>, of address: Address) -> Bool {
        if span.isEmpty { return true }
        return (span.lowerBound + 1...span.upperBound).contains { end in
            isTrue(span.lowerBound..<end, of: address) && cover(end..<span.upperBound, of: address)
        }
    }

    private func isTrue(_ part: Range<Int>, of address: Address) -> Bool {
        let key = NameKey.letters(words.text(part))
        if [address.city, address.postcode].contains(where: { NameKey.letters(FoldedText($0).bytes) == key }) {
            return true
        }
        return table?[part].contains { isAround($0, address.position) } ?? false
    }

    private func isAround(_ entry: NameTable.Entry, _ position: Geo.Coordinate) -> Bool {
        guard entry.record.kind == .town else { return table?.extent(entry)?.contains(position) ?? false }
        return entry.record.position.metres(to: position) <= Self.townMetres
    }

    private static func isSame(_ a: Address, _ b: Address) -> Bool {
        a.position.metres(to: b.position) <= sameMetres && a.key == b.key
    }
}
