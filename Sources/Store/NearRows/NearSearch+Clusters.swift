package import BaseContracts
package import Geo
package import Requests
package import Storage

extension NearSearch {
    /// The rows in a box that an account sees, in clusters, with all that was committed before the call.
    /// - Parameters:
    ///   - mark: reads what is shown of a row that is alone; nil when there is none.
    ///   - cover: reads what is shown of one of several.
    ///   - preferred: reads which rows of the box stand for several before all others, the most preferred first.
    package func clusters(
        _ query: ClusterQuery, for account: String, deadline: ContinuousClock.Instant? = nil,
        mark: @escaping @Sendable (PointID, borrowing Transaction) throws(SQLError) -> Mark?,
        cover: @escaping @Sendable (PointID, borrowing Transaction) throws(SQLError) -> Mark? = { _, _ in nil },
        preferred: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> [IndexedPoint] = { _ in [] }
    ) async throws(SQLError) -> FindClustersResponse {
        let subject = table.subject(of: account)
        while true {
            let answer = try await database.read(deadline: deadline) { [self] transaction throws(SQLError) in
                try points.current(subject, transaction).map { view throws(SQLError) in
                    var clusters = query.clusters(of: PointID.self)
                    for index in view.indexes(of: table.owners(seenBy: account)) { index.count(into: &clusters) }
                    for point in try preferred(transaction) { clusters.prefer(point.id, at: point.position) }
                    return try query.answer(clusters) { id throws(SQLError) in
                        try mark(id, transaction)
                    } cover: { id throws(SQLError) in
                        try cover(id, transaction)
                    }
                }
            }
            if let answer { return answer }
            await points.followed(subject, before: deadline)
        }
    }
}
