import Budgets
import Bytes

/// A request whose head has arrived, and what was decided on it: the same in every version of HTTP.
struct ArrivedRequest {
    var request: HTTPRequest
    let work: any HTTPWork
    let bodyLimit: HTTPBodyLimit
    /// Why it is refused; nil when it is not.
    let refusal: HTTPRefusal?
}

extension HTTPRefusal {
    /// There is no memory for a request.
    static let tooMuch = HTTPRefusal(503, "too many requests are on their way")
}

extension HTTPServer {
    /// Decides on a request by its head.
    /// - Parameters:
    ///   - query: with its percent escapes.
    ///   - host: that of its Host, where that was read before.
    ///   - length: bytes that its body is going to have, where its head says so.
    func arrived(
        _ line: RequestLine, _ version: HTTPVersion, query: HTTPFields, headers: HTTPFields, length: Int,
        from peer: String, _ client: ClientKey?, host: Authority? = nil
    ) -> ArrivedRequest {
        var refusal = RequestRules.refusal(line)
        let query = query.mapped(PercentText.decode)
        let path = PercentText.decode(line.target)
        var request = HTTPRequest(
            method: line.method, path: path ?? "", query: query ?? [], headers: headers, peer: peer, client: client,
            version: version, host: host)
        let work = responder.begin(request)
        if let client = work.client { request.client = client }
        request.memory = RequestMemory(memory, request.client, work.standing)
        if !request.memory.hold(head: request.headBytes) { refusal = refusal ?? .tooMuch }
        let bodyLimit = limits.body(of: work)
        if length > bodyLimit.bytes { refusal = refusal ?? bodyLimit.refusal }
        if path == nil || query == nil { refusal = refusal ?? RequestRules.unreadableTarget }
        return ArrivedRequest(request: request, work: work, bodyLimit: bodyLimit, refusal: refusal)
    }
}
