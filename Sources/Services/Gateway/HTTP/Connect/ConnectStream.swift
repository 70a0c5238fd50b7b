import Compression
import HTTP
import RPC

/// A stream by the Connect protocol: each message in an envelope, and a last one that says how the call ended.
struct ConnectStream: Sendable {
    private let server: Server
    private let large: LargeMessages

    init(_ server: Server, _ large: LargeMessages) {
        self.server = server
        self.large = large
    }

    /// Errors come at the end of the stream, including those of the request; the status is 200 once the type is right.
    func respond(to request: HTTPRequest, _ method: ConnectHandler.Method, _ caller: Caller) -> HTTPResponse {
        guard let codec = ConnectCodec(request.headers["content-type"], isStream: true) else {
            return .unsupportedMediaType(request, "application/connect+json, application/connect+proto")
        }
        guard method.descriptor.kind != .bidirectional || request.version == .http2 else {
            return HTTPResponse(505, .unimplemented, "streams both ways at once need HTTP/2")
        }
        let packs = request.headers.accepts(gzip: "connect-accept-encoding")
        var headers: HTTPFields = [
            ("Content-Type", codec.mediaType(isStream: true)), ("Cache-Control", "no-store"),
            ("X-Accel-Buffering", "no"),
        ]
        if packs { headers.add("Connect-Content-Encoding", "gzip") }
        return HTTPResponse(
            200, headers: headers,
            body: .stream(count: nil) { writer in
                let sink = EnvelopeSink(writer: writer, codec: codec, output: method.output, packs: packs)
                let end = await end(of: request, method, caller, sink)
                try await writer.finish(ConnectEnvelope.wrap(end, flags: ConnectEnvelope.Flag.end))
            })
    }

    /// Runs the call, and writes how it ended.
    private func end(
        of request: HTTPRequest, _ method: ConnectHandler.Method, _ caller: Caller, _ sink: EnvelopeSink
    ) async -> [UInt8] {
        do throws(RPCError) {
            try ConnectRequest.checkVersion(request.headers["connect-protocol-version"])
            let timeout = try caller.timeout.get()
            let context = try caller.context(method.descriptor)
            if method.descriptor.kind.takesStream {
                let requests = requests(of: request, method, sink.codec)
                try await timeout.bound { try await server.answer(context, to: sink, requests: requests) }
                return Array("{}".utf8)
            }
            // Before the call: what is wrong here is no failure of the method.
            let compression = try Self.compression(of: request)
            try await timeout.bound {
                try await server.answer(context, to: sink) { () async throws(RPCError) in
                    let isLarge = request.body.count >= LargeMessages.threshold || compression != nil
                    let (codec, input, memory) = (sink.codec, method.input, request.memory)
                    return try await large.run(isLarge: isLarge) { () throws(RPCError) in
                        let packed = try codec.pack(
                            ConnectRequest.body(
                                ConnectEnvelope.message(of: request.body), compression: compression, memory),
                            as: input)
                        guard memory.hold(message: packed.count) else { throw .noMemory }
                        return packed
                    }
                }
            }
            return Array("{}".utf8)
        } catch {
            return Self.end(await Self.reason(error, sink.writer).naming(caller.requestID))
        }
    }

    private func requests(
        of request: HTTPRequest, _ method: ConnectHandler.Method, _ codec: ConnectCodec
    ) -> EnvelopedRequests {
        let header = "Connect-Content-Encoding"
        let form = EnvelopedRequests.Form(
            codec: codec, input: method.input, compression: request.headers[header], compressionHeader: header)
        return EnvelopedRequests(
            request.parts ?? HTTPBodyReader(whole: request.body), request.memory, form, large)
    }

    /// The last message of a stream that has failed.
    private static func end(_ error: RPCError) -> [UInt8] {
        Array(#"{"error":"#.utf8) + ConnectError(error).json + Array("}".utf8)
    }

    /// The answer to a request for a stream that is refused before its call: its clients read no other error.
    static func refused(_ error: RPCError, _ codec: ConnectCodec) -> HTTPResponse {
        HTTPResponse(
            200, headers: [("Content-Type", codec.mediaType(isStream: true)), ("Cache-Control", "no-store")],
            body: .bytes(ConnectEnvelope.wrap(end(error), flags: ConnectEnvelope.Flag.end)))
    }

    /// The error for the caller: one that did not cancel the call itself is given the reason.
    static func reason(_ error: RPCError, _ writer: HTTPBodyWriter) async -> RPCError {
        guard error.code == .cancelled, await writer.isStopping else { return error }
        return RPCError(.unavailable, "the gateway is stopping")
    }

    /// How the one message of a request is compressed; nil when it is not. The codes are the protocol's: a method that
    /// gets no message, or several, is one of another kind to its caller.
    private static func compression(of request: HTTPRequest) throws(RPCError) -> String? {
        switch ConnectEnvelope.content(of: request.body) {
        case .message(isCompressed: false): return nil
        case .message(isCompressed: true):
            let named = request.headers["connect-content-encoding"]
            guard let named, !named.isEmpty, named != "identity" else {
                throw RPCError(.internalError, "the message is compressed; Connect-Content-Encoding does not say how")
            }
            return named
        case .noMessage: throw RPCError(.unimplemented, "the request has no message; the method takes one")
        case .severalMessages: throw RPCError(.unimplemented, "the request has several messages; the method takes one")
        case .malformed(let sentence): throw RPCError(.invalidArgument, sentence)
        }
    }

    /// Writes each message in its envelope.
    private struct EnvelopeSink: AnswerSink {
        let writer: HTTPBodyWriter
        let codec: ConnectCodec
        let output: String
        let packs: Bool

        func write(packed bytes: [UInt8]) async throws {
            let message = try codec.text(bytes, of: output)
            guard packs, message.count >= Gzip.worthwhile else {
                return try await writer.write(ConnectEnvelope.wrap(message, flags: 0))
            }
            try await writer.write(ConnectEnvelope.wrap(Gzip.pack(message), flags: ConnectEnvelope.Flag.compressed))
        }
    }
}
