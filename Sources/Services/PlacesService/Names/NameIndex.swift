import Geo
import Glibc

/// The terms of names, each with the names that have it, in a mapped file or in memory.
///
/// `@unchecked Sendable`: its properties are constants; the pointer leads into a read-only mapping that lives as long
/// as this object and whose file is never written again.
@safe
final class NameIndex: @unchecked Sendable {
    /// The file can't be used and is to be made again.
    struct Unusable: Error {}

    /// A name as the index knows it.
    struct Name {
        /// What it leads to.
        let item: UInt32
        /// Its words.
        let size: Int
        let subject: NameSubject
        let points: Float
    }

    private let file: MappedFile
    private let layout: NameIndexLayout
    private let fence: TermFence
    private let filter: TermFilter
    /// Whether no other file follows.
    let isLast: Bool

    /// Opens the file of an index of `source`. Reads and checks all of it.
    init(path: String, of source: UInt64) throws {
        let file = try MappedFile(path: path)
        let bytes = unsafe file.bytes
        guard let layout = unsafe NameIndexLayout(bytes), unsafe bytes.word(at: 16, UInt64.self) == source,
            unsafe Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[NameIndexLayout.checkedFrom...]))
                == bytes.word(at: 8, UInt64.self)
        else { throw Unusable() }
        let (fence, filter) = unsafe (Self.fence(bytes, layout), Self.filter(bytes, layout))
        // The check has touched every page; only pages used by look-ups should stay in memory.
        _ = unsafe madvise(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count, MADV_DONTNEED)
        isLast = unsafe bytes.word(at: 40, UInt32.self) == 1
        (self.fence, self.filter) = (fence, filter)
        self.file = file
        self.layout = layout
    }

    /// Takes what a builder made.
    init(memory: [UInt8]) throws {
        let file = try MappedFile(copying: memory)
        guard let layout = unsafe NameIndexLayout(file.bytes) else { throw Unusable() }
        isLast = true
        fence = unsafe Self.fence(file.bytes, layout)
        filter = unsafe Self.filter(file.bytes, layout)
        self.file = file
        self.layout = layout
    }

    /// How many names there are.
    var count: Int { layout.names }
    var fileBytes: Int { layout.fileBytes }

    /// A name; the number comes from a list and is below `count`.
    func name(_ number: Int) -> Name {
        guard number < layout.names else { return Name(item: .max, size: 0, subject: .thing, points: 0) }
        let (subject, size) = NameSubject.unpacked(unsafe file.bytes.word(at: layout.sizesAt + number, UInt8.self))
        return Name(
            item: unsafe file.bytes.word(at: layout.itemsAt + number * 4, UInt32.self),
            size: size, subject: subject,
            points: NameWeight.points(unsafe file.bytes.word(at: layout.weightsAt + number, UInt8.self)))
    }

    /// The terms that begin with this text.
    func terms(beginningWith text: [UInt8]) -> Range<Int> {
        terms(beginningWith: text, from: firstTerm(notBelow: text))
    }

    /// The same where the first one is known.
    func terms(beginningWith text: [UInt8], from first: Int) -> Range<Int> {
        first..<end(ofTermsBeginningWith: text, from: first)
    }

    /// The first term behind all that begin with this text. The search begins at a term that does, or that is the first
    /// one behind them, in steps that double.
    func end(ofTermsBeginningWith text: [UInt8], from first: Int) -> Int {
        unsafe text.withUnsafeBytes { text in
            unsafe self.first(from: first) {
                unsafe Self.compare(UnsafeRawBufferPointer(rebasing: $0.prefix(text.count)), text) > 0
            }
        }
    }

    /// Whether there may be a term with this text; for most texts without one false.
    func mayHave(_ text: [UInt8]) -> Bool { filter.mayHave(text) }

    /// The term with this text; none or one.
    func terms(equalTo text: [UInt8]) -> Range<Int> {
        let first = firstTerm(notBelow: text)
        guard first < layout.terms else { return first..<first }
        let isThere = unsafe withTerm(first) { term in
            unsafe text.withUnsafeBytes { unsafe Self.compare(term, $0) == 0 }
        }
        return first..<(isThere ? first + 1 : first)
    }

    /// Gives the bytes of a term, valid only inside of `body`.
    func withTerm<R>(_ term: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        unsafe body(Self.term(term, file.bytes, layout))
    }

    private static func term(
        _ term: Int, _ bytes: UnsafeRawBufferPointer, _ layout: NameIndexLayout
    ) -> UnsafeRawBufferPointer {
        let starts = layout.termStartsAt + term * 4
        let start = Int(unsafe bytes.word(at: starts, UInt32.self))
        let end = Int(unsafe bytes.word(at: starts + 4, UInt32.self))
        guard start <= end, end <= layout.termBytes else { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
        return unsafe UnsafeRawBufferPointer(rebasing: bytes[layout.termsAt + start..<layout.termsAt + end])
    }

    private static func fence(_ bytes: UnsafeRawBufferPointer, _ layout: NameIndexLayout) -> TermFence {
        unsafe TermFence(count: layout.terms) { number, key in unsafe key(term(number, bytes, layout)) }
    }

    private static func filter(_ bytes: UnsafeRawBufferPointer, _ layout: NameIndexLayout) -> TermFilter {
        var filter = TermFilter(count: layout.terms)
        for number in 0..<layout.terms { filter.add(unsafe TermFilter.hash(term(number, bytes, layout))) }
        return filter
    }

    /// At least as many names as have terms that follow each other: the bytes of their lists.
    func most(namesOf terms: Range<Int>) -> Int { listBytes(of: terms).count }

    /// The names that have one of some terms that follow each other.
    func names(of terms: Range<Int>) -> NameSet {
        NameSet(count: layout.names, most: most(namesOf: terms), isAscending: terms.count <= 1) { add in
            for term in terms { forEachName(of: term, add) }
        }
    }

    /// The names that have one of these terms.
    func names(ofAll runs: [Range<Int>]) -> NameSet {
        let most = runs.reduce(0) { $0 + self.most(namesOf: $1) }
        return NameSet(count: layout.names, most: most, isAscending: false) { add in
            for term in runs.joined() { forEachName(of: term, add) }
        }
    }

    private func listBytes(of terms: Range<Int>) -> Range<Int> {
        let first = Int(unsafe file.bytes.word(at: layout.listStartsAt + terms.lowerBound * 4, UInt32.self))
        let end = Int(unsafe file.bytes.word(at: layout.listStartsAt + terms.upperBound * 4, UInt32.self))
        return first..<max(first, min(end, layout.listBytes))
    }

    @inline(__always)
    private func forEachName(of term: Int, _ body: (Int) -> Void) {
        let place = listBytes(of: term..<term + 1)
        var at = place.lowerBound
        var name = 0
        while at < place.upperBound {
            var (difference, shift) = (0, 0)
            while at < place.upperBound, shift < 35 {
                let byte = unsafe file.bytes[layout.listsAt + at]
                difference |= Int(byte & 0x7F) << shift
                at += 1
                if byte < 0x80 { break }
                shift += 7
            }
            name += difference
            body(name)
        }
    }

    /// The first term that is not below a text in the order of bytes, or their number.
    private func firstTerm(notBelow text: [UInt8]) -> Int {
        let range = fence.terms(around: text)
        return unsafe text.withUnsafeBytes { text in
            var (low, high) = (range.lowerBound, range.upperBound)
            while low < high {
                let middle = (low + high) / 2
                if unsafe withTerm(middle, { unsafe Self.compare($0, text) >= 0 }) {
                    high = middle
                } else {
                    low = middle + 1
                }
            }
            return low
        }
    }

    /// The same from a term on that is below it; the search goes on in steps that double.
    func firstTerm(notBelow text: [UInt8], from first: Int) -> Int {
        unsafe text.withUnsafeBytes { text in
            unsafe self.first(from: first) { unsafe Self.compare($0, text) >= 0 }
        }
    }

    /// The first term from one on for which an ascending condition holds, or their number.
    private func first(from first: Int, where holds: (UnsafeRawBufferPointer) -> Bool) -> Int {
        var (low, step) = (first, 1)
        while low + step <= layout.terms, unsafe !withTerm(low + step - 1, holds) {
            low += step
            step *= 2
        }
        var high = min(low + step, layout.terms)
        while low < high {
            let middle = (low + high) / 2
            if unsafe withTerm(middle, holds) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Below, at or above 0 as the first is below, the same as or above the second in the order of bytes.
    private static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
        if let left = a.baseAddress, let right = b.baseAddress {
            let order = unsafe memcmp(left, right, min(a.count, b.count))
            if order != 0 { return Int(order) }
        }
        return a.count - b.count
    }
}

extension NameIndexLayout {
    /// What the header says; nil when it is none, or the file has another length.
    fileprivate init?(_ file: UnsafeRawBufferPointer) {
        guard file.count >= Self.headerBytes, unsafe file.prefix(8).elementsEqual(Self.magic) else { return nil }
        func count(_ index: Int) -> Int { Int(unsafe file.word(at: 24 + index * 4, UInt32.self)) }
        self.init(terms: count(0), names: count(1), termBytes: count(2), listBytes: count(3))
        guard fileBytes == file.count else { return nil }
    }
}

extension UnsafeRawBufferPointer {
    /// A little-endian number; `offset` is known to lie inside.
    @inline(__always)
    fileprivate func word<N: FixedWidthInteger>(at offset: Int, _ type: N.Type) -> N {
        N(littleEndian: unsafe loadUnaligned(fromByteOffset: offset, as: type))
    }
}
