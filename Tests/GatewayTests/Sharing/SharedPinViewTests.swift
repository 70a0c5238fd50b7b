import Contracts
import Daemon
import TestTools
import Testing
import Wire

@testable import Gateway

@Suite("P49 what of a pin a link shows")
struct SharedPinViewTests {
    private static let position = Coordinate(latitude: 60.1675, longitude: 24.943)

    private static func photo(_ id: String, _ tickets: PictureTickets) -> Photo {
        let url = tickets.url(of: id, .thumbnail, source: [1])
        return Photo(
            id: id, title: "At the harbour", position: position, author: "Ann", licence: "CC BY 4.0",
            sourceUrl: "https://example.org/1", thumbnailUrl: url)
    }

    private static func answer(_ pin: Pin, _ share: Share) throws -> GetSharedPinResponse {
        let key = try #require(DeploymentKey(bytes: Array(0..<32)))
        let tickets = PictureTickets(key)
        let album = GetAlbumResponse(
            photos: [photo("upload/1", tickets), photo("flickr/1", tickets), photo("immich/1", tickets)])
        return SharedPinView(key).answer(albumOf: pin, album, share)
    }

    @Test("an album alone has no byte of where it is: no position, place, note or day, and no caption")
    func album() throws {
        var pin = Pin(id: "p1", name: "Our summer", position: Self.position, radiusM: 300)
        (pin.note, pin.visitedDate, pin.isNamed) = ("a secret", "2026-05-04", true)
        let answer = try Self.answer(pin, Share(id: "s1", pinId: "p1", withNote: true, albumOnly: true))
        #expect(answer.albumOnly && answer.name == "Our summer")
        #expect(answer.photos.map(\.title) == ["", ""])
        #expect(answer.photos.map(\.author) == ["Ann", "Ann"])
        #expect(answer.photos.map(\.sourceUrl) == ["https://example.org/1", "https://example.org/1"])
        var rest = answer
        (rest.name, rest.photos, rest.albumOnly) = ("", [], false)
        #expect(rest == GetSharedPinResponse())
        let bytes = answer.packedBytes()
        for secret in [Self.position.latitude, Self.position.longitude, 300] {
            let pattern = unsafe withUnsafeBytes(of: secret.bitPattern.littleEndian) { unsafe Array($0) }
            #expect(!bytes.contains(pattern))
        }
    }

    @Test("who added a photo is said to guests, and its id to the one that did; no link says either")
    func guests() throws {
        let key = try #require(DeploymentKey(bytes: Array(0..<32)))
        var (ben, zoe) = (Self.photo("upload/1", PictureTickets(key)), Self.photo("upload/2", PictureTickets(key)))
        (ben.addedBy, ben.adder, zoe.addedBy, zoe.adder) = ("Ben", "b", "Zoe", "z")
        let album = GetAlbumResponse(photos: [ben, zoe, Self.photo("upload/3", PictureTickets(key))])
        func photos(for guest: String?) -> [SharedPhoto] {
            let pin = Pin(id: "p1", name: "Our summer", position: Self.position)
            let share = Share(id: "s1", pinId: "p1")
            return SharedPinView(key).answer(pin, ListPinPlacesResponse(), album, share, of: "ann", for: guest).photos
        }
        let shown = SharedPinView(key).answer(
            Pin(position: Self.position), ListPinPlacesResponse(), album, Share(id: "s1"), of: "ann")
        let ticket = SharedTickets(key).open(shown.mapUrl.dropFirst(SharedTickets.path.count))
        #expect(ticket?.account == "ann" && ticket?.shareId == "s1", "in whose name its map has streets of networks")
        #expect(photos(for: "b").map(\.addedBy) == ["Ben", "Zoe", ""])
        #expect(photos(for: "b").map(\.ownId) == ["upload/1", "", ""])
        #expect(photos(for: nil).map { $0.addedBy + $0.ownId } == ["", "", ""])
    }

    @Test("where a photo was taken is said, with a map, of those that a network shows to everyone, and of no own one")
    func positions() throws {
        let key = try #require(DeploymentKey(bytes: Array(0..<32)))
        let ids = ["flickr/1", "folder/1", "upload/1", "immich/1", "commons/1", "none"]
        let album = GetAlbumResponse(photos: ids.map { Self.photo($0, PictureTickets(key)) })
        let pin = Pin(id: "p1", name: "Our summer", position: Self.position)
        let share = Share(id: "s1", pinId: "p1", withImmich: true)
        let view = SharedPinView(key)
        for guest in [nil, "b"] {
            let photos = view.answer(pin, ListPinPlacesResponse(), album, share, of: "ann", for: guest).photos
            #expect(photos.map { $0.position == Self.position } == [true, false, false, false, true, false])
            #expect(photos.map { !$0.mapUrl.isEmpty } == [true, false, false, false, true, false])
            let ticket = SharedTickets(key).open(photos[0].mapUrl.dropFirst(SharedTickets.path.count))
            #expect(ticket?.isSmall == true && ticket?.map == Self.position && ticket?.shareId == "s1")
        }
        #expect(view.answer(albumOf: pin, album, share).photos.allSatisfy { $0.position == nil && $0.mapUrl.isEmpty })
    }

    @Test("an album alone has the name only that a person chose, and photos of Immich only when the link says so")
    func names() throws {
        let pin = Pin(id: "p1", name: "Kaartinkaupunki, Helsinki", position: Self.position)
        let answer = try Self.answer(pin, Share(id: "s1", pinId: "p1", withImmich: true, albumOnly: true))
        #expect(answer.name == "" && answer.photos.count == 3)
        let preview = SharePreview(answer)
        #expect(preview.name == "Photos" && preview.picture == answer.photos[0].thumbnailUrl)
        #expect(!preview.words.contains("place"))
    }
}
