import Bytes
import Crypto
import Files
import FoundationEssentials

/// The page of a share without what the link leads to: its styles and scripts are in it, so that a slow network is
/// asked for one thing before something is seen. Its policy allows these by their hashes, and no others.
struct SharedTemplate: Sendable {
    private static let limit = 1 << 20
    private static let page = "shared/shared.html"
    private static let module = "shared/shared.js"
    /// Where the preview and the answer go in the page.
    private static let (previewMark, answerMark) = ("<!--preview-->", "<!--answer-->")

    /// The page's bytes before the preview, between it and the answer, and behind that.
    private let parts: (ArraySlice<UInt8>, ArraySlice<UInt8>, ArraySlice<UInt8>)
    /// The Content-Security-Policy.
    let policy: String

    /// Nil for a web app without such a page. Blocks.
    init?(web: String) throws {
        guard try SmallFile.names(under: web).contains(Self.page) else { return nil }
        var (lines, hashes): ([String], [String: [String]]) = ([], [:])
        for line in try Self.text("\(web)/\(Self.page)").split(at: "\n", omittingEmptySubsequences: false) {
            guard let (tag, open, content) = try Self.inlined(line, web) else {
                lines.append(String(line))
                continue
            }
            lines.append("<\(open)>\(content)</\(tag)>")
            let hash = Data(SHA256.digest(Array(content.utf8))).base64EncodedString()
            hashes[tag, default: []].append("'sha256-\(hash)'")
        }
        let text = Array(lines.joined(separator: "\n").utf8)
        guard let preview = text.firstRange(of: Array(Self.previewMark.utf8)),
            let answer = text[preview.upperBound...].firstRange(of: Array(Self.answerMark.utf8))
        else { throw WebModule.Problem(description: "\(Self.page): no \(Self.previewMark) and \(Self.answerMark)") }
        parts = (text[..<preview.lowerBound], text[preview.upperBound..<answer.lowerBound], text[answer.upperBound...])
        policy = [
            "default-src 'self'", "img-src 'self' data:",
            "style-src 'self' \(hashes["style", default: []].joined(separator: " "))",
            "script-src \(hashes["script", default: []].joined(separator: " "))", "object-src 'none'",
            "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        ].joined(separator: "; ")
    }

    /// The page with a preview and an answer, which are HTML. Neither is searched for the marks.
    func page(preview: String, answer: String) -> [UInt8] {
        parts.0 + Array(preview.utf8) + parts.1 + Array(answer.utf8) + parts.2
    }

    /// What stands in place of a line that names a style sheet or a script of the web app.
    private static func inlined(
        _ line: Substring, _ web: String
    ) throws -> (tag: String, open: String, content: String)? {
        if let path = line.between("<link rel=\"stylesheet\" href=\"", "\">") {
            return ("style", "style", try text(web + path))
        }
        if let path = line.between("<script src=\"", "\"></script>") {
            return ("script", "script", try text(web + path))
        }
        if line == "<script type=\"module\" src=\"\(WebModule.home)\(module)\"></script>" {
            return ("script", "script type=\"module\"", try ModuleBundle.script(folder: "\(web)/modules", module))
        }
        return nil
    }

    private static func text(_ path: String) throws -> String {
        String(decoding: try SmallFile.read(path, limit: limit), as: UTF8.self)
    }
}

extension Substring {
    fileprivate func between(_ start: String, _ end: String) -> String? {
        after(start)?.before(end).map { String($0) }
    }
}
