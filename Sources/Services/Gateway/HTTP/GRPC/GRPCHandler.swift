import Bytes
import Compression
import HTTP
import RPC
import WireJSON

/// Every method of the gateway by gRPC, and by gRPC-Web.
struct GRPCHandler: Sendable {
    private let server: Server
    private let large: LargeMessages

    init(_ server: Server, _ large: LargeMessages) {
        self.server = server
        self.large = large
    }

    func respond(
        to request: HTTPRequest, _ method: ConnectHandler.Method, _ caller: Caller, _ format: GRPCFormat
    ) async -> HTTPResponse {
        guard format.isWeb || request.version == .http2 else {
            return HTTPResponse(
                505, .unimplemented, "gRPC is spoken over HTTP/2; gRPC-Web and Connect over HTTP/1.1 too")
        }
        guard method.descriptor.kind != .bidirectional || request.version == .http2 else {
            return Self.refused(RPCError(.unimplemented, "streams both ways at once need HTTP/2"), format)
        }
        let call: Call
        do throws(RPCError) {
            let body = format.isText ? try await decoded(request) : request.body
            call = try Call(request, body: body, method, caller, format)
        } catch {
            return Self.refused(error.naming(caller.requestID), format)
        }
        guard method.descriptor.kind == .unary || method.descriptor.kind == .clientStreaming else {
            return stream(call)
        }
        return await once(call)
    }

    /// The body of gRPC-Web's text.
    private func decoded(_ request: HTTPRequest) async throws(RPCError) -> [UInt8] {
        guard request.memory.hold(message: request.body.count / 4 * 3) else { throw .noMemory }
        return try await large.run(isLarge: request.body.count >= LargeMessages.threshold) { () throws(RPCError) in
            guard let body = Base64.decode(segments: request.body) else {
                throw RPCError(.invalidArgument, "the body is not base64, as its type says")
            }
            return body
        }
    }

    /// The answer to a call that is refused before it begins.
    static func refused(_ error: RPCError, _ format: GRPCFormat) -> HTTPResponse {
        var headers: HTTPFields = [
            ("content-type", format.contentType), ("cache-control", "no-store"),
            ("grpc-accept-encoding", "identity, gzip"),
        ]
        let end = GRPCEnd.fields(error)
        if format.isWeb {
            return HTTPResponse(200, headers: headers, body: .bytes(Self.body(GRPCEnd.envelope(end), format)))
        }
        for field in end.all { headers.add(field.name, field.value) }
        return HTTPResponse(200, headers: headers)
    }

    /// The bytes of a body, in base64 where the caller reads text.
    fileprivate static func body(_ bytes: [UInt8], _ format: GRPCFormat) -> [UInt8] {
        format.isText ? Base64.encode(bytes) : bytes
    }
}

// MARK: calls with one answer

extension GRPCHandler {
    private func once(_ call: Call) async -> HTTPResponse {
        let answer = SingleAnswer()
        do throws(RPCError) {
            try await run(call, to: answer)
            let message = try await call.envelope(answer.bytes, large)
            guard call.request.memory.hold(answer: message.count) else { throw .noMemory }
            var response = HTTPResponse(200, headers: call.headers, body: .bytes(message))
            guard call.format.isWeb else {
                response.trailers = GRPCEnd.ok
                return response
            }
            response.body = .bytes(Self.body(message + GRPCEnd.envelope(GRPCEnd.ok), call.format))
            return response
        } catch {
            return Self.refused(error.naming(call.caller.requestID), call.format)
        }
    }

    private func run(_ call: Call, to sink: any AnswerSink) async throws(RPCError) {
        let context = try call.caller.context(call.method.descriptor)
        if call.method.descriptor.kind.takesStream {
            return try await server.answer(context, to: sink, requests: call.requests(large))
        }
        try await server.answer(context, to: sink) { () async throws(RPCError) in
            try await call.message(large)
        }
    }
}

// MARK: calls with a stream of answers

