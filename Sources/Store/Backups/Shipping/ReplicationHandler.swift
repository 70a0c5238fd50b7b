package import BaseContracts
package import RPC

/// Says what is stored elsewhere of a service's records.
package struct ReplicationHandler: ReplicationServiceHandler {
    private let shipping: OpenShipping?
    private let isInServer: Bool

    /// - Parameters:
    ///   - shipping: nil where they are stored nowhere else.
    ///   - isInServer: whether they are in a server of databases.
    package init(_ shipping: OpenShipping?, isInServer: Bool) {
        self.shipping = shipping
        self.isInServer = isInServer
    }

    package func getReplication(
        _ request: GetReplicationRequest, _ context: CallContext
    ) async throws -> GetReplicationResponse {
        var state = shipping?.report.message ?? ReplicationState()
        state.inPostgresql = isInServer
        return GetReplicationResponse(state: state)
    }
}
