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
import Wire

@testable import PinService

@Suite("I4 Tracks of an account", .timeLimit(.minutes(3)))
struct TrackTests {
    private static let gpx = """
        <gpx><wpt lat="60" lon="24"><name>Camp</name></wpt>
        <trk><name>Walk</name><trkseg><trkpt lat="60" lon="24"><ele>5</ele><time>2024-05-01T10:00:00Z</time></trkpt>
        <trkpt lat="60.0000001" lon="24.5"/>
        <trkpt lat="60" lon="25"><ele>30</ele><time>2024-05-01T10:01:00Z</time></trkpt></trkseg></trk>
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

    @Test("of a phone's history come with its places, each once, also when the file comes again with a later visit")
    func history() async throws {
        func file(_ days: String...) -> String {
            let visits = days.map { day in
                #"{"startTime":"\#(day)T08:00:00+02:00","visit":{"topCandidate":{"placeId":"A","semanticType":"HOME","#
                    + #""placeLocation":{"latLng":"60.1°, 24.9°"}}}}"#
            }
            let path = """
                {"timelinePath":[{"point":"60.1°, 24.9°","time":"2024-05-01T09:00:00Z"},
                {"point":"60.2°, 25°","time":"2024-05-01T09:30:00Z"}]}
                """
            return "{\"semanticSegments\":[\((visits + [path]).joined(separator: ","))]}"
        }
        try await RunningPinService.with { service in
            let first = try await service.importing(file("2024-05-01", "2024-05-02"))
            #expect(first.import.addedCount == 1 && first.import.listCount == 1 && first.bad.isEmpty)
            #expect(try await tracks(service).map(\.name) == ["2024-05"])
            let again = try await service.importing(file("2024-05-01", "2024-05-02", "2024-05-03"))
            #expect(again.import.addedCount == 0 && again.import.knownCount == 1 && again.import.addedTrackCount == 0)
            let undo = UndoPinImportRequest(id: first.import.id)
            _ = try await service.files.undoPinImport(undo, service.of("ann"))
            #expect(try await tracks(service).isEmpty)
        }
    }

    @Test("of a phone's history are lengthened by a later export, and its pins get the days that they did not have")
    func goesOn() async throws {
        func file(_ days: [String], _ hours: [Int]) -> String {
            let visits = days.map { day in
                #"{"startTime":"2024-05-\#(day)T08:00:00+02:00","visit":{"topCandidate":{"placeId":"A","#
                    + #""semanticType":"HOME","placeLocation":{"latLng":"60.1°, 24.9°"}}}}"#
            }
            let points = hours.map { hour in
                #"{"point":"60.\#(hour)°, 24.9°","time":"2024-05-01T\#(hour):00:00Z"}"#
            }
            let path = "{\"timelinePath\":[\(points.joined(separator: ","))]}"
            return "{\"semanticSegments\":[\((visits + [path]).joined(separator: ","))]}"
        }
        try await RunningPinService.with { service in
            let first = try await service.importing(file(["01", "02"], [10, 11]))
            let second = try await service.importing(file(["02", "05"], [10, 11, 12]))
            #expect(second.import.addedCount == 0 && second.import.addedTrackCount == 0)
            #expect(try await tracks(service).map(\.pointCount) == [3])
            let id = try #require(
                try await service.pins.listPins(ListPinsRequest(), service.of("ann")).pins.first?.id)
            let pin = try #require(try await service.pins.getPin(GetPinRequest(id: id), service.of("ann")).pin)
            #expect(pin.visitedDate == "2024-05-05" && pin.note == "2024-05-05, 2024-05-02\n2024-05-01")
            // What is shorter is there already, and other points of that month replace nothing.
            _ = try await service.importing(file(["01", "02"], [10, 11]))
            #expect(try await tracks(service).map(\.pointCount) == [3])
            _ = try await service.importing(file(["01", "02"], [11, 12, 13]))
            #expect(try await tracks(service).map(\.pointCount).sorted() == [3, 3])
            let again = try #require(try await service.pins.getPin(GetPinRequest(id: id), service.of("ann")).pin)
            #expect(again.note == pin.note && again.version == pin.version)
            // It belongs to the import that brought it first.
            _ = try await service.files.undoPinImport(UndoPinImportRequest(id: second.import.id), service.of("ann"))
            #expect(try await tracks(service).count == 2)
            _ = try await service.files.undoPinImport(UndoPinImportRequest(id: first.import.id), service.of("ann"))
            #expect(try await tracks(service).count == 1)
            #expect(try await service.pins.listPins(ListPinsRequest(), service.of("ann")).pins.isEmpty)
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
            #expect(Set(again.map(\.climbM)) == [25, nil] && Set(again.map { $0.duration?.seconds }) == [60, nil])
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

    @Test("say how far, how high and how long they go, and an area its rings")
    func figures() async throws {
        try await RunningPinService.with { service in
            let gpx = """
                <gpx><trk><name>Up</name><trkseg>
                <trkpt lat="1" lon="1"><ele>100</ele><time>2024-05-01T10:00:00Z</time></trkpt>
                <trkpt lat="1" lon="1.01"><ele>102</ele></trkpt><trkpt lat="1" lon="1.02"><ele>104</ele></trkpt>
                <trkpt lat="1" lon="1.03"><ele>90</ele></trkpt>
                <trkpt lat="1" lon="1.04"><ele>99.5</ele><time>2024-05-01T11:30:00Z</time></trkpt></trkseg></trk>
                <trk><name>Flat</name><trkseg><trkpt lat="2" lon="1"/><trkpt lat="2" lon="2"/></trkseg></trk>
                <trk><name>Pond</name><extensions><waymark:area xmlns:waymark="urn:waymark:pins:1"/></extensions>
                <trkseg><trkpt lat="3" lon="1"/><trkpt lat="3" lon="2"/><trkpt lat="4" lon="2"/></trkseg></trk></gpx>
                """
            _ = try await service.importing(gpx)
            let found = try await tracks(service)
            let up = try #require(found.first { $0.name == "Up" })
            #expect(up.kind == .line && up.climbM == 13.5)
            #expect(up.startTime?.seconds == 1_714_557_600 && up.duration?.duration == .seconds(5_400))
            let flat = try #require(found.first { $0.name == "Flat" })
            #expect(flat.climbM == nil && flat.startTime == nil && flat.duration == nil)
            let pond = try #require(found.first { $0.name == "Pond" })
            #expect(pond.kind == .area && pond.parts.map(\.steps.count) == [8] && pond.parts.first?.isHole == false)
        }
    }

    @Test("are counted as new or there before, and when an import is taken back")
    func counted() async throws {
        try await RunningPinService.with { service in
            let first = try await service.importing(Self.gpx).import
            #expect(first.trackCount == 2 && first.addedTrackCount == 2)
            let second = try await service.importing(Self.gpx).import
            #expect(second.trackCount == 2 && second.addedTrackCount == 0 && second.knownCount == 1)
            let undone = try await service.files.undoPinImport(
                UndoPinImportRequest(id: first.id), service.of("ann")
            ).import
            #expect(undone?.removedTrackCount == 2 && undone?.removedCount == 1)
        }
    }

    @Test("have the same shape after they were packed; no other bytes are one, or harm")
    func packed() throws {
        let ends = [(90.0, 180.0), (-90, -180), (0, 0), (60.1234567, -0.0000001)]
        let points = try ends.map { ShapePoint(try Geo.Coordinate(latitude: $0.0, longitude: $0.1)) }
        var (high, timed) = (points, points)
        for (index, height) in [nil, -1, Int32.max, 5].enumerated() { high[index].heightCentimetres = height }
        for (index, time) in [1_001, nil, Int64.min / 1_000, 1_000].enumerated() { timed[index].milliseconds = time }
        let (part, turned) = (TrackRecord.Part(points), TrackRecord.Part(points.reversed(), isHole: true))
        for parts in [[part], [part, turned], [.init(high), part, .init(timed)], []] {
            let packed = PackedTrack(parts)
            #expect(packed.parts == parts)
            for count in packed.shape.indices { #expect(changed(packed, shape: { $0.prefix(count) }).parts == nil) }
            for count in packed.details.indices.dropFirst() {
                #expect(changed(packed, details: { $0.prefix(count) }).parts == nil)
            }
            for index in packed.shape.indices { _ = changed(packed, shape: { flipped($0, index) }).parts }
            for index in packed.details.indices { _ = changed(packed, details: { flipped($0, index) }).parts }
        }
        let ones = [UInt8](repeating: 0xff, count: 40)
        #expect(PackedTrack(shape: ones, details: []).parts == nil)
        #expect(PackedTrack(shape: PackedTrack([part]).shape, details: ones).parts == nil)
    }

    private func changed(
        _ track: PackedTrack, shape: (ArraySlice<UInt8>) -> ArraySlice<UInt8> = { $0 },
        details: (ArraySlice<UInt8>) -> ArraySlice<UInt8> = { $0 }
    ) -> PackedTrack {
        PackedTrack(shape: Array(shape(track.shape[...])), details: Array(details(track.details[...])))
    }

    private func flipped(_ bytes: ArraySlice<UInt8>, _ index: Int) -> ArraySlice<UInt8> {
        var bytes = bytes
        bytes[index] ^= 0xff
        return bytes
    }
}
