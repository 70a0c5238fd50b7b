/// Why a message was not sent.
package enum MailError: Error, Equatable, CustomStringConvertible {
    /// The server will never take it. `reply` is its number, 500 to 599.
    case refused(reply: Int)
    /// It may be taken later: the server is away, too busy, or does not let us in.
    case notNow(reason: String)

    package var description: String {
        switch self {
        case .refused(let reply): "the mail server refuses it (\(reply))"
        case .notNow(let reason): reason
        }
    }
}
