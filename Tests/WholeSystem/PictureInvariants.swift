package import Contracts
import Crypto
import TestTools

extension SystemUnderTest {
    /// What is wrong with the thumbnails of these photos: each that is READY has to be a whole JPEG, the one told of.
    package func pictureDifferences(of photos: [Photo]) async throws -> [String] {
        var found: [String] = []
        for photo in photos where photo.state == .ready {
            let (bytes, info) = try await thumbnail(of: photo.id)
            if bytes.prefix(3) != [0xff, 0xd8, 0xff] || bytes.suffix(2) != [0xff, 0xd9] {
                found.append("\(photo.id): \(bytes.count) bytes that are no whole JPEG")
            }
            if info?.sha256 != Hex.text(SHA256.digest(bytes)) || info?.byteCount != UInt64(bytes.count) {
                found.append("\(photo.id): the bytes are not those of \(info.map { "\($0)" } ?? "-")")
            }
        }
        return found
    }

    /// What is wrong with the photos that were uploaded into an album: each is in it unless it was removed, with all
    /// bytes of its file.
    package func uploadDifferences(_ entry: Journal.Entry, _ photos: [String: Photo]) async throws -> [String] {
        var found: [String] = []
        for (id, sha256) in entry.uploads where !entry.removed.contains(id) {
            guard let photo = photos[id] else {
                found.append("\(id), which was uploaded, is in no album")
                continue
            }
            if photo.state != .ready || !photo.title.hasPrefix("Round ") { found.append("\(id) is \(photo)") }
            let file = try await picture(of: id, .original).bytes
            if Hex.text(SHA256.digest(file)) != sha256 { found.append("\(id): the file is not the one uploaded") }
        }
        return found
    }
}
