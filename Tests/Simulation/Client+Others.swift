import Contracts
import RPC
import TestTools
import WholeSystem

/// What an account asks of what is another's.
extension Client {
    /// All that is listed is its own, and another's pin is none for it, whatever it asks.
    func lookAtOthers(_ name: String, _ random: inout SeededGenerator) async throws {
        for text in owners.strange(try await allPins().map(\.id), to: account) { faults.add(text) }
        guard let id = owners.others(than: account).randomElement(using: &random) else { return }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: try await refused("GetPin", id) { try await pins.getPin(GetPinRequest(id: id), $0) }
        case 1:
            try await refused("GetAlbum", id) { try await albums.getAlbum(GetAlbumRequest(subject: "pin/\(id)"), $0) }
        case 2:
            let request = RenamePinRequest(id: id, name: "Taken by \(name)", requestId: name)
            try await refused("RenamePin", id) { try await pins.renamePin(request, $0) }
        case 3:
            let request = MovePinRequest(id: id, position: Ground.point(&random), radiusM: 300, requestId: name)
            try await refused("MovePin", id) { try await pins.movePin(request, $0) }
        case 4:
            try await refused("ListPinPlaces", id) { try await pins.listPinPlaces(ListPinPlacesRequest(id: id), $0) }
        default:
            try await refused("DeletePin", id) {
                try await pins.deletePin(DeletePinRequest(id: id, requestId: name), $0)
            }
        }
    }

    private func refused<Answer: Sendable>(
        _ what: String, _ id: String, _ body: (CallOptions) async throws -> Answer
    ) async throws {
        do {
            _ = try await answered(what, body)
            faults.add("\(what) of \(id), which is another's, is answered to \(account.name)")
        } catch let error as RPCError where error.code == .notFound {}
    }
}
