import RPC

extension PinError: RPCErrorConvertible {
    /// INVALID_ARGUMENT with the field, or NOT_FOUND.
    package var rpcError: RPCError {
        switch self {
        case .invalid(let field, let sentence): .invalid(field, sentence)
        case .notFound(let id): RPCError(.notFound, "there is no pin \(id)")
        }
    }
}
