import Budgets
import Compression
import Contracts
import Daemon
import HTTP
import Markup
import RPC
import Wire

/// The page of a share, "/s/…", with what the link leads to, so that it is seen without another question. Its script
/// asks once more: for the rest of photos and places, and so that an opening by a person is counted. Where the link
/// needs a password, nothing of it is in the page; else there is a preview in its head, for programs that show one.
struct SharedPage: Sendable {
    /// What of an answer is in the page itself. URLs of pictures are most of it, and can't be packed.
    private static let (photosFirst, placesFirst) = (8, 12)

    let shared: SharedHandler
    /// Nil without a web app.
    let template: SharedTemplate?
    let publicURL: WebOrigin?
    let large: LargeMessages

    func respond(to request: HTTPRequest, _ token: Substring, _ caller: Caller) async -> HTTPResponse {
        guard let template else { return HTTPResponse(404, .notFound, "there is no web app here") }
        var (status, preview, inline) = (200, "", "")
        do {
            let answer = try await shared.shown(String(token), by: caller.client.text)
            preview = Self.head(SharePreview(answer), path: request.path, publicURL)
            inline = try Self.inline(answer)
        } catch {
            // The page says it too, in a person's words. With a password there is nothing to show before.
            if RPCError(anyError: error).code == .notFound { status = 404 }
        }
        var headers: HTTPFields = [
            ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"), ("Vary", "Accept-Encoding"),
            ("Content-Security-Policy", template.policy), ("X-Frame-Options", "DENY"), ("X-Robots-Tag", "noindex"),
            // The link is a secret that no other site learns.
            ("Referrer-Policy", "no-referrer"),
        ]
        let bytes = template.page(preview: preview, answer: inline)
        if request.headers.accepts(gzip: "accept-encoding"),
            let packed = try? await large.run(
                isLarge: bytes.count >= LargeMessages.threshold, { Gzip.pack(bytes) })
        {
            headers.add("Content-Encoding", "gzip")
            return HTTPResponse(status, headers: headers, body: .bytes(packed))
        }
        return HTTPResponse(status, headers: headers, body: .bytes(bytes))
    }

    /// An answer as data in a page.
    static func inline(_ answer: GetSharedPinResponse) throws(RPCError) -> String {
        var first = answer
        first.photos = answer.photos.prefix(photosFirst).map { photo in
            var seen = photo
            // No one looks at one before the rest is there.
            (seen.mapUrl, seen.position) = ("", nil)
            return seen
        }
        first.places = Array(answer.places.prefix(placesFirst))
        let json = try ConnectCodec.json.text(first.packedBytes(), of: GetSharedPinResponse.protoName)
        return "<script type=\"application/json\" id=\"shared-answer\" "
            + "data-photos=\"\(answer.photos.count)\">\(PageData.text(json))</script>"
    }

    /// What programs that show a preview of a link read.
    static func head(_ preview: SharePreview, path: String, _ publicURL: WebOrigin?) -> String {
        var values = [
            ("og:title", preview.name), ("og:type", preview.kind), ("og:site_name", "Waymark"),
            ("og:description", preview.words),
        ]
        if let publicURL {
            values.append(("og:url", publicURL.text + path))
            if !preview.picture.isEmpty { values.append(("og:image", publicURL.text + preview.picture)) }
        }
        let lines = values.map { "<meta property=\"\($0)\" content=\"\(Markup.escaped($1))\">" }
        return "<title>\(Markup.escaped(preview.name)) · Waymark</title>\n" + lines.joined(separator: "\n")
    }
}
