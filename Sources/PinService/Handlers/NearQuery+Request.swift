import Contracts
import RPC
import Requests

extension NearQuery {
    init(_ request: PinsNearRequest) throws(RPCError) {
        try self.init(
            centre: request.centre, radiusMetres: request.radiusM, limit: request.limit, content: "pins")
    }
}
