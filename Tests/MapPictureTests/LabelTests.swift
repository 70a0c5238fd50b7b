import TestTools
import Testing

@testable import MapPicture

@Suite("P29 names on a map picture")
struct LabelTests {
    @Test("cover neither each other nor the pin, at 200 places chosen by chance, and are whole in the picture")
    func apart() throws {
        var random = SeededGenerator(seed: 29)
        let towns = try Samples.data.largeTowns()
        for _ in 0..<200 {
            let town = try #require(towns.randomElement(using: &random))
            let view = MapView(
                latitude: town.point.latitude + .random(in: -0.4...0.4, using: &random),
                longitude: town.point.longitude, span: [0.2, 1, 3, 10, 40, 120].randomElement(using: &random) ?? 1,
                width: 300, height: 240, scale: 1)
            let labels = try Samples.picture(view).labels
            let frame = ScreenBox(left: 0, top: 0, right: 300, bottom: 240)
            let pin = PinMark(tip: frame.centre, tint: .green).box
            for (index, label) in labels.enumerated() {
                #expect(frame.contains(label.box) && !label.box.overlaps(pin), "\(label.text) \(view)")
                let others = labels[(index + 1)...]
                #expect(!others.contains { $0.box.overlaps(label.box) }, "\(label.text) \(view)")
            }
        }
    }

    @Test("are those of the towns around, the large ones at least")
    func near() throws {
        func names(_ place: Int) throws -> [String] {
            try Samples.picture(Samples.places[place].view()).labels.map(\.text)
        }
        #expect(try Set(names(1)).isSuperset(of: ["Paris", "Cergy-Pontoise", "Chartres"]))
        #expect(try Set(names(6)).isSuperset(of: ["Tokyo", "Yokohama", "Chiba"]))
        #expect(try Set(names(7)).isSuperset(of: ["Dubai", "Bandar Abbas"]))
        #expect(try Set(names(5)).isSuperset(of: ["AUSTRALIA", "Honolulu"]))
    }

    @Test("of towns stand below their dots where they can: first those that the web's map has", arguments: 1...7)
    func towns(place: Int) throws {
        let view = Samples.places[place].view()
        let (labels, projection) = (try Samples.picture(view).labels, view.projection)
        var sides: [Bool?] = []
        for label in labels {
            guard let (sign, dot) = label.sign, case .dot = sign else { continue }
            sides.append(label.centre.x == dot.x ? label.centre.y > dot.y : nil)
        }
        #expect(sides.filter { $0 == true }.count >= sides.filter { $0 != true }.count)
        guard projection.level >= 3 else { return }
        let web = try Samples.data.world(view).filter {
            $0.layer == "places" && $0.facts.from <= Double(projection.level)
                && projection.frame.contains(projection.point($0.box.centre))
        }
        let first = web.min { ($0.facts.from, $1.facts.population) < ($1.facts.from, $0.facts.population) }
        #expect(first == nil || labels.contains { $0.text == first?.name }, "\(first?.name ?? "")")
    }

    @Test("of a city's streets run along them")
    func streets() throws {
        let labels = try Samples.picture(Samples.places[0].view()).labels
        #expect(labels.contains { $0.text == "Aleksanterinkatu" })
        #expect(labels.contains { abs($0.angle) > 0.3 })
        #expect(labels.allSatisfy { abs($0.angle) <= .pi / 2 })
    }

    @Test("are read from the table of all towns, those with most people first")
    func table() throws {
        let helsinki = MapBox(west: 24.5, south: 60, east: 25.5, north: 60.5)
        let towns = try Samples.data.towns(in: helsinki, limit: 3)
        #expect(towns.map(\.name) == ["Helsinki", "Espoo", "Vantaa"])
        let dateLine = MapBox(west: 179, south: -18, east: 181, north: -16)
        let fiji = try Samples.data.towns(in: dateLine, limit: 100)
        #expect(fiji.contains { $0.point.longitude > 0 } || fiji.contains { $0.point.longitude < 0 })
        #expect(fiji.allSatisfy { dateLine.contains($0.point) })
    }

    @Test("a table that is damaged is refused, and a row without a position left out")
    func damaged() throws {
        let folder = TemporaryFolder()
        try folder.write("no gzip", to: "towns.tsv.gz")
        #expect(throws: MapProblem.self) { try TownTable(file: "\(folder.path)/towns.tsv.gz") }
        #expect(throws: MapProblem.self) { try TownTable(file: "\(folder.path)/none") }
    }
}
