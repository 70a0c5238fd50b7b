import Geo
import Texts

/// Puts the sections of a gazetteer's file together.
struct GazetteerWriter {
    private static let longestSpelling = 40

    private struct Name {
        let hash: UInt64
        let target: GazetteerTarget
    }

    private struct Spelling {
        let text: Range<Int>
        let target: GazetteerTarget
        let letters: LetterSet
    }

    private var names: [Name] = []
    private var records: [UInt8] = []
    private var populations: [UInt32] = []
    private var extents: [UInt8] = []
    private var spellings: [Spelling] = []
    private var texts: [UInt8] = []
    private var folded = FoldedText()

    /// Records so far, which is also the number of the next one.
    var count: UInt32 { UInt32(populations.count) }

    func population(of record: UInt32) -> UInt32 { populations[Int(record)] }

    /// Adds a record; its name is put among the texts.
    mutating func add(_ row: GazetteerRow) {
        let name = Array(row.name.utf8.prefix(Int(UInt16.max)))
        for number in [row.latitudeE7, row.longitudeE7] { Self.append(number, to: &records) }
        for number in [row.population, row.sourceID, UInt32(clamping: texts.count)] {
            Self.append(number, to: &records)
        }
        for number in [row.country, row.region, UInt16(clamping: name.count)] { Self.append(number, to: &records) }
        records += [row.kind.rawValue, 0]
        for number in [row.code, 0] { Self.append(number, to: &records) }
        texts += name
        for edge in row.extentE7 { Self.append(edge, to: &extents) }
        populations.append(row.population)
    }

    /// Lets `text` lead to a record. With `spelledFrom` it is found with a typing mistake too, when it has at least so
    /// many letters.
    mutating func name(_ text: String, _ target: GazetteerTarget, spelledFrom shortest: Int? = nil) {
        folded.removeAll()
        folded.add(text)
        guard !folded.bytes.isEmpty else { return }
        names.append(Name(hash: NameKey.hash(folded.bytes), target: target))
        if let shortest { spell(NameKey.letters(folded.bytes), target, from: shortest) }
    }

    /// Only Latin letters: elsewhere a letter is several bytes.
    private mutating func spell(_ key: [UInt8], _ target: GazetteerTarget, from shortest: Int) {
        guard shortest...Self.longestSpelling ~= key.count, key.allSatisfy({ $0 < 0x80 }) else { return }
        spellings.append(
            Spelling(text: texts.count..<texts.count + key.count, target: target, letters: LetterSet(key)))
        texts += key
    }

    /// The file's bytes.
    consuming func bytes(edition: UInt64) -> [UInt8] {
        let populations = populations
        names.sort {
            if $0.hash != $1.hash { return $0.hash < $1.hash }
            let people = (populations[Int($0.target.record)], populations[Int($1.target.record)])
            return people.0 != people.1 ? people.0 > people.1 : $0.target.packed < $1.target.packed
        }
        spellings.sort { ($0.text.count, $0.text.lowerBound) < ($1.text.count, $1.text.lowerBound) }
        let layout = GazetteerLayout(
            names: names.count, records: populations.count, extents: extents.count / GazetteerLayout.extentBytes,
            spellings: spellings.count, textBytes: texts.count)
        var body: [UInt8] = []
        body.reserveCapacity(layout.fileBytes)
        Self.append(edition, to: &body)
        for count in [layout.names, layout.records, layout.extents, layout.spellings, layout.textBytes] {
            Self.append(UInt32(clamping: count), to: &body)
        }
        appendSections(layout, to: &body)
        return GazetteerLayout.magic + Self.packed(Checksum.of(body)) + body
    }

    /// `body` begins behind the checksum.
    private func appendSections(_ layout: GazetteerLayout, to body: inout [UInt8]) {
        func fill(to offset: Int) {
            body += [UInt8](repeating: 0, count: offset - GazetteerLayout.checkedFrom - body.count)
        }
        fill(to: layout.hashesAt)
        for name in names { Self.append(name.hash, to: &body) }
        for name in names { Self.append(name.target.packed, to: &body) }
        fill(to: layout.recordsAt)
        body += records
        body += extents
        for spelling in spellings {
            Self.append(spelling.letters.bits, to: &body)
            Self.append(spelling.target.packed, to: &body)
            Self.append(UInt32(clamping: spelling.text.lowerBound), to: &body)
            Self.append(UInt32(clamping: spelling.text.count), to: &body)
        }
        body += texts
    }

    private static func append<N: FixedWidthInteger>(_ number: N, to bytes: inout [UInt8]) {
        unsafe withUnsafeBytes(of: number.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    private static func packed(_ number: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        append(number, to: &bytes)
        return bytes
    }
}

/// What becomes a record.
struct GazetteerRow {
    var kind: GazetteerRecord.Kind
    var name: String
    var latitudeE7: Int32
    var longitudeE7: Int32
    var population: UInt32
    var sourceID: UInt32 = 0
    var country: UInt16
    var region: UInt16
    var code: UInt16 = 0
    /// South, west, north, east; of a town nothing.
    var extentE7: [Int32] = []
}
