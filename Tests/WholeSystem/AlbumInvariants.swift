package import Contracts

/// What has to be true of an album once nothing is to be done any more.
extension SystemUnderTest {
    private static var final: Set<AlbumState> { [.complete, .empty, .completeWithErrors, .failed] }

    /// What differs between a pin's own album, what the pin says of it, and what was acknowledged.
    package func albumDifferences(of pin: Pin, from entry: Journal.Entry) async throws -> [String] {
        let subject = "pin/\(pin.id)"
        let album = try await album(subject)
        let summary = album.summary ?? AlbumSummary()
        var found: [String] = []
        if !Self.final.contains(summary.state) { found.append("album state \(summary.state.rawValue) is not final") }
        if pin.album != summary { found.append("pin.album \(pin.album.map { "\($0)" } ?? "-") is not \(summary)") }
        if album.collection < entry.collection { found.append("collection \(album.collection) < \(entry.collection)") }
        guard found.isEmpty else { return found }
        let photos = try await photos(of: subject)
        let removed = try await self.photos(of: subject, removed: true).map(\.id)
        found += countDifferences(of: subject, summary, photos)
        if Int(album.removedCount) != removed.count {
            found.append("removed_count \(album.removedCount), \(removed.count) listed")
        }
        let back = photos.map(\.id).filter(entry.removed.contains)
        if !back.isEmpty { found.append("photos that were removed are back: \(back)") }
        return found
    }

    /// What differs between a linked place and the place's own album.
    package func albumDifferences(of place: PinPlace) async throws -> [String] {
        let subject = "place/\(place.id)"
        let summary = try await album(subject).summary ?? AlbumSummary()
        var found: [String] = []
        if summary.photoCount != place.photoCount {
            found.append("\(subject): photo_count \(summary.photoCount), the pin says \(place.photoCount)")
        }
        if !Self.final.union([.listed]).contains(summary.state) {
            found.append("\(subject): state \(summary.state.rawValue) is not final")
        }
        return found + countDifferences(of: subject, summary, try await photos(of: subject))
    }

    private func countDifferences(of subject: String, _ summary: AlbumSummary, _ photos: [Photo]) -> [String] {
        var found: [String] = []
        func compare(_ what: String, _ told: UInt32, _ listed: Int) {
            if Int(told) != listed { found.append("\(subject): \(what) \(told), \(listed) listed") }
        }
        compare("photo_count", summary.photoCount, photos.count)
        compare("ready_count", summary.readyCount, photos.count { $0.state == .ready })
        compare("failed_count", summary.failedCount, photos.count { $0.state == .failed })
        if Set(photos.map(\.id)).count != photos.count { found.append("\(subject): a photo is in it twice") }
        return found
    }
}
