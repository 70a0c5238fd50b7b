package import RPC
package import Storage

extension PictureProblem: RPCErrorConvertible {
    package var rpcError: RPCError {
        switch self {
        case .gone: RPCError(.notFound, "the photo's file is gone")
        case .noFolder, .unreadable:
            RPCError(.unavailable, "the picture can't be read now; try again later", cause: self)
        case .notAFile, .badName, .tooLarge, .notJPEG, .truncated, .tooManyPixels, .unsupported, .damaged, .noPosition,
            .badPosition:
            RPCError(.failedPrecondition, "the picture can't be shown: \(self)")
        }
    }
}

extension BlobError: RPCErrorConvertible {
    /// The sentences leave out paths; those are for the log.
    package var rpcError: RPCError {
        switch self {
        case .full: RPCError(.resourceExhausted, "the disk is full; the picture can't be kept", cause: self)
        case .notFound, .damaged: RPCError(.dataLoss, "the stored picture is damaged; the log tells more", cause: self)
        case .failed: RPCError(.unavailable, "the disk with the pictures fails; the log tells more", cause: self)
        }
    }
}
