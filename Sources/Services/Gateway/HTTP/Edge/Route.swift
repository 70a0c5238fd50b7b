import HTTP
import RPC

/// A row of the table of routes: a path, who may ask for it in which way, what that may cost, and what answers it.
final class Route: Sendable {
    typealias Answer =
        @Sendable (_ request: HTTPRequest, _ rest: Substring, _ caller: Caller) async throws ->
        HTTPResponse

    enum Visitors { case everyone, accounts }

    /// How long an answer may take that does not come at once.
    enum Time {
        /// What answers sees to that.
        case own
        /// As long as a call of the method that it makes.
        case call(MethodDescriptor)
        /// It is a call of the method, and the client may say how long it waits.
        case connect(MethodDescriptor)
    }

    enum Path {
        case at(String)
        /// It begins so, and ends so behind the rest.
        case below(String, end: String = "")
    }

    static let reading = ["GET", "HEAD"]

    let path: Path
    /// Methods of HTTP.
    let methods: [String]
    let visitors: Visitors
    /// Whether pages of other sites may show it in an <img>, which sends no origin wherever it is.
    let isShownElsewhere: Bool
    /// Nil: as long as for any request.
    let body: HTTPBodyLimit?
    let time: Time
    let answer: Answer

    init(
        _ path: Path, _ methods: [String], for visitors: Visitors = .everyone, isShownElsewhere: Bool = false,
        body: HTTPBodyLimit? = nil, time: Time = .own, answer: @escaping Answer
    ) {
        self.path = path
        self.methods = methods
        self.visitors = visitors
        self.isShownElsewhere = isShownElsewhere
        self.body = body
        self.time = time
        self.answer = answer
    }
}

extension Route {
    /// The method whose deadline bounds the answer.
    var method: MethodDescriptor? {
        switch time {
        case .own: nil
        case .call(let method), .connect(let method): method
        }
    }

    /// Whether a request's body is taken as it comes: where the method takes a stream, and HTTP can carry both ways at
    /// once. The text of gRPC-Web comes from browsers, which send whole bodies.
    func takesParts(_ head: HTTPRequest) -> Bool {
        guard case .connect(let method) = time, head.version == .http2, method.kind.takesStream else { return false }
        return !(GRPCFormat(head.headers["content-type"])?.isText ?? false)
    }

    /// Whether it answers with a stream of the Connect protocol, whose errors come at its end.
    var isStream: Bool {
        if case .connect(let method) = time { return method.kind != .unary }
        return false
    }
}
