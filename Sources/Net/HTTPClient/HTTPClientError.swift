/// Why a request has no answer.
package enum HTTPClientError: Error, Equatable, CustomStringConvertible {
    /// The time for the whole request has passed.
    case timedOut
    /// The host has no address, or refuses the connection.
    case cannotConnect(reason: String)
    /// The connection ended before the answer did.
    case brokenOff(reason: String)
    /// The answer has more bytes than are taken.
    case tooLong(what: String, limit: Int)
    /// The peer's certificate or its TLS is not accepted.
    case tls(reason: String)
    /// The answer is no HTTP.
    case malformed(reason: String)
    /// The request itself can't be sent: its address is none.
    case unusable(reason: String)
    /// The task was cancelled.
    case cancelled
    /// The client was closed.
    case closed

    package var description: String {
        switch self {
        case .timedOut: "it took too long"
        case .cannotConnect(let reason): "no connection: \(reason)"
        case .brokenOff(let reason): "the connection broke off: \(reason)"
        case .tooLong(let what, let limit): "\(what) has more than \(limit) bytes"
        case .tls(let reason): "TLS: \(reason)"
        case .malformed(let reason): "the answer is no HTTP: \(reason)"
        case .unusable(let reason): "the request can't be sent: \(reason)"
        case .cancelled: "it was cancelled"
        case .closed: "the service is stopping"
        }
    }
}
