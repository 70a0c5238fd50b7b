import BaseContracts
import Geo
import NearRows
import RPC
import Requests
import Storage
import Stores

/// Counts the pins of a box.
struct PinClusterHandler: ClusterServiceHandler {
    let store: PinStore

    func findClusters(_ request: FindClustersRequest, _ context: CallContext) async throws -> FindClustersResponse {
        let account = try context.account
        let query = try ClusterQuery(box: request.box, zoom: request.zoom, max: request.max)
        return try await StoreError.converting("pins") { () async throws(SQLError) in
            try await store.near.clusters(query, for: account, deadline: context.storageDeadline) {
                id, transaction throws(SQLError) in
                try transaction.mark(PinID(high: id.high, low: id.low))
            }
        }
    }
}

extension Transaction {
    /// What a map shows of a pin.
    fileprivate func mark(_ id: PinID) throws(SQLError) -> Mark? {
        try first("SELECT name, state, place_count, generation FROM pins WHERE id = ?1", id) { row throws(SQLError) in
            let state = PinState(rawValue: try row.integer(1)).map { BaseContracts.PinState($0) }
            return Mark(
                id: id.description, name: try row.text(0), state: state ?? .unspecified,
                placeCount: UInt32(clamping: try row.integer(2)), unopened: try row.integer(3) == 0)
        }
    }
}
