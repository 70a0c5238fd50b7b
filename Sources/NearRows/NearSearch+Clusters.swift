package import Contracts
package import Geo
package import Requests
package import Storage

extension NearSearch {
    /// The rows in a box that an account sees, in clusters, with all that was committed before the call.
    /// - Parameter mark: reads what is shown of a row that is alone; nil when there is none.
    package func clusters(
        _ query: ClusterQuery, for account: String, deadline: ContinuousClock.Instant? = nil,
        mark: @escaping @Sendable (PointID, borrowing Transaction) throws(SQLError) -> Mark?
    ) async throws(SQLError) -> FindClustersResponse {
        try await database.read(deadline: deadline) { [self] transaction throws(SQLError) in
            let view = try points.current(table.subject(of: account), transaction)
            var clusters = query.clusters(of: PointID.self)
            for index in view.indexes(of: table.owners(seenBy: account)) { index.count(into: &clusters) }
            return try query.answer(clusters) { id throws(SQLError) in try mark(id, transaction) }
        }
    }
}
