import BaseContracts
import FeatureFiles
import Geo
import PinContracts
import PinFiles
import RPC
import Storage
import TestSupport
import TestTools
import Testing

@testable import PinService

@Suite("I4 Tracks of an account", .timeLimit(.minutes(3)))
struct TrackTests {
    private static let gpx = """
        <gpx><wpt lat="60" lon="24"><name>Camp</name></wpt>
        <trk><name>Walk</name><trkseg><trkpt lat="60" lon="24"/><trkpt lat="60.0000001" lon="24.5"/>
        <trkpt lat="60" lon="25"/></trkseg></trk>
        <trk><name>South</name><trkseg><trkpt lat="-10" lon="179"/><trkpt lat="-10" lon="-179"/></trkseg></trk></gpx>
        """

    private func tracks(
        _ service: RunningPinService, _ request: ListTracksRequest = ListTracksRequest(zoom: 22),
        of account: String = "ann"
    ) async throws -> [PinContracts.Track] {
        try await service.tracks.listTracks(request, service.of(account)).tracks
    }

    private func box(_ south: Double, _ west: Double, _ north: Double, _ east: Double) -> ListTracksRequest {
        ListTracksRequest(
            box: BaseContracts.Box(
                southWest: BaseContracts.Coordinate(latitude: south, longitude: west),
                northEast: BaseContracts.Coordinate(latitude: north, longitude: east)), zoom: 22)
    }

    @Test("come with an import, once, are seen by their account alone, and go with the import")
    func imported() async throws {
        try await RunningPinService.with { service in
            let ended = try await service.importing(Self.gpx)
            #expect(ended.import.pinCount == 1 && ended.import.trackCount == 2 && ended.bad.isEmpty)
            let found = try await tracks(service)
            #expect(Set(found.map(\.name)) == ["Walk", "South"])
            let walk = try #require(found.first { $0.name == "Walk" })
            #expect(walk.parts.map(\.steps) == [[60_000_000, 24_000_000, 0, 500_000, 0, 500_000]])
            #expect(walk.pointCount == 3 && abs(walk.lengthM - 55_597) < 100)
            #expect(try await tracks(service, of: "eve").isEmpty)
            _ = try await service.importing(Self.gpx)
            #expect(try await tracks(service).count == 2)
            let undo = UndoPinImportRequest(id: ended.import.id)
            _ = try await service.files.undoPinImport(undo, service.of("ann"))
            #expect(try await tracks(service).isEmpty)
        }
    }

    @Test("are given by box, also across the antimeridian, and with the points that a zoom level shows")
    func drawn() async throws {
        try await RunningPinService.with { service in
            _ = try await service.importing(Self.gpx)
            #expect(try await tracks(service, box(59, 23, 61, 24.1)).map(\.name) == ["Walk"])
            #expect(try await tracks(service, box(-11, 170, -9, 179.5)).map(\.name) == ["South"])
            #expect(try await tracks(service, box(-11, -179.5, -9, -170)).map(\.name) == ["South"])
            #expect(try await tracks(service, box(-11, 0, -9, 170)).isEmpty)
            let found = try await tracks(service, ListTracksRequest(zoom: 10))
            #expect(found.first { $0.name == "Walk" }?.parts.map(\.steps) == [[60_000_000, 24_000_000, 0, 1_000_000]])
            let south = found.first { $0.name == "South" }
            #expect(south?.parts.map(\.steps) == [[-10_000_000, 179_000_000, 0, 2_000_000]])
        }
    }

    @Test("are in the list of their folder, and in none when it is deleted; deleted is deleted")
    func listed() async throws {
        try await RunningPinService.with { service in
            let kml = """
                <kml><Document><Folder><name>Trips</name><Placemark><name>L</name><LineString><coordinates>24,60 25,60
                </coordinates></LineString></Placemark></Folder></Document></kml>
                """
            let ended = try await service.importing(kml, name: "a.kml")
            #expect(ended.import.pinCount == 0 && ended.import.trackCount == 1 && ended.import.listCount == 1)
            let list = try #require(
                try await service.lists.listLists(ListListsRequest(), service.of("ann")).lists.first)
            let track = try #require(try await tracks(service).first)
            #expect(list.name == "Trips" && track.listId == list.id)
            _ = try await service.lists.deleteList(DeleteListRequest(id: list.id), service.of("ann"))
            #expect(try await tracks(service).map(\.listId) == [""])
            let delete = DeleteTrackRequest(id: track.id)
            #expect(try await service.tracks.deleteTrack(delete, service.of("eve")).wasThere == false)
            #expect(try await service.tracks.deleteTrack(delete, service.of("ann")).wasThere)
            #expect(try await service.tracks.deleteTrack(delete, service.of("ann")).wasThere == false)
            #expect(try await tracks(service).isEmpty)
        }
    }

    @Test("go out with all pins, and come in again", arguments: [PinFileFormat.geojson, .gpx, .kml, .kmz])
    func exported(format: PinFileFormat) async throws {
        try await RunningPinService.with { service in
            _ = try await service.importing(Self.gpx)
            let before = try await tracks(service)
            var bytes: [UInt8] = []
            for try await part in service.files.exportPins(ExportPinsRequest(format: format), service.of("ann")) {
                bytes += part.data
            }
            let ended = try await service.importing(bytes: bytes, name: "again", of: "bob")
            #expect(ended.import.pinCount == 1 && ended.import.trackCount == 2 && ended.bad.isEmpty)
            let again = try await tracks(service, of: "bob")
            func told(_ tracks: [PinContracts.Track]) -> [String: [[Int32]]] {
                Dictionary(uniqueKeysWithValues: tracks.map { ($0.name, $0.parts.map(\.steps)) })
            }
            #expect(told(again) == told(before))
        }
    }

    @Test("for which there is no room are named, and come in pages")
    func many() async throws {
        try await RunningPinService.with { service in
            let tracks = (0..<1_002).map { number in
                "<trk><name>\(number)</name><trkseg><trkpt lat=\"1\" lon=\"1\"/><trkpt lat=\"2\" lon=\"2\"/></trkseg></trk>"
            }
            let ended = try await service.importing("<gpx>\(tracks.joined())</gpx>")
            #expect(ended.import.trackCount == 1_000 && ended.import.passedCount == 2 && ended.bad.count == 2)
            var (names, request): (Set<String>, _) = ([], ListTracksRequest())
            repeat {
                let page = try await service.tracks.listTracks(request, service.of("ann"))
                #expect(page.tracks.count <= 100)
                names.formUnion(page.tracks.map(\.name))
                request.pageToken = page.nextPageToken
            } while !request.pageToken.isEmpty
            #expect(names.count == 1_000)
        }
    }

    @Test("have the same shape after they were packed; no other bytes are one, or harm")
    func packed() throws {
        let ends = [(90.0, 180.0), (-90, -180), (0, 0), (60.1234567, -0.0000001)]
        let part = try ends.map { try Geo.Coordinate(latitude: $0.0, longitude: $0.1) }
        for parts in [[part], [part, part.reversed()], []] {
            let bytes = PackedTrack.bytes(parts)
            #expect(PackedTrack.parts(bytes) == parts)
            for count in bytes.indices { #expect(PackedTrack.parts(Array(bytes[..<count])) == nil) }
            for index in bytes.indices {
                var changed = bytes
                changed[index] ^= 0xff
                _ = PackedTrack.parts(changed)
            }
        }
        #expect(PackedTrack.parts([UInt8](repeating: 0xff, count: 40)) == nil)
    }
}
