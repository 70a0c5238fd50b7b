internal import COpenSSL
import Synchronization

/// Makes sessions, with the files that say who we are and whom we trust.
///
/// There is no resumption: connections live long, and each presents the certificates that are valid when it is made.
package final class TLSContext: Sendable {
    /// The name that both sides have to agree on (ALPN, RFC 7301).
    package static let protocolName = "waymark/1"

    /// PEM files. Those that are not named are not used.
    package struct Files: Sendable, Equatable {
        /// Our certificate, followed by those that lead to its authority.
        package var certificate: String?
        /// The certificate's key, without a passphrase.
        package var key: String?
        /// The authorities that sign the peer's certificate. Without them a server requests no certificate from its
        /// clients, and a client accepts any server's.
        package var authorities: String?

        package init(certificate: String? = nil, key: String? = nil, authorities: String? = nil) {
            self.certificate = certificate
            self.key = key
            self.authorities = authorities
        }
    }

    /// What is spoken inside of TLS.
    package enum Application: Sendable {
        /// Calls: both sides have to agree on `protocolName`, in TLS 1.3.
        case calls
        /// HTTP/2 where the client offers it and else HTTP/1.1, with whatever browsers speak: TLS 1.2 or 1.3, whether
        /// they name a protocol or not.
        case web
    }

    /// The side of a connection that its sessions are on.
    package enum Side: Sendable { case server, client }

    package let side: Side
    private let application: Application
    private let files: Files
    private let current: Mutex<LoadedFiles>

    /// Reads the files. Blocks.
    package init(_ side: Side, _ files: Files, for application: Application = .calls) throws(TLSError) {
        self.side = side
        self.application = application
        self.files = files
        current = Mutex(try LoadedFiles(side, files, application))
    }

    /// Reloads the files of all contexts, for the sessions that are made from now on. When one of them can't be used
    /// nothing changes. Blocks.
    package static func reload(_ contexts: [TLSContext]) throws(TLSError) {
        var loaded: [LoadedFiles] = []
        for context in contexts { loaded.append(try LoadedFiles(context.side, context.files, context.application)) }
        for (context, files) in zip(contexts, loaded) { context.current.withLock { $0 = files } }
    }

    /// A new session. A client's is with `host`, a name or a numeric address, for which the server's certificate has to
    /// be valid.
    package func session(with host: String = "") throws(TLSError) -> TLSSession {
        let session = TLSSession(current.withLock { $0 }, side)
        if side == .client, files.authorities != nil { try session.expect(host) }
        return session
    }
}
