internal import COpenSSL
import Glibc

/// Why TLS failed. Each reads as the end of a sentence that names the peer.
package enum TLSError: Error, Equatable, CustomStringConvertible {
    /// A file that can't be used; the whole sentence.
    case file(String)
    /// The first bytes are not TLS.
    case plainText
    /// The peer's certificate does not prove who it is, in OpenSSL's words.
    case certificate(String)
    /// The peer presented no certificate, and one is required.
    case noCertificate
    /// The peer speaks TLS, but not our protocol in it.
    case otherProtocol
    /// The peer sent an alert, named as in RFC 8446.
    case alert(String)
    /// Anything else, in OpenSSL's words.
    case failed(String)

    package var description: String {
        switch self {
        case .file(let sentence): sentence
        case .plainText: "it does not speak TLS"
        case .certificate(let reason): "its certificate is refused: \(reason)"
        case .noCertificate: "it showed no certificate, and one is needed"
        case .otherProtocol: "it speaks TLS, but not \(TLSContext.protocolName)"
        case .alert(let name): "it ended TLS with the alert \"\(name)\""
        case .failed(let reason): "TLS failed: \(reason)"
        }
    }
}

/// What OpenSSL keeps for each thread about what went wrong. It has to be empty before each step of a session, or that
/// step would seem to have failed.
enum ErrorQueue {
    /// One entry: the number of the reason within its library, and the sentence.
    struct Entry {
        let library: Int32
        let reason: Int32
        let text: String
    }

    /// Takes everything out and gives the entry that came first, which is the cause.
    static func drain() -> Entry? {
        let code = ERR_get_error()
        defer { clear() }
        guard code != 0 else { return nil }
        let errno = waymark_error_errno(code)
        let text = unsafe errno == 0 ? ERR_reason_error_string(code).map { unsafe String(cString: $0) } : nil
        return Entry(
            library: ERR_GET_LIB(code), reason: ERR_GET_REASON(code),
            text: text ?? (errno == 0 ? "error \(code)" : unsafe String(cString: strerror(errno))))
    }

    static func clear() { ERR_clear_error() }
}
