import PlaceContracts
import EventLoops
import Files
import Geo
import Networks
import Storage
import TestTools
import Testing

@testable import PlacesService

@Suite("P12 P14 What live networks found is searched")
struct DiscoveredIndexTests {
    private static func place(_ number: Int, metresNorth: Double = 0, name: String? = nil) throws -> FoundPlace {
        try #require(
            FoundPlace(
                id: "node/\(number)", name: name ?? "Place \(number)", latitude: 60 + metresNorth / 111_195.08,
                longitude: 25 + Double(number) * 1e-5, categories: ["amenity/cafe"]))
    }

    private static func around(_ service: TestService, _ request: NearbyRequest? = nil) async throws -> [Place] {
        var request = request ?? NearbyRequest()
        request.centre = BaseContracts.Coordinate(latitude: 60, longitude: 25)
        request.limit = 200
        return try await service.nearby(request).places
    }

    @Test("as soon as it is stored, with the catalog's places, by name, category and network")
    func atOnce() async throws {
        try await TestService.run { service in
            try await service.load("id\tname\tlat\tlon\n1\tOld\t60\t25\n")
            try await service.index.upsert(
                [Self.place(1), Self.place(2, name: "Töölö")], network: .openstreetmap, seen: 0)
            try await service.index.upsert([Self.place(1)], network: .foursquare, seen: 0)
            let ids = try await Self.around(service).map(\.id)
            #expect(ids == ["catalog/test/1", "foursquare/node/1", "openstreetmap/node/1", "openstreetmap/node/2"])
            let named = try await Self.around(service, NearbyRequest(nameText: "toolo")).map(\.id)
            #expect(named == ["openstreetmap/node/2"])
            let network = try await Self.around(
                service, NearbyRequest(networks: ["foursquare"], categories: ["amenity"])
            ).map(\.id)
            #expect(network == ["foursquare/node/1"])
        }
    }

    @Test("in its last edition only, and not when it is gone")
    func lastEdition() async throws {
        try await TestService.run { service in
            try await service.index.upsert([Self.place(1), Self.place(2)], network: .openstreetmap, seen: 0)
            try await service.index.upsert(
                [Self.place(1, metresNorth: 300, name: "Moved")], network: .openstreetmap, seen: 0)
            let found = try await Self.around(service)
            #expect(found.map(\.name) == ["Place 2", "Moved"])
            try await service.remove("node/2")
            let left = try await Self.around(service)
            #expect(left.map(\.name) == ["Moved"])
        }
    }

    @Test("when many write at once: nothing is lost and nothing is found twice")
    func manyWriters() async throws {
        try await TestService.run(rebaseAt: 40) { service in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<16 {
                    group.addTask {
                        for round in 0..<10 {
                            let numbers = (0..<10).map { writer * 10 + $0 }
                            let places = try numbers.map { try Self.place($0, name: "\($0) in round \(round)") }
                            try await service.index.upsert(places, network: .openstreetmap, seen: 0)
                        }
                    }
                }
                try await group.waitForAll()
            }
            await service.index.settled()
            let names = try await Self.around(service).map(\.name)
            #expect(names == (0..<160).map { "\($0) in round 9" })
        }
    }

    @Test(
        "after a restart, from its base and the rows above it; without the base, or with a damaged one, from all rows")
    func restart() async throws {
        let folder = TemporaryFolder()
        let bases = folder.path + "/data/discovered"
        try await TestService.run(in: folder, rebaseAt: 50) { service in
            try await service.index.upsert(try (0..<60).map { try Self.place($0) }, network: .openstreetmap, seen: 0)
            await service.index.settled()
            try await service.index.upsert([Self.place(3, name: "After")], network: .openstreetmap, seen: 0)
            try await service.remove("node/4")
        }
        let kept = try DiskFile.names(in: bases)
        #expect(kept.count == 1 && kept[0].hasPrefix("openstreetmap-") && kept[0].hasSuffix("-60.snapshot"))
        let wanted = (0..<60).filter { $0 != 4 }.map { $0 == 3 ? "After" : "Place \($0)" }
        for damage in [false, true] {
            if damage { try WholeFile.write([1, 2, 3], to: "\(bases)/\(kept[0])") }
            try await TestService.run(in: folder) { service in
                let found = try await Self.around(service)
                #expect(found.map(\.name) == wanted)
            }
        }
        #expect(try DiskFile.names(in: bases).isEmpty)
    }

    @Test("a start reads the rows above each network's base alone, though other networks have no base")
    func rowsOfStart() async throws {
        try await TestService.run(rebaseAt: 50) { service in
            try await service.index.upsert(try (0..<60).map { try Self.place($0) }, network: .openstreetmap, seen: 0)
            await service.index.settled()
            try await service.index.upsert([Self.place(3, name: "After")], network: .openstreetmap, seen: 0)
            try await service.index.upsert([Self.place(1)], network: .foursquare, seen: 0)
            let (folder, blocking) = (TemporaryFolder(), BlockingPool(threadCount: 1))
            defer { blocking.close() }
            let index = DiscoveredIndex(
                service.store, try Catalog(root: folder.path), folder: service.folder.path + "/data/discovered",
                blocking: blocking)
            #expect(try await index.open() == 2)
        }
    }

    @Test(
        "as the store has it that is there: not what another one knew, nor what an older copy of it did not know yet",
        .enabled(if: PostgresServer.isOfFiles))
    func otherStore() async throws {
        let folder = TemporaryFolder()
        let (store, bases) = (folder.path + "/data/live.db", folder.path + "/data/discovered")
        /// Stores places and tells what is found then.
        func names(storing numbers: Range<Int>, rebaseAt: Int = 65_536) async throws -> [String] {
            try await TestService.run(in: folder, rebaseAt: rebaseAt) { service in
                try await service.index.upsert(try numbers.map { try Self.place($0) }, network: .openstreetmap, seen: 0)
                await service.index.settled()
                return try await Self.around(service).map(\.name)
            }
        }
        _ = try await names(storing: 0..<2)
        let older = try WholeFile.bytes(store)
        #expect(try await names(storing: 2..<60, rebaseAt: 50).count == 60)
        let base = try #require(DiskFile.names(in: bases).first)
        let bytes = try WholeFile.bytes("\(bases)/\(base)")

        try WholeFile.write(older, to: store)
        #expect(try await names(storing: 70..<72) == [0, 1, 70, 71].map { "Place \($0)" })

        try DiskFile.remove(store)
        #expect(try await names(storing: 80..<150) == (80..<150).map { "Place \($0)" })
        // Its versions have gone past those of the base now.
        try WholeFile.write(bytes, to: "\(bases)/\(base)")
        #expect(try await names(storing: 150..<151) == (80..<151).map { "Place \($0)" })
        #expect(try DiskFile.names(in: bases).isEmpty)
    }
}

extension TestService {
    /// Lets a place of OpenStreetMap be gone.
    fileprivate func remove(_ id: String) async throws {
        _ = try await store.database.write { transaction throws(SQLError) in
            try transaction.execute(
                "UPDATE discovered_place SET removed = TRUE, version = ?2 WHERE network = 'openstreetmap' AND id = ?1",
                id, try transaction.nextVersion())
        }
        try await index.catchUp(.openstreetmap)
    }
}
