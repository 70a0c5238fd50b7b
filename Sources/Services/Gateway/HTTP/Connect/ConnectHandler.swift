import BaseContracts
import Bytes
import Compression
import Daemon
import EventLoops
import HTTP
import ProtoSchema
import RPC
import Wire
import WireJSON

/// Every method of the gateway by the Connect protocol (https://connectrpc.com/docs/protocol): unary calls by POST
/// and, when they change nothing, by GET; streams by POST. What has a content type of gRPC is passed to that. It knows
/// the methods only from their descriptors.
struct ConnectHandler: Sendable {
    private let server: Server
    private let large: LargeMessages
    private let methods: [String: Method]

    /// A method and the names of its messages.
    final class Method: Sendable {
        let descriptor: MethodDescriptor
        let input: String
        let output: String

        init(_ descriptor: MethodDescriptor, input: String, output: String) {
            self.descriptor = descriptor
            self.input = input
            self.output = output
        }
    }

    init(_ server: Server, _ large: LargeMessages, _ schema: Schema = .embedded) {
        self.server = server
        self.large = large
        let older = GRPCReflectionHandler.olderMethod.path
        let known = server.router.methods.compactMap { descriptor -> (String, Method)? in
            let path = descriptor.path == older ? ServerReflectionMethods.serverReflectionInfo.path : descriptor.path
            guard let method = schema.method(path) else { return nil }
            return ("/\(descriptor.path)", Method(descriptor, input: method.input, output: method.output))
        }
        methods = Dictionary(known) { first, _ in first }
    }

    /// The method with this path: "/waymark.places.v1.PlacesService/Nearby".
    func method(at path: String) -> Method? { methods[path] }

    /// All methods, at their paths.
    var routes: [Route] {
        methods.map { path, method in
            Route(.at(path), Self.methods(of: method), time: .connect(method.descriptor)) { request, _, caller in
                try await respond(to: request, method, caller)
            }
        }
    }

    /// By which methods of HTTP one is called.
    private static func methods(of method: Method) -> [String] {
        let isAskable = method.descriptor.hasNoSideEffects && method.descriptor.kind == .unary
        return isAskable ? ["GET", "HEAD", "POST"] : ["POST"]
    }

    private func respond(to request: HTTPRequest, _ method: Method, _ caller: Caller) async throws -> HTTPResponse {
        if request.method == "POST", let format = GRPCFormat(request.headers["content-type"]) {
            return await GRPCHandler(server, large).respond(to: request, method, caller, format)
        }
        guard method.descriptor.kind == .unary else {
            return ConnectStream(server, large).respond(to: request, method, caller)
        }
        guard request.method == "POST" else { return try await unary(request, method, caller, try .asked(request)) }
        guard let codec = ConnectCodec(request.headers["content-type"], isStream: false) else {
            return .unsupportedMediaType(request, "application/json, application/proto")
        }
        return try await unary(request, method, caller, try .posted(request, codec))
    }

    private func unary(
        _ request: HTTPRequest, _ method: Method, _ caller: Caller, _ call: ConnectRequest
    ) async throws -> HTTPResponse {
        let context = try caller.context(method.descriptor)
        let answer = SingleAnswer()
        try await server.answer(context, to: answer) { () async throws(RPCError) in
            try await large.run(isLarge: call.isLarge) { () throws(RPCError) in
                try call.packed(as: method.input, request.memory)
            }
        }
        return try await self.answer(
            answer.bytes, of: method, call.codec, request.memory,
            isPacked: request.headers.accepts(gzip: "accept-encoding"))
    }
}

extension ConnectHandler {
    private func answer(
        _ bytes: [UInt8], of method: Method, _ codec: ConnectCodec, _ memory: RequestMemory, isPacked: Bool
    ) async throws(RPCError) -> HTTPResponse {
        var headers: HTTPFields = [
            ("Content-Type", codec.mediaType(isStream: false)), ("Cache-Control", "no-store"),
            ("Vary", "Accept-Encoding"),
        ]
        let isLarge = bytes.count >= LargeMessages.threshold
        // It may wait for others to be encoded.
        guard memory.hold(answer: bytes.count) else { throw .noMemory }
        var body = try await large.run(isLarge: isLarge) { () throws(RPCError) in
            try codec.text(bytes, of: method.output)
        }
        if isPacked, body.count >= Gzip.worthwhile {
            let text = body
            body = try await large.run(isLarge: isLarge) { Gzip.pack(text) }
            headers.add("Content-Encoding", "gzip")
        }
        return HTTPResponse(200, headers: headers, body: .bytes(body))
    }
}

extension HTTPResponse {
    /// The body has a type that can't be read, or none. No code of a call fits: Connect reads this status as "unknown".
    static func unsupportedMediaType(_ request: HTTPRequest, _ accepted: String) -> HTTPResponse {
        let given = request.headers["content-type"].map { "is \($0.shortened(to: 80))" } ?? "is missing"
        var response = HTTPResponse(415, .unknown, "the Content-Type \(given); allowed: \(accepted)")
        response.headers.add("Accept-Post", accepted)
        return response
    }
}

extension HTTPFields {
    /// Whether a list of codings contains gzip.
    func accepts(gzip name: String) -> Bool {
        self[name].map { $0.names("gzip", orAny: "*") } ?? false
    }
}

extension String {
    /// Whether a list, as Accept and its kin have them, contains a word, or the one that means any, and does not forbid
    /// it by a weight of 0.
    func names(_ word: String, orAny any: String?) -> Bool {
        split(at: ",").contains { item in
            let parts = item.split(at: ";").map { $0.without(" ").lowercased() }
            guard let first = parts.first, first == word || first == any else { return false }
            return !parts.dropFirst().contains { $0 == "q=0" || $0 == "q=0.0" || $0 == "q=0.00" || $0 == "q=0.000" }
        }
    }
}
