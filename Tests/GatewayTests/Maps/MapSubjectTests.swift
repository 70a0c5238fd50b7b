import MapPicture
import Testing

@testable import Gateway

@Suite("P29 pictures of the map that are kept")
struct MapSubjectTests {
    @Test("are of the same view on either side of the antimeridian")
    func meridian() {
        func subject(_ longitude: Double) -> MapSubject {
            MapSubject(view: MapView(latitude: 1, longitude: longitude, span: 1, width: 64, height: 64, scale: 1))
        }
        #expect(subject(180) == subject(-180))
    }
}
