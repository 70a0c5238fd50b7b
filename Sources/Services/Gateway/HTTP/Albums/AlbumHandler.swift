import AlbumArchive
import Bytes
import HTTP
import RPC

/// Serves a pin's album as the archive that `waymark album export` writes: `GET /albums/<pin's id>.zip`. The caller's
/// cookie or token says who asks, and pages of other sites can't ask. `HEAD` says whether there is one to be had.
struct AlbumHandler: Sendable {
    private static let ending = ".zip"

    private let backends: Backends
    private let admission: ClientAdmission

    init(_ backends: Backends, _ admission: ClientAdmission) {
        self.backends = backends
        self.admission = admission
    }

    func respond(to request: HTTPRequest, _ pin: Substring, _ caller: Caller) async throws -> HTTPResponse {
        try DownloadMemory.hold(for: request)
        let download = AlbumDownload(pinID: String(pin), backends: backends, admission: admission, caller: caller)
        return Self.response(try await download.begin())
    }

    private static func response(_ download: BegunDownload) -> HTTPResponse {
        HTTPResponse(
            200,
            headers: [
                ("Content-Type", "application/zip"), ("Cache-Control", "no-store"),
                ("Content-Disposition", AttachmentName.header(download.pin.name, ending)),
                ("Content-Security-Policy", "default-src 'none'; sandbox"),
            ],
            body: .stream(count: nil) { writer in
                try await download.write(writer)
            })
    }
}

/// The name under which a browser stores a file.
enum AttachmentName {
    private static let longest = 80

    /// A Content-Disposition with the name as it is, and for old programs in ASCII (RFC 6266, RFC 8187).
    static func header(_ text: String, _ ending: String) -> String {
        let words = text.split(atScalars: { !$0.isAlphabetic && !$0.isNumeric })
        let name = words.joined(separator: "-").unicodeScalars.prefix(longest)
        let old = String(name.filter(\.isASCII))
        return "attachment; filename=\"\(old.isEmpty ? "album" : old)\(ending)\"; filename*=UTF-8''"
            + URLText.escaped("\(name.isEmpty ? "album" : String(name))\(ending)")
    }
}
