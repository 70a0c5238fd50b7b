import Testing

@testable import MapPicture

@Suite("P29 the projection of a map picture")
struct GeometryTests {
    private func projection(_ latitude: Double, _ longitude: Double, span: Double = 2) -> Projection {
        Projection(
            centre: MapPoint(longitude: longitude, latitude: latitude), span: span, width: 400, height: 200)
    }

    @Test("has the pin in the middle, north above it and east to its right", arguments: [0, 60.17, -45, 89])
    func directions(latitude: Double) {
        for longitude in [0, 24.94, 179.9, -180] {
            let projection = projection(latitude, longitude)
            let here = projection.point(MapPoint(longitude: longitude, latitude: latitude))
            #expect(here.distance(to: ScreenPoint(x: 200, y: 100)) < 1e-9)
            let north = projection.point(MapPoint(longitude: longitude, latitude: latitude + 0.5))
            #expect(abs(north.x - 200) < 1e-6 && abs(north.y - 50) < 0.01)
            let east = projection.point(MapPoint(longitude: longitude + 0.5, latitude: latitude))
            #expect(east.x > 200)
        }
    }

    @Test("shows the span on its shorter side", arguments: [0.001, 1, 60, 180])
    func span(span: Double) {
        let projection = projection(0, 0, span: span)
        #expect(abs(projection.point(MapPoint(longitude: 0, latitude: span / 2)).y) < 1e-6)
        #expect(abs(projection.point(MapPoint(longitude: 0, latitude: -span / 2)).y - 200) < 1e-6)
    }

    @Test("says in which box all of it is, at the antimeridian and at the poles too")
    func box() {
        #expect(projection(-17, 179.5, span: 4).box(margin: 0).east > 180)
        let pole = projection(89.5, 20).box(margin: 0)
        #expect(pole.west == -180 && pole.east == 180 && pole.north == 90 && pole.south < 88.6)
        let box = projection(60, 20).box(margin: 0)
        #expect(box.west < 16 && box.east > 24 && box.south < 59 && box.north > 61)
    }

    @Test("a box meets and contains what it shares with another after a turn around the globe")
    func turns() {
        let box = MapBox(west: 179, south: -1, east: 181, north: 1)
        #expect(box.meets(MapBox(west: -180, south: 0, east: -170, north: 5)))
        #expect(!box.meets(MapBox(west: -178, south: 0, east: -170, north: 5)))
        #expect(box.contains(MapPoint(longitude: -179.5, latitude: 0)))
        #expect(!box.contains(MapPoint(longitude: -178.5, latitude: 0)))
    }

    @Test("a ring is cut to what is drawn, and lines to their parts")
    func clipping() {
        let room = ScreenBox(left: 0, top: 0, right: 10, bottom: 10)
        let far = ScreenBox(left: -1e9, top: -1e9, right: 1e9, bottom: 5).corners
        let cut = room.clipped(ring: far)
        #expect(ScreenBox(around: cut) == ScreenBox(left: 0, top: 0, right: 10, bottom: 5))
        #expect(room.clipped(ring: far.map { ScreenPoint(x: $0.x + 3e9, y: $0.y) }).isEmpty)
        let line = room.clipped(from: ScreenPoint(x: -5, y: 5), to: ScreenPoint(x: 15, y: 5))
        #expect(line?.0 == ScreenPoint(x: 0, y: 5) && line?.1 == ScreenPoint(x: 10, y: 5))
        #expect(room.clipped(from: ScreenPoint(x: -5, y: 5), to: ScreenPoint(x: 5, y: 17)) == nil)
    }
}
