import RPC

extension PhotoError: RPCErrorConvertible {
    /// INVALID_ARGUMENT with the field, or NOT_FOUND.
    package var rpcError: RPCError {
        switch self {
        case .invalid(let field, let sentence): .invalid(field, sentence)
        case .noPhoto(let id): RPCError(.notFound, "no photo is stored with the id \"\(id.text.prefix(100))\"")
        case .noAlbum(.pin(let id)): RPCError(.notFound, "no pin \(id) of this account has an album")
        case .noAlbum(.place(let id)):
            RPCError(
                .notFound, "no pin has found a place \"\(id.prefix(100))\"; a pin around it makes its photos known")
        }
    }
}
