/// One service.
package struct ServiceSchema: Sendable {
    /// Without the package.
    package var name: String
    /// With the package: "waymark.rpc.v1.EchoService".
    package var fullName: String
    /// In the order of the file.
    package var methods: [MethodSchema] = []
    /// The numbers of the waymark.rpc.v1.Program that answer it: the option (waymark.rpc.v1.answered_by).
    package var answeredBy: [Int] = []
    /// Numbers of service options that were set and that we don't know.
    package var unknownOptions: [Int] = []
    /// The comment above it, without its slashes.
    package var comment = ""
}

/// One method of a service.
package struct MethodSchema: Sendable {
    /// As the .proto and the wire have it: "Echo".
    package var name: String
    /// Full name of the request's message type.
    package var input: String
    /// Full name of the response's message type.
    package var output: String
    /// Whether the request is a stream.
    package var isClientStreaming = false
    /// Whether the response is a stream.
    package var isServerStreaming = false
    /// What it promises about being called twice.
    package var idempotency = Idempotency.unknown
    /// Marked `(waymark.rpc.v1.ready_packed) = true`.
    package var isReadyPacked = false
    /// The number of the waymark.rpc.v1.Role that its callers need: the option (waymark.rpc.v1.role). 0 if it has none.
    package var role = 0
    /// Numbers of method options that were set and that we don't know.
    package var unknownOptions: [Int] = []
    /// The comment above it, without its slashes.
    package var comment = ""
}

/// What a method promises about being called twice (google.protobuf.MethodOptions.IdempotencyLevel).
package enum Idempotency: Sendable { case unknown, noSideEffects, idempotent }
