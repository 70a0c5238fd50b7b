import AlbumArchive
import EventLoops
import HTTP
import RPC

/// Serves all that an account has as the archive that `waymark export` writes: `GET /account.zip`. The caller's cookie
/// or token says whose; `HEAD` says whether it is to be had.
struct AccountDownloadHandler: Sendable {
    /// How long one answer of a service may take, and one large file.
    private static let patience = Duration.seconds(60)
    private static let longest = Duration.seconds(900)

    let backends: Backends
    let admission: ClientAdmission

    func respond(to request: HTTPRequest, _ caller: Caller) throws(RPCError) -> HTTPResponse {
        try DownloadMemory.hold(for: request)
        return HTTPResponse(
            200,
            headers: [
                ("Content-Type", "application/zip"), ("Cache-Control", "no-store"),
                ("Content-Disposition", "attachment; filename=\"waymark-account.zip\""),
                ("Content-Security-Policy", "default-src 'none'; sandbox"),
            ],
            body: .stream(count: nil) { [self] writer in
                var archive = AccountArchive { method in try await call(method, caller) }
                try await archive.write { try await writer.write($0) }
            })
    }

    /// Signed for each call: a download may outlast a signature.
    private func call(
        _ method: MethodDescriptor, _ caller: Caller
    ) async throws -> (client: RPCClient, options: CallOptions) {
        var options = try await admission.options(try caller.context(method))
        options.deadline = .now + (method.kind == .unary ? Self.patience : Self.longest)
        return (try backends.client(of: method), options)
    }
}
