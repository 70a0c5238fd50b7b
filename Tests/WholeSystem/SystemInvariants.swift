import Contracts
import RPC

extension SystemUnderTest {
    /// What is not as it should be in the whole system, once nothing is to be done any more.
    package func differences(from journal: Journal) async throws -> [String] {
        try await settle(journal)
        var found: [String] = []
        let listed = try await allPins().map(\.id)
        if listed.sorted() != journal.ids { found.append("pins \(listed.sorted()), acknowledged \(journal.ids)") }
        var photos: [String: Photo] = [:]
        for id in journal.ids {
            for photo in try await self.photos(of: "pin/\(id)") { photos[photo.id] = photo }
        }
        found += try await pictureDifferences(of: photos.values.sorted { $0.id < $1.id })
        for entry in journal.pins.values { found += try await uploadDifferences(entry, photos) }
        for id in journal.deleted.sorted() { found += try await remains(of: id) }
        return found
    }

    /// What is left of a pin that was deleted.
    private func remains(of id: String) async throws -> [String] {
        var found: [String] = []
        let pin = try await code { try await answered("GetPin") { try await pins.getPin(GetPinRequest(id: id), $0) } }
        if pin != .notFound { found.append("the deleted pin \(id) is answered with \(pin)") }
        let album = try await code { try await self.album("pin/\(id)") }
        if album != .notFound { found.append("the album of the deleted pin \(id) is answered with \(album)") }
        return found
    }

    private func code<Answer>(_ call: () async throws -> Answer) async throws -> RPCCode {
        do {
            _ = try await call()
            return .ok
        } catch let error as RPCError {
            return error.code
        }
    }
}
