import RPC
import Stores
import Wire

extension PlacesError: RPCErrorConvertible {
    /// The error for a caller.
    var rpcError: RPCError {
        switch self {
        case .invalid(let field, let problem): .invalid(field, problem)
        case .usedRequestID:
            .usedRequestID
        case .badFile, .tooManyBadRows: RPCError(.invalidArgument, description)
        case .noDataset, .noMap, .noUpload, .namesNothing: RPCError(.notFound, description)
        case .importRuns, .incompleteUpload, .noTowns, .noGazetteer, .noSource,
            .followed:
            RPCError(.failedPrecondition, description)
        case .tooManyUploads, .tooManyImports:
            RPCError(.resourceExhausted, description, details: StatusDetails(retryAfterMs: 60_000))
        // A client that calls again by itself would ask the other geocoder once more.
        case .geocoderFails(_, let retryAfter):
            RPCError(
                .unavailable, description,
                details: StatusDetails(retryAfterMs: retryAfter.map { max(2_000, UInt64(clamping: $0)) } ?? 10_000))
        case .addressesNotRead: RPCError(.unavailable, description, details: StatusDetails(retryAfterMs: 1000))
        case .replaced: RPCError(.aborted, description)
        case .busy: RPCError(.resourceExhausted, description, details: StatusDetails(retryAfterMs: 1000))
        case .diskFull: RPCError(.resourceExhausted, description)
        case .damaged: RPCError(.dataLoss, "stored data is damaged; the service's log says which", cause: self)
        case .storage:
            RPCError(.internalError, "a file of the catalog can't be used; the service's log says why", cause: self)
        case .storeAway:
            RPCError(
                .unavailable, "the store with the datasets is away; try again in a few seconds",
                details: StatusDetails(retryAfterMs: 5_000), cause: self)
        case .tooLate: RPCError(.deadlineExceeded, description)
        case .cancelled: RPCError(.cancelled, description)
        }
    }
}
