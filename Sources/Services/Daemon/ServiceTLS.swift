package import Arguments
import Synchronization
package import TLS

/// How a service uses TLS: at its own port, and to the services that it calls.
package struct ServiceTLS: Sendable {
    /// Nil when its own port speaks plain text.
    package let server: TLSContext?
    /// Nil when the services that it calls speak plain text.
    package let client: TLSContext?

    /// Plain text everywhere.
    package static let none = ServiceTLS(server: nil, client: nil)

    private init(server: TLSContext?, client: TLSContext?) {
        self.server = server
        self.client = client
    }

    /// Reads the files named in the settings. Blocks.
    package init(_ options: Options) throws {
        let own = try Self.pair(options, "--tls-certificate", "--tls-key")
        let shown = try Self.pair(options, "--tls-client-certificate", "--tls-client-key")
        try Self.check(options, "--tls-client-ca", needs: "--tls-certificate")
        try Self.check(options, "--tls-client-certificate", needs: "--tls-ca")
        server = try own.map { pair in
            try TLSContext(.server, pair.trusting(options["--tls-client-ca"]))
        }
        client = try options["--tls-ca"].map { authorities in
            try TLSContext(.client, (shown ?? own ?? TLSContext.Files()).trusting(authorities))
        }
    }

    /// For asking a service on this machine whether it is ready: any certificate is accepted.
    static func toOwnPort(_ options: Options) throws -> TLSContext? {
        try pair(options, "--tls-certificate", "--tls-key").map { try TLSContext(.client, $0) }
    }

    /// What has files to be read again.
    var contexts: [TLSContext] { [server, client].compactMap(\.self) }

    /// The files that two flags name, both or neither.
    package static func pair(_ options: Options, _ certificate: String, _ key: String) throws(OptionError)
        -> TLSContext.Files?
    {
        try check(options, certificate, needs: key)
        try check(options, key, needs: certificate)
        return options[certificate].map { TLSContext.Files(certificate: $0, key: options[key]) }
    }

    private static func check(_ options: Options, _ flag: String, needs other: String) throws(OptionError) {
        if options[flag] != nil, options[other] == nil { throw OptionError("\(flag) needs \(other)") }
    }
}

/// The certificates of a process, which SIGHUP reads again: those of its calls, and of its other entrance.
package final class Certificates: Sendable {
    private let contexts = Mutex<[TLSContext]>([])

    package func add(_ more: [TLSContext]) { contexts.withLock { $0 += more } }

    var isEmpty: Bool { contexts.withLock { $0.isEmpty } }

    /// Reads all files again, for the connections that are made from now on. Blocks.
    package func reload(_ log: Log) {
        do {
            try TLSContext.reload(contexts.withLock { $0 })
            log.info("certificates were read again")
        } catch {
            log.error("certificates stay as they were", ["reason": "\(error)"])
        }
    }
}

extension TLSContext.Files {
    fileprivate func trusting(_ authorities: String?) -> TLSContext.Files {
        TLSContext.Files(certificate: certificate, key: key, authorities: authorities)
    }
}
