import AlbumArchive
import Bytes
import HTTP
import RPC

/// Serves a pin's album as the archive that `waymark album export` writes: `GET /albums/<pin's id>.zip`. The caller's
/// cookie or token says who asks, and pages of other sites can't ask. `HEAD` says whether there is one to be had.
struct AlbumHandler: Sendable {
    static let prefix = "/albums/"
    private static let ending = ".zip"

    private let backends: Backends
    private let admission: ClientAdmission

    init(_ backends: Backends, _ admission: ClientAdmission) {
        self.backends = backends
        self.admission = admission
    }

    func respond(to request: HTTPRequest, _ name: Substring, _ caller: Caller) async -> HTTPResponse {
        guard request.method == "GET" || request.method == "HEAD" else {
            return .methodNotAllowed(request, "GET, HEAD")
        }
        guard name.ends(with: Self.ending) else { return HTTPResponse(404, .notFound, "there is nothing here") }
        do {
            _ = try await admission.claim(caller.token)
            try DownloadMemory.hold(for: request)
            let download = AlbumDownload(
                pinID: String(name.dropLast(Self.ending.count)), backends: backends, admission: admission,
                caller: caller)
            return Self.response(try await download.begin())
        } catch {
            return HTTPResponse(RPCError(anyError: error).naming(caller.requestID))
        }
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
