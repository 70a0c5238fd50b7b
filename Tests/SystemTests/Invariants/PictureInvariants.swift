import Contracts
import Crypto
import TestTools

extension RunningSystem {
    /// What is wrong with the thumbnails of these photos: each that is READY has to be a whole JPEG, the one told of.
    func pictureDifferences(of photos: [Photo]) async throws -> [String] {
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
}
