import FeatureFiles
import PlaceContracts
import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite("P65 An .osm.pbf with changes applied")
struct ChangedFileTests {
    /// The elements of a file, in its order.
    private static func elements(_ path: String) throws -> [OSMElement] {
        let file = try FileSource(path: path)
        var reader = BlobReader(file, limitBytes: 1 << 30)
        var found: [OSMElement] = []
        while let entry = try reader.next() {
            guard entry.type == "OSMData" else { continue }
            let block = try OSMBlock(try reader.content(of: entry), entry.place)
            for kind in OSMElement.Kind.allCases { found += try block.elements(kind) }
        }
        return found
    }

    /// What a file has after a file of changes, by the reader and the writer of the import.
    private static func applied(
        _ changes: String, to bytes: [UInt8]
    ) throws -> (elements: [OSMElement], bytes: [UInt8]) {
        let folder = TemporaryFolder()
        try WholeFile.write(bytes, to: folder.file("a.osm.pbf"))
        try WholeFile.write(Array(changes.utf8), to: folder.file("a.osc"))
        let collector = ChangeCollector()
        var reader = try ChangeReader(try FileSource(path: folder.file("a.osc")), into: collector)
        while try reader.readOn() {}
        var changed = ChangedFile(
            try FileSource(path: folder.file("a.osm.pbf")), collector.changes, limitBytes: 1 << 30
        ) { _ in }
        let size = try changed.write(to: folder.file("b.osm.pbf")) {}
        let result = try WholeFile.bytes(folder.file("b.osm.pbf"))
        #expect(result.count == Int(size))
        return (try elements(folder.file("b.osm.pbf")), result)
    }

    private static let base: [OSMElement] = [
        .node(2, 1, 2), .node(4, 1.1, 2, [("amenity", "cafe"), ("name", "Four")]), .node(6, 1.2, 2), .node(9, 1.3, 2),
        .way(3, [2, 4], [("highway", "service")]), .way(5, [6, 9]),
        .relation(8, [.init(kind: .way, id: 3, role: Array("outer".utf8)), .init(kind: .relation, id: 1, role: [])]),
    ]

