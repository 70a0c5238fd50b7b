import RPC

extension PhotoError: RPCErrorConvertible {
    /// INVALID_ARGUMENT with the field.
    package var rpcError: RPCError {
        switch self {
        case .invalid(let field, let sentence): .invalid(field, sentence)
        }
    }
}
