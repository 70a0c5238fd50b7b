import PlaceContracts
import Geo
import Networks
import RPC
import Storage
import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite("P70 An account's view of a changing catalog", .timeLimit(.minutes(2)))
struct OwnedPlacesTests {
    private static let network = Network.foursquare
    private static let accounts = ["ann", "bo", "cy"]
    private static let rounds = 60

    private static func places(_ numbers: some Sequence<Int>, metresNorth: Double = 0) throws -> [FoundPlace] {
        try numbers.map { number in
            try #require(
                FoundPlace(
                    id: "\(number)", name: "Place \(number)", latitude: 60 + metresNorth / 111_195.08,
                    longitude: 25 + Double(number) * 1e-6))
        }
    }

    private static func id(_ number: Int) -> [UInt8] { Array("\(network.name)/\(number)".utf8) }

    private static func context(_ account: String) -> CallContext {
        CallContext(
            method: PlacesServiceMethods.nearby,
            identity: ProvenIdentity(account: account, roles: .user, expiresUnixMs: .max))
    }

    @Test("a finding of another is looked through, and no layer that was there is looked through again")
    func unchangedLayers() async throws {
        try await TestService.run { service in
            func find(_ numbers: Range<Int>, _ account: String) async throws -> CatalogView {
                try await service.index.upsert(
                    try Self.places(numbers), network: Self.network, seen: 1, for: account)
                return service.handler.catalog.view
            }
            var places = OwnedPlaces()
            for number in 0..<200 { _ = places.insert(Self.id(number), of: Self.network) }
            var view = try await find(0..<400, "ann")
            #expect(places.lookUps(view) == 200)
            var shown: CatalogView
            (shown, places) = try places.showing(view)
            #expect(shown.set.count == 200 && shown.hidesSome && places.lookUps(view) == 0)

            view = try await find(400..<403, "bo")
            #expect(places.lookUps(view) == 3)
            // Without ids nothing would be found: what is known of the layer from before is used.
            var forgetful = places
            forgetful.remove((0..<200).map(Self.id), of: Self.network)
            #expect(try forgetful.showing(view).0.set.count == 200)

            (_, places) = try places.showing(view)
            let isNew = [places.insert(Self.id(401), of: Self.network), places.insert(Self.id(401), of: Self.network)]
            #expect(isNew == [true, false])
            #expect(places.lookUps(view) == 2, "its own finding, in two layers")
            (shown, places) = try places.showing(view)
            #expect(shown.set.count == 201 && places.lookUps(view) == 0)
        }
    }

    @Test("has all that was stored for it and is not gone, whatever was found, moved, removed or written as a base")
    func equalsModel() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        var owners: [Int: Set<String>] = [:]
        try await TestService.run(rebaseAt: 80) { service in
            for round in 0..<Self.rounds {
                let account = random.one(of: Self.accounts)
                let numbers = Set((0..<random.one(of: [1, 3, 20])).map { _ in random.one(of: Array(0..<150)) })
                let found = try Self.places(numbers, metresNorth: random.one(of: [0, 0, 50]))
                try await service.index.upsert(found, network: Self.network, seen: 1, for: account)
                for number in numbers { owners[number, default: []].insert(account) }
                if round % 5 == 4, let gone = owners.keys.sorted().first(where: { $0 >= round }) {
                    try await service.store.database.write(DiscoveryStore.scope) { transaction throws(SQLError) in
                        try transaction.remove(Self.network, "\(gone)")
                    }
                    try await service.index.catchUp(Self.network)
                    owners[gone] = nil
                }
                if round % 20 == 19 { await service.index.settled() }
                for account in Self.accounts {
                    let own = owners.filter { $0.value.contains(account) }.keys.map { "\(Self.network.name)/\($0)" }
                    let request = NearbyRequest(
                        centre: BaseContracts.Coordinate(latitude: 60, longitude: 25), radiusM: 1_000, limit: 200,
                        includeCount: true)
                    let packed = try await service.handler.nearby(request, Self.context(account))
                    let answer = try NearbyResponse(packed: packed.bytes)
                    #expect(
                        answer.places.map(\.id).sorted() == own.sorted(), "seed \(seed), round \(round), \(account)")
                    #expect(answer.count == UInt64(own.count), "seed \(seed), round \(round), \(account)")
                }
            }
        }
    }
}
