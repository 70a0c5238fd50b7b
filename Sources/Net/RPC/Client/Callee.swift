/// How the errors that a client finds by itself name its server. Those that the server has sent stay as they are.
struct Callee: Sendable {
    /// Stands in place of addresses where strangers read the errors; nil where the caller has named the address.
    let name: String?

    /// An error with all that is known. With a name it says only what is `shown`: the rest is its cause, for the log.
    func error(_ code: RPCCode, _ message: String, shown: String = "can't be reached now") -> RPCError {
        guard let name else { return RPCError(code, message) }
        return RPCError(code, "\(name) \(shown)", cause: RPCError(code, message))
    }
}
