import Testing

@testable import PlacesService

@Suite("P50 Areas of relations that are wrong")
struct BrokenAreaTests {
    /// A country of 10 by 10 degrees with a lake of its neighbour's in the middle, each of its four sides a way, as a
    /// relation may say it right or wrong.
    enum Fault: CaseIterable {
        case none, noRoles, allInner, lakeIsOuter, outerIsInnerOfNothing
        case doubledWay, doubledCopy, doubledReversed, wayAcross, spur, tail, extraRing
        case openRing, missingWay, missingNode, onlyHole, noMembers
    }

    private static let country: MapFile.Tags = [
        ("type", "boundary"), ("boundary", "administrative"), ("admin_level", "2"), ("name", "Land"),
        ("ISO3166-1", "ZZ"),
    ]

    private static func file(_ fault: Fault) -> MapFile {
        var file = MapFile()
        let corners = [(0.0, 0.0), (0, 10), (10, 10), (10, 0)].map { file.node($0.0, $0.1) }
        let last = fault == .openRing ? file.node(5, 0) : corners[0]
        let middles = [(0.0, 5.0), (5, 10), (10, 5)].map { file.node($0.0, $0.1) }
        var ids = (0..<3).map { file.way(through: [corners[$0], middles[$0], corners[$0 + 1]]) }
        ids.append(
            fault == .openRing
                ? file.way(through: [corners[3], file.node(9, 0), file.node(8, 0)])
                : file.way(through: [corners[3], file.node(5, 0), last]))
        if fault == .missingNode { ids[3] = file.way(through: [corners[3], 9_999, corners[0]]) }
        let lake = file.way([(4, 4), (4, 6), (6, 6), (6, 4)], closed: true)
        var members = ids.map { (way: $0, role: "outer") } + [(way: lake, role: "inner")]
        switch fault {
        case .none, .openRing, .missingNode: break
        case .noRoles: members = members.map { ($0.way, "") }
        case .allInner: members = members.map { ($0.way, "inner") }
        case .lakeIsOuter: members[4].role = "outer"
        case .outerIsInnerOfNothing: members.append((file.way([(20, 20), (20, 21), (21, 21)], closed: true), "inner"))
        case .doubledWay: members.append(members[1])
        case .doubledCopy: members.append((file.way(through: [corners[1], middles[1], corners[2]]), "outer"))
        case .doubledReversed: members.append((file.way(through: [corners[2], middles[1], corners[1]]), "outer"))
        case .wayAcross: members.append((file.way(through: [corners[0], corners[2]]), "outer"))
        case .spur: members.append((file.way(through: [corners[2], file.node(12, 12)]), "outer"))
        case .tail:
            let end = file.node(-3, -3)
            members.append((file.way(through: [corners[0], end]), "outer"))
            members.append((file.way(through: [end, file.node(-6, -2)]), "outer"))
        case .extraRing: members.append((file.way([(30, 30), (30, 31), (31, 31)], closed: true), "outer"))
        case .missingWay: members[1].way = 9_999
        case .onlyHole: members = [(9_998, "outer"), members[4]]
        case .noMembers: members = []
        }
        file.relation(members, country)
        return file
    }

    @Test("a country is where it is, or nowhere, and never covers the world", arguments: Fault.allCases)
    func faults(_ fault: Fault) throws {
        let areas = try AreaFile(Self.file(fault))
        let isWhole = ![.openRing, .missingWay, .missingNode, .onlyHole, .noMembers].contains(fault)
        for (latitude, longitude) in [(1.0, 1.0), (9, 9), (5, 2), (2, 5), (5, 8), (8, 5)] {
            let found = try areas.names(latitude, longitude)
            #expect(found == (isWhole ? ["Land"] : []), "\(fault)")
        }
        #expect(try areas.names(5, 5).isEmpty, "the lake is another's: \(fault)")
        for (latitude, longitude) in [(-1.0, 5.0), (11, 5), (5, -1), (5, 11), (5, 100), (5, -170), (89, 0), (-89, 0)] {
            #expect(try areas.names(latitude, longitude).isEmpty, "\(fault)")
        }
        let island = try areas.names(30.2, 30.6)
        #expect(island == (fault == .extraRing ? ["Land"] : []))
        let isSaid = !isWhole && fault != .noMembers || fault == .wayAcross
        #expect((areas.problem != nil) == isSaid, "\(fault)")
    }

    @Test("what goes around the Earth far from a pole is no area")
    func aroundTheEarth() throws {
        var file = MapFile()
        let ids = stride(from: -180.0, to: 180, by: 30).map { file.node(10, $0) }
        let way = file.way(through: ids + [ids[0]])
        file.relation([(way, "outer")], Self.country)
        let areas = try AreaFile(file)
        for latitude in [50.0, -50] { #expect(try areas.names(latitude, 0).isEmpty) }
        #expect(areas.problem != nil)
    }

    @Test("two outer rings that touch, and a ring that touches itself, are both inside")
    func touching() throws {
        var file = MapFile()
        let middle = file.node(5, 5)
        let left = file.way(through: [middle, file.node(0, 0), file.node(0, 5), middle])
        let right = file.way(through: [middle, file.node(10, 10), file.node(10, 5), middle])
        file.relation([(left, "outer"), (right, "outer")], Self.country)
        let own = [middle, file.node(4, 30), file.node(6, 30), middle, file.node(6, -30), file.node(4, -30)]
        _ = file.way(
            through: own + [middle], [("boundary", "administrative"), ("admin_level", "8"), ("name", "Bow")])
        let areas = try AreaFile(file)
        let found = try [(1.0, 2.0), (9, 8), (5.1, 25), (5.1, -25), (2, 8)].map { try areas.names($0.0, $0.1) }
        #expect(found == [["Land"], ["Land"], ["Bow"], ["Bow"], []])
    }
}
