package import RPC

/// The error with which a call ends; nil when it ends well.
package func errorOf<R>(_ body: () async throws -> R) async throws -> RPCError? {
    do {
        _ = try await body()
        return nil
    } catch let error as RPCError {
        return error
    } catch let error as any RPCErrorConvertible {
        return error.rpcError
    }
}
