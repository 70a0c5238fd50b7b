import Bytes
import Geo

/// Collects names, and makes the file of an index of them.
struct NameIndexBuilder {
    private static let maximumTermsOfName = 40

    private var terms = TermTable()
    /// Numbers of term and name in one word each.
    private var pairs: [UInt64] = []
    private var items: [UInt32] = []
    private var sizes: [UInt8] = []
    private var weights: [UInt8] = []
    /// Of the last item: names that are the same when they are folded are kept once.
    private var namesOfItem: Set<UInt64> = []

    /// Names so far.
    var count: Int { items.count }
    var isFull: Bool { count >= NameIndexLayout.maximumNames }

    /// Adds a folded name of an item; items come in ascending order. One without any letter is left out.
    mutating func add(_ folded: [UInt8], item: UInt32, points: Double, of subject: NameSubject = .thing) {
        if items.last != item { namesOfItem.removeAll(keepingCapacity: true) }
        guard !isFull, !folded.isEmpty, namesOfItem.insert(Self.hash(folded, subject)).inserted else { return }
        let name = UInt64(count)
        var found: [UInt32] = []
        let size = NameTerms.forEach(in: folded[...]) { term in
            if found.count < Self.maximumTermsOfName { found.append(terms.number(of: term)) }
        }
        for term in Set(found) { pairs.append(UInt64(term) << 32 | name) }
        items.append(item)
        sizes.append(subject.packed(size: size))
        weights.append(NameWeight.packed(points))
    }

    private static func hash(_ folded: [UInt8], _ subject: NameSubject) -> UInt64 {
        var hash = StableHash()
        hash.add(folded)
        hash.add(subject.found.rawValue)
        return hash.value
    }

    /// The bytes of the file.
    /// - Parameter source: what the names are of; an index of something else is not used.
    consuming func bytes(of source: UInt64, isLast: Bool = true) -> [UInt8] {
        let order = terms.sorted()
        var rank = [UInt32](repeating: 0, count: order.count)
        for (place, term) in order.enumerated() { rank[Int(term)] = UInt32(truncatingIfNeeded: place) }
        for index in pairs.indices {
            pairs[index] = UInt64(rank[Int(pairs[index] >> 32)]) << 32 | pairs[index] & 0xFFFF_FFFF
        }
        pairs.sort()
        let (starts, lists) = Self.lists(of: pairs, terms: order.count)
        let layout = NameIndexLayout(
            terms: order.count, names: count, termBytes: terms.byteCount, listBytes: lists.count)
        var body: [UInt8] = []
        body.reserveCapacity(layout.fileBytes)
        Self.append(source, to: &body)
        for number in [layout.terms, layout.names, layout.termBytes, layout.listBytes, isLast ? 1 : 0] {
            Self.append(UInt32(clamping: number), to: &body)
        }
        body += [UInt8](repeating: 0, count: NameIndexLayout.headerBytes - NameIndexLayout.checkedFrom - body.count)
        var start: UInt32 = 0
        for term in order {
            Self.append(start, to: &body)
            start += UInt32(terms.length(of: term))
        }
        Self.append(start, to: &body)
        for start in starts { Self.append(start, to: &body) }
        for item in items { Self.append(item, to: &body) }
        body += sizes
        body += weights
        for term in order { body += terms.text(of: term) }
        body += lists
        var file = NameIndexLayout.magic
        file.reserveCapacity(layout.fileBytes)
        Self.append(Checksum.of(body), to: &file)
        return file + body
    }

    private static func lists(of pairs: [UInt64], terms: Int) -> (starts: [UInt32], bytes: [UInt8]) {
        var starts: [UInt32] = []
        var bytes: [UInt8] = []
        var last: UInt64 = 0
        for pair in pairs {
            let (term, name) = (Int(pair >> 32), pair & 0xFFFF_FFFF)
            while starts.count <= term {
                starts.append(UInt32(clamping: bytes.count))
                last = 0
            }
            append(difference: name - last, to: &bytes)
            last = name
        }
        while starts.count <= terms { starts.append(UInt32(clamping: bytes.count)) }
        return (starts, bytes)
    }

    private static func append(difference: UInt64, to bytes: inout [UInt8]) {
        var rest = difference
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    private static func append<N: FixedWidthInteger>(_ number: N, to bytes: inout [UInt8]) {
        unsafe withUnsafeBytes(of: number.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }
}

/// Numbers for terms, in the order in which they came: open addressing over their numbers, grown by doubling.
private struct TermTable {
    private var texts: [UInt8] = []
    private var starts: [UInt32] = [0]
    private var hashes: [UInt32] = []
    private var slots = [UInt32](repeating: 0, count: 1024)

    private var count: Int { hashes.count }
    var byteCount: Int { texts.count }

    func text(of term: UInt32) -> ArraySlice<UInt8> { texts[Int(starts[Int(term)])..<Int(starts[Int(term) + 1])] }

    func length(of term: UInt32) -> Int { Int(starts[Int(term) + 1] - starts[Int(term)]) }

    mutating func number(of term: ArraySlice<UInt8>) -> UInt32 {
        var hash = StableHash()
        for byte in term { hash.add(byte) }
        let short = UInt32(truncatingIfNeeded: hash.value ^ hash.value >> 32)
        var slot = Int(short) & (slots.count - 1)
        while slots[slot] != 0 {
            let other = slots[slot] - 1
            if hashes[Int(other)] == short, text(of: other) == term { return other }
            slot = (slot + 1) & (slots.count - 1)
        }
        let number = UInt32(count)
        slots[slot] = number + 1
        hashes.append(short)
        texts += term
        starts.append(UInt32(texts.count))
        if count * 2 > slots.count { grow() }
        return number
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count * 2)
        for (number, hash) in hashes.enumerated() {
            var slot = Int(hash) & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(number) + 1
        }
    }

    /// All terms in the order of their bytes. Most pairs differ in their first eight, which are compared as a number.
    func sorted() -> [UInt32] {
        let beginnings = (0..<UInt32(count)).map { term -> UInt64 in
            let text = text(of: term).prefix(8)
            return text.reduce(0) { $0 << 8 | UInt64($1) } << UInt64(8 * (8 - text.count))
        }
        return (0..<UInt32(count)).sorted {
            let (left, right) = (beginnings[Int($0)], beginnings[Int($1)])
            return left == right ? text(of: $0).lexicographicallyPrecedes(text(of: $1)) : left < right
        }
    }
}