    @Test("has what was made, changed and removed, each where its id belongs")
    func order() throws {
        var changes = ChangeFile()
        changes.create(.node(1, 5, 6))
        changes.modify(.node(4, 7, 8, [("name", "Moved & <4>")]))
        changes.delete(.node, 6)
        changes.create(.node(12, 1, 1))
        changes.create(.way(4, [1, 12]))
        changes.delete(.way, 5)
        changes.create(.relation(9, []))
        let found = try Self.applied(changes.text, to: PBFFile(Self.base).bytes).elements
        #expect(
            found == [
                .node(1, 5, 6), Self.base[0], .node(4, 7, 8, [("name", "Moved & <4>")]), Self.base[3],
                .node(12, 1, 1), Self.base[4], .way(4, [1, 12]), Self.base[6], .relation(9, []),
            ])
    }

    @Test("keeps the bytes of blobs in which nothing changes")
    func copied() throws {
        var changes = ChangeFile()
        changes.modify(.node(901, 1, 1))
        let nodes = (1...1000).map { OSMElement.node($0, Double($0) / 1000, 2) }
        let before = PBFFile(nodes, perBlob: 100)
        let (elements, after) = try Self.applied(changes.text, to: before.bytes)
        #expect(elements.count == 1000 && elements[900] == .node(901, 1, 1))
        // The blobs of the first 900, behind a header that is another.
        let part = Array(before.bytes.dropFirst(before.bytes.count / 4).prefix(before.bytes.count / 2))
        #expect(after.indices.contains { after[$0...].starts(with: part) })
    }

    @Test(
        "has exactly what a list of elements has after the same changes, sorted or not, whatever its blobs hold",
        arguments: 0..<60)
    func model(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let isSorted = seed % 3 != 0
        var elements: [OSMElement] = []
        for kind in OSMElement.Kind.allCases {
            let count = Int.random(in: 0...40, using: &generator)
            var ids = Array(Set((0..<count).map { _ in Int64.random(in: -50...100, using: &generator) })).sorted()
            if !isSorted { ids.shuffle(using: &generator) }
            elements += ids.map { Self.element(kind, $0, &generator) }
        }
        var (changes, model) = (ChangeFile(), elements)
        for _ in 0..<Int.random(in: 0...60, using: &generator) {
            let kind = OSMElement.Kind.allCases.randomElement(using: &generator) ?? .node
            let id = Int64.random(in: -60...120, using: &generator)
            let place = model.firstIndex { $0.kind == kind && $0.id == id }
            guard Int.random(in: 0...2, using: &generator) > 0 else {
                changes.delete(kind, id)
                if let place { model.remove(at: place) }
                continue
            }
            let element = Self.element(kind, id, &generator)
            // Two changes of one element, in the file's order: the last one counts.
            if Bool.random(using: &generator) { changes.create(Self.element(kind, id, &generator)) }
            changes.modify(element)
            if let place { model[place] = element } else { model.append(element) }
        }
        let bytes = PBFFile(elements, perBlob: Int.random(in: 1...9, using: &generator)).bytes
        let found = try Self.applied(Self.withoutVersions(changes.text), to: bytes).elements
        func sorted(_ elements: [OSMElement]) -> [OSMElement] {
            elements.sorted { ($0.kind.rawValue, $0.id) < ($1.kind.rawValue, $1.id) }
        }
        #expect(sorted(found) == sorted(model))
        if isSorted { #expect(found == sorted(model)) }
    }

    /// The order of the file decides where no versions do.
    private static func withoutVersions(_ text: String) -> String {
        text.replacing(" version=\"9\"", with: "").replacing(" version=\"2\"", with: "")
    }

    private static func element(_ kind: OSMElement.Kind, _ id: Int64, _ generator: inout SeededGenerator) -> OSMElement
    {
        let number = Int64.random(in: 0...1000, using: &generator)
        let tags = number % 3 == 0 ? [("name", "n\(number)"), ("k\(number % 7)", "")] : []
        switch kind {
        case .node: return .node(id, Double(number) / 100, Double(-number) / 7, tags)
        case .way: return .way(id, (0..<number % 5).map { $0 * 3 - 2 }, tags)
        case .relation:
            return .relation(
                id, (0..<number % 4).map { .init(kind: .allCases[Int($0) % 3], id: -$0, role: Array("r\($0)".utf8)) },
                tags)
        }
    }

    @Test("of two changes of one element the one with the higher version counts, in whichever order they come")
    func versions() throws {
        let text = """
            <osmChange><modify><node id="4" version="7" lat="3" lon="3"/></modify>
            <modify><node id="4" version="6" lat="5" lon="5"/></modify>
            <delete><node id="9" version="3"/></delete><modify><node id="9" version="2" lat="1" lon="1"/></modify>
            </osmChange>
            """
        let found = try Self.applied(text, to: PBFFile(Self.base).bytes).elements
        #expect(found.contains(.node(4, 3, 3)) && !found.contains { $0.kind == .node && $0.id == 9 })
    }

    @Test("an element that can't be read costs itself alone, and is named by its line")
    func badElements() throws {
        let text = """
            <osmChange><create>
            <node id="x" lat="1" lon="1"/>
            <node id="20" lat="91" lon="1"/>
            <node id="21" lat="nan" lon="1"/>
            <way id="22"><nd ref="1"/><nd ref="a"/></way>
            <relation id="23"><member type="shop" ref="1" role=""/></relation>
            <node id="24" lat="1" lon="1"><tag k="a"/><tag k="name" v="Good"/></node>
            </create></osmChange>
            """
        let folder = TemporaryFolder()
        try WholeFile.write(Array(text.utf8), to: folder.file("a.osc"))
        let collector = ChangeCollector()
        var reader = try ChangeReader(try FileSource(path: folder.file("a.osc")), into: collector)
        while try reader.readOn() {}
        #expect(collector.takeProblems().map(\.line) == [2, 3, 4, 5, 6])
        #expect(collector.changes.sorted(.node).map(\.element) == [.node(24, 1, 1, [("name", "Good")])])
        #expect(collector.changes.sorted(.way).isEmpty && collector.changes.sorted(.relation).isEmpty)
    }

    @Test("an element with more text or parts than any has costs itself alone, and no memory")
    func large() throws {
        let text = String(repeating: "x", count: 500_000)
        var changes = ChangeFile()
        changes.add("<create><node id=\"1\" lat=\"1\" lon=\"1\">")
        for index in 0..<20 { changes.add("<tag k=\"k\(index)\" v=\"\(text)\"/>") }
        changes.add("</node><way id=\"2\">" + String(repeating: "<nd ref=\"1\"/>", count: 100_001) + "</way></create>")
        changes.create(.node(24, 1, 1))
        let folder = TemporaryFolder()
        try WholeFile.write(Array(changes.text.utf8), to: folder.file("a.osc"))
        let collector = ChangeCollector()
        var reader = try ChangeReader(try FileSource(path: folder.file("a.osc")), into: collector)
        while try reader.readOn() {}
        #expect(collector.takeProblems().count == 2)
        #expect(collector.changes.sorted(.node).map(\.id) == [24] && collector.changes.sorted(.way).isEmpty)
    }

    @Test("numbers that a file says of itself are taken for none where no folder of diffs, and no time, has them")
    func numbers() {
        for number in [Int64.min, -1, 1_000_000_000, .max] {
            let header = PbfHeader(replicationTimestamp: number, replicationSequenceNumber: number)
            let facts = SourceFacts(header, byteCount: 1, SourceFacts(updates: "https://a.example", isFollowed: true))
            #expect(facts.sequence == nil && facts.problem != nil)
            #expect(number == 1_000_000_000 || facts.dataTime == nil)
        }
    }

    @Test(
        "what is no whole file of changes is refused as a whole",
        arguments: [
            "", "<osm/>", "<osmChange><create>", "no XML", "<!DOCTYPE a [<!ENTITY b \"c\">]><osmChange/>",
            "<osmChange><create><node id=\"1\" lat=\"1\" lon=\"1\"/></create>",
        ])
    func cut(text: String) throws {
        #expect(throws: PlacesError.self) { try Self.applied(text, to: PBFFile(Self.base).bytes) }
    }

    @Test("a file whose ways say where they are by themselves is refused, as no change could move them")
    func located() throws {
        var file = MapFile()
        file.way([(1, 2), (1, 3)], [("highway", "service")])
        file.hasLocationsOnWays = true
        var changes = ChangeFile()
        changes.modify(.way(1, [1, 2]))
        #expect(throws: PlacesError.self) { try Self.applied(changes.text, to: file.bytes) }
    }
}
