import Budgets
import Contracts
import Daemon
import HTTP
import RPC

/// The page of a share, "/s/…". Its script asks for what the link leads to. For programs that show previews of links,
/// its name and a picture of its map, or of an album's first photo, are in the page's head, unless the link needs a
/// password.
struct SharedPage: Sendable {
    static let prefix = "/s/"
    /// Where the preview goes in the file of the page.
    private static let mark = "<!--preview-->"

    let shared: SharedHandler
    /// The file of the page; empty without a web app.
    let template: String
    let publicURL: WebOrigin?

    func respond(to request: HTTPRequest, _ token: Substring, _ caller: Caller) async -> HTTPResponse {
        guard request.method == "GET" || request.method == "HEAD" else {
            return .methodNotAllowed(request, "GET, HEAD")
        }
        guard !template.isEmpty else { return HTTPResponse(404, .notFound, "there is no web app here") }
        var (status, preview) = (200, "")
        do {
            preview = head(try await shared.preview(String(token), by: caller.client.text), path: request.path)
        } catch {
            // The page says it too, in a person's words. With a password there is nothing to show before.
            if RPCError(anyError: error).code == .notFound { status = 404 }
        }
        let headers: HTTPFields = [
            ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
            ("Content-Security-Policy", Self.policy), ("X-Frame-Options", "DENY"), ("X-Robots-Tag", "noindex"),
            // The link is a secret that no other site learns.
            ("Referrer-Policy", "no-referrer"),
        ]
        let page = template.replacing(Self.mark, with: preview, maxReplacements: 1)
        return HTTPResponse(status, headers: headers, body: .bytes(Array(page.utf8)))
    }

    private static let policy =
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'"

    private func head(_ preview: SharePreview, path: String) -> String {
        var values = [
            ("og:title", preview.name), ("og:type", preview.kind), ("og:site_name", "Waymark"),
            ("og:description", preview.words),
        ]
        if let publicURL {
            values.append(("og:url", publicURL.text + path))
            if !preview.picture.isEmpty { values.append(("og:image", publicURL.text + preview.picture)) }
        }
        let lines = values.map { "<meta property=\"\($0)\" content=\"\(Self.escaped($1))\">" }
        return "<title>\(Self.escaped(preview.name)) · Waymark</title>\n" + lines.joined(separator: "\n")
    }

    /// For the text of an element or an attribute in quotes.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.append(character)
            }
        }
    }
}
