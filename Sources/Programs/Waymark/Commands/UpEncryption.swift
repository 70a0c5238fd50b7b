import Arguments
import Bytes
import EventLoops
import Glibc
import Supervisor

/// How browsers are to reach the map of a `waymark up`: by https with a given certificate or one of its own, or by
/// plain http.
enum UpEncryption: Equatable, Sendable {
    case given(certificate: String, key: String)
    case own
    case none

    /// - Parameters:
    ///   - isForOthers: whether other machines reach it.
    ///   - hasProxy: whether they do by way of a proxy, which speaks https itself.
    init(_ arguments: ParsedArguments, isForOthers: Bool, hasProxy: Bool) throws(UsageError) {
        func file(_ name: String, _ variable: String) -> String? {
            arguments.text(name) ?? arguments.environment[variable].flatMap { $0.isEmpty ? nil : $0 }
        }
        let certificate = file("tls-certificate", "WAYMARK_HTTP_TLS_CERTIFICATE")
        let key = file("tls-key", "WAYMARK_HTTP_TLS_KEY")
        let isPlain = arguments.has("no-tls")
        guard !isPlain || certificate == nil && key == nil && !arguments.has("tls") else {
            throw UsageError("--no-tls: there must be no --tls, --tls-certificate or --tls-key with it")
        }
        switch (certificate, key) {
        case (let certificate?, let key?): self = .given(certificate: certificate, key: key)
        case (nil, nil):
            let isUsual = isForOthers && !hasProxy && arguments.text("trusted-proxies") == nil
            self = arguments.has("tls") || isUsual && !isPlain ? .own : .none
        case (_?, nil): throw UsageError("--tls-certificate needs --tls-key")
        case (nil, _?): throw UsageError("--tls-key needs --tls-certificate")
        }
    }

    /// Makes one of its own when that is wanted and there is none. Nil for plain http. Blocks.
    /// - Parameters:
    ///   - host: where the gateway listens.
    ///   - publicURL: how browsers reach it besides; nil when it is not otherwise.
    func certificate(for host: String, _ publicURL: String?, in folder: UpFolder) throws -> UpCertificate? {
        switch self {
        case .given(let certificate, let key): return UpCertificate(certificate: certificate, key: key)
        case .own:
            let name = publicURL.flatMap { $0.split(at: "/").dropFirst().first }
            let more = name.map { [String($0.until(":"))] } ?? []
            let hosts = UpCertificate.hosts(listening: host, more)
            return try UpCertificate(for: hosts, in: folder, at: time(nil))
        case .none: return nil
        }
    }
}
