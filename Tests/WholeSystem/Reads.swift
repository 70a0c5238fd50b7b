package import Contracts
import RPC

extension SystemUnderTest {
    package func allPins() async throws -> [Pin] {
        try await pages { token in
            let answer = try await answered("ListPins") {
                try await pins.listPins(ListPinsRequest(pageSize: 2, pageToken: token), $0)
            }
            return (answer.pins, answer.nextPageToken)
        }
    }

    package func places(of pin: String) async throws -> [PinPlace] {
        try await pages { token in
            let answer = try await answered("ListPinPlaces") {
                try await pins.listPinPlaces(ListPinPlacesRequest(id: pin, pageSize: 300, pageToken: token), $0)
            }
            return (answer.places, answer.nextPageToken)
        }
    }

    package func photos(of subject: String, removed: Bool = false) async throws -> [Photo] {
        try await pages { token in
            let answer = try await answered("GetAlbum \(subject)") {
                try await albums.getAlbum(
                    GetAlbumRequest(subject: subject, pageSize: 10, pageToken: token, removed: removed), $0)
            }
            return (answer.photos, answer.nextPageToken)
        }
    }

    /// The photos in the albums of all pins whose thumbnails are there.
    package func readyPhotos(of journal: Journal) async throws -> Set<String> {
        var ready: Set<String> = []
        for id in journal.ids {
            ready.formUnion(try await photos(of: "pin/\(id)").filter { $0.state == .ready }.map(\.id))
        }
        return ready
    }

    package func album(_ subject: String) async throws -> Album {
        try await answered("GetAlbum \(subject)") {
            try await albums.getAlbum(GetAlbumRequest(subject: subject, pageSize: 1), $0)
        }.album ?? Album()
    }

    /// The bytes of a thumbnail, and what was told of them.
    package func thumbnail(of photo: String) async throws -> (bytes: [UInt8], info: PictureInfo?) {
        try await picture(of: photo, .thumbnail)
    }

    package func picture(of photo: String, _ size: PictureSize) async throws -> (bytes: [UInt8], info: PictureInfo?) {
        try await answered("GetPicture \(photo)") { options in
            var (bytes, info) = ([UInt8](), PictureInfo?.none)
            for try await part in albums.getPicture(GetPictureRequest(photoId: photo, size: size), options) {
                info = info ?? part.info
                bytes += part.data
            }
            return (bytes, info)
        }
    }

    /// The names of the blobs of thumbnails.
    package func thumbnails(of photos: Set<String>) async throws -> [String: String] {
        var names: [String: String] = [:]
        for photo in photos.sorted() { names[photo] = try await thumbnail(of: photo).info?.sha256 }
        return names
    }

    private func pages<Item>(_ page: (String) async throws -> ([Item], next: String)) async throws -> [Item] {
        var (items, token) = try await page("")
        while !token.isEmpty {
            let (more, next) = try await page(token)
            items += more
            token = next
        }
        return items
    }
}
