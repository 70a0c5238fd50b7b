import RPC

extension PinError: RPCErrorConvertible {
    package var rpcError: RPCError {
        switch self {
        case .invalid(let field, let sentence): .invalid(field, sentence)
        case .notFound(let id): RPCError(.notFound, "there is no pin \(id)")
        }
    }
}
