import MapPicture
import Testing

@testable import Gateway

@Suite("P29 pictures of the map that are kept")
struct KeptMapPicturesTests {
    private func view(_ span: Double) -> MapSubject {
        MapSubject(view: MapView(latitude: 0, longitude: 0, span: span, width: 64, height: 64, scale: 1))
    }

    private func picture(_ count: Int) -> KeptMapPicture {
        KeptMapPicture(png: Array(repeating: 7, count: count), attribution: "a", sha256: "b")
    }

    @Test("are those that were used last, as many as there is room for")
    func room() {
        var kept = KeptMapPictures(limitBytes: 100)
        for span in 1...3 { kept.add(picture(30), of: view(Double(span))) }
        #expect(kept.use(view(1)) != nil)
        kept.add(picture(30), of: view(4))
        #expect(kept.use(view(2)) == nil && kept.usedBytes == 90)
        #expect([1.0, 3, 4].allSatisfy { kept.use(view($0)) != nil })
    }

    @Test("one that is larger than the room is not kept, and one of the same view takes the other's place")
    func sizes() {
        var kept = KeptMapPictures(limitBytes: 100)
        kept.add(picture(60), of: view(1))
        kept.add(picture(101), of: view(2))
        #expect(kept.usedBytes == 60 && kept.use(view(2)) == nil)
        kept.add(picture(70), of: view(1))
        #expect(kept.usedBytes == 70 && kept.use(view(1)) == picture(70))
    }

    @Test("are of the same view on either side of the antimeridian")
    func meridian() {
        func view(_ longitude: Double) -> MapView {
            MapView(latitude: 1, longitude: longitude, span: 1, width: 64, height: 64, scale: 1)
        }
        #expect(view(180) == view(-180))
    }
}