extension GRPCHandler {
    private func stream(_ call: Call) -> HTTPResponse {
        HTTPResponse(
            200, headers: call.headers,
            body: .stream(count: nil) { writer in
                let end: HTTPFields
                do throws(RPCError) {
                    let timeout = try call.caller.timeout.get()
                    let sink = Sink(writer: writer, call: call, large: large)
                    try await timeout.bound { try await run(call, to: sink) }
                    end = GRPCEnd.ok
                } catch {
                    let reason = await ConnectStream.reason(error, writer)
                    end = GRPCEnd.fields(reason.naming(call.caller.requestID))
                }
                guard call.format.isWeb else { return try await writer.finish([], trailers: end) }
                try await writer.finish(Self.body(GRPCEnd.envelope(end), call.format))
            })
    }

    /// Writes each message in its envelope.
    private struct Sink: AnswerSink {
        let writer: HTTPBodyWriter
        let call: Call
        let large: LargeMessages

        func write(packed bytes: [UInt8]) async throws {
            try await writer.write(GRPCHandler.body(call.envelope(bytes, large), call.format))
        }
    }
}

// MARK: one call

extension GRPCHandler {
    /// What is known of a call before it begins.
    struct Call: Sendable {
        let request: HTTPRequest
        /// All of it, where it has come.
        private let body: [UInt8]
        let method: ConnectHandler.Method
        let caller: Caller
        let format: GRPCFormat
        private let compression: String?
        /// Whether answers are compressed: where requests are, as gRPC's own servers do it.
        private var packs: Bool { compression == "gzip" }

        init(
            _ request: HTTPRequest, body: [UInt8], _ method: ConnectHandler.Method, _ caller: Caller,
            _ format: GRPCFormat
        ) throws(RPCError) {
            self.body = body
            self.request = request
            self.method = method
            self.caller = caller
            self.format = format
            compression = request.headers["grpc-encoding"]
            guard let compression, compression != "identity", compression != "gzip", !compression.isEmpty else {
                return
            }
            throw RPCError(
                .unimplemented, "the compression \(compression.prefix(40)) is not known; gzip and identity are")
        }

        var headers: HTTPFields {
            var headers: HTTPFields = [("content-type", format.contentType)]
            if packs { headers.add("grpc-encoding", "gzip") }
            return headers
        }

        private var form: EnvelopedRequests.Form {
            EnvelopedRequests.Form(
                codec: format.codec, input: method.input, compression: compression, compressionHeader: "grpc-encoding")
        }

        func requests(_ large: LargeMessages) -> EnvelopedRequests {
            EnvelopedRequests(request.parts ?? HTTPBodyReader(whole: body), request.memory, form, large)
        }

        /// The message of a call that has one.
        func message(_ large: LargeMessages) async throws(RPCError) -> [UInt8] {
            // As nearly all come: nothing of it has to be read.
            if format.codec == .proto, ConnectEnvelope.content(of: body) == .message(isCompressed: false) {
                guard request.memory.hold(message: body.count) else { throw .noMemory }
                return ConnectEnvelope.message(of: body)
            }
            let requests = requests(large)
            guard let first = try await requests.next() else {
                throw RPCError(.unimplemented, "the request has no message; the method takes one")
            }
            guard request.memory.hold(message: first.count) else { throw .noMemory }
            guard try await requests.next() == nil else {
                throw RPCError(.unimplemented, "the request has several messages; the method takes one")
            }
            return first
        }

        /// A packed answer in the caller's encoding, in its envelope.
        func envelope(_ packed: [UInt8], _ large: LargeMessages) async throws(RPCError) -> [UInt8] {
            let isPacked = packs && packed.count >= Gzip.worthwhile
            guard isPacked || format.codec == .json else { return ConnectEnvelope.wrap(packed, flags: 0) }
            let (codec, output) = (format.codec, method.output)
            return try await large.run(isLarge: packed.count >= LargeMessages.threshold) { () throws(RPCError) in
                let text = try codec.text(packed, of: output)
                return isPacked
                    ? ConnectEnvelope.wrap(Gzip.pack(text), flags: ConnectEnvelope.Flag.compressed)
                    : ConnectEnvelope.wrap(text, flags: 0)
            }
        }
    }
}
