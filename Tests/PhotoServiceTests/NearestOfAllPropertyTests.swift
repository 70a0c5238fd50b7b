import PhotoContracts
import Geo
import Storage
import TestTools
import Testing

@testable import PhotoService

@Suite("B1 P18 Whatever pins do, and in whichever order, albums of places are those of a search by brute force")
struct NearestOfAllPropertyTests {
    private typealias Point = Geo.Coordinate

    /// Pins, their places and photos around a corner of the Earth, and what the photo service should know of them.
    private struct World {
        let corner: (latitude: Double, longitude: Double)
        var random: SeededGenerator
        var photos: [String: (point: Point, view: CameraView?)] = [:]
        var places: [String: Point] = [:]
        var pins: [String: (generation: UInt64, places: Set<String>)] = [:]
        private var forgotten: Set<String> = []

        init(_ corner: (Double, Double), seed: UInt64) throws {
            self.corner = corner
            random = SeededGenerator(seed: seed)
            for number in 1...40 {
                let heading = Double(Int.random(in: 0...359, using: &random))
                photos["folder/\(number).jpg"] = (
                    try point(), number.isMultiple(of: 2) ? CameraView(heading: heading, angle: 60) : nil
                )
            }
            for number in 1...20 { places["catalog/\(number)"] = try point() }
        }

        /// One of a grid of steps of about 11 metres, so that some are at the same spot and some equally near.
        mutating func point() throws -> Point {
            let step = { (random: inout SeededGenerator) in Double(Int.random(in: -30...30, using: &random)) / 10_000 }
            let longitude = corner.longitude + step(&random)
            return try Point(
                latitude: min(90, corner.latitude + step(&random)),
                longitude: longitude > 180 ? longitude - 360 : longitude)
        }

        /// The photos of each place that a pin has.
        var truth: [String: Set<String>] {
            var albums: [String: Set<String>] = [:]
            let known = pins.values.reduce(into: Set<String>()) { $0.formUnion($1.places) }
            for place in known { albums[place] = [] }
            for (photo, taken) in photos {
                let reachable = known.compactMap { id in places[id].map { (taken.point.metres(to: $0), id) } }
                    .filter { $0.0 <= 100 }
                let faced = reachable.filter { metres, id in
                    places[id].map { taken.view?.sees($0, from: taken.point, metres: metres) ?? false } ?? false
                }
                if let nearest = faced.min(by: { $0 < $1 }) ?? reachable.min(by: { $0 < $1 }) {
                    albums[nearest.1]?.insert(photo)
                }
            }
            return albums
        }

        private func message(_ point: Point) -> BaseContracts.Coordinate {
            BaseContracts.Coordinate(latitude: point.latitude, longitude: point.longitude)
        }

        /// A pin to be forgotten; its id is never used again.
        mutating func forget() -> String? {
            guard let pin = pins.keys.sorted().randomElement(using: &random) else { return nil }
            pins[pin] = nil
            forgotten.insert(pin)
            return pin
        }

        /// A pin that is new or has moved, with some places more; one of those it had may be elsewhere now.
        mutating func search() throws -> SearchAlbumsRequest {
            let free = (1...8).map { "p\($0)" }.filter { !forgotten.contains($0) }
            let id = try #require(free.randomElement(using: &random))
            var pin = pins[id] ?? (generation: 0, places: [])
            pin.generation += 1
            var told = Array(places.keys.sorted().shuffled(using: &random).prefix(5))
            if let moved = pin.places.sorted().randomElement(using: &random) {
                places[moved] = try point()
                told.append(moved)
            }
            pin.places.formUnion(told)
            pins[id] = pin
            return SearchAlbumsRequest(
                pinId: id, generation: pin.generation, centre: message(try point()), radiusM: 200,
                places: told.compactMap { id in
                    places[id].map { PlacePoint(id: id, position: message($0)) }
                }, isLast: true)
        }
    }

    @Test("searches, moves of pins and of places, deletions", arguments: [(60.0, 25.0), (0, 179.9995), (89.9995, 0)])
    func anyOrder(corner: (Double, Double)) async throws {
        for seed in 1...6 {
            var world = try World(corner, seed: UInt64(seed))
            try await RunningPhotoService.with { service in
                let records = try world.photos.map { id, taken in
                    var photo = try StoredPhoto.ofFolder(String(id.dropFirst("folder/".count)), at: taken.point)
                    photo.view = taken.view
                    return photo
                }
                try await service.store.write { transaction throws(SQLError) in
                    for record in records { try transaction.putPhoto(record) }
                }
                for step in 1...12 {
                    if step % 4 == 0, let pin = world.forget() {
                        _ = try await service.search.forgetPin(ForgetPinRequest(pinId: pin), service.peerOptions)
                    } else {
                        let request = try world.search()
                        _ = try await service.search.searchAlbums(request, service.peerOptions)
                    }
                    if Bool.random(using: &world.random) { try await service.finishSearches() }
                }
                try await service.finishSearches()
                var listed: [String] = []
                for (place, photos) in world.truth.sorted(by: { $0.key < $1.key }) {
                    let album = try await service.album("place/\(place)")
                    listed += album.photos.map(\.id)
                    #expect(Set(album.photos.map(\.id)) == photos, "place \(place), seed \(seed)")
                }
                #expect(Set(listed).count == listed.count, "B2: a pin counts no photo twice")
            }
        }
    }
}
