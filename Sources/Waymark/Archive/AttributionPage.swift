import Contracts
import Terminal

/// The page of an archive: its pictures in order, each with who made it, under which licence, and from where. It opens
/// in a browser from the folder that the archive was unpacked to, runs nothing and loads nothing else.
enum AttributionPage {
    static func html(subject: String, pin: ArchivedPin?, photos: [ArchivedPhoto]) -> [UInt8] {
        let title = escaped(pin?.name ?? subject)
        let place = pin.map { "\(Quantity.degrees($0.latitude)), \(Quantity.degrees($0.longitude)) · " } ?? ""
        let head = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <title>\(title)</title>
            <style>\(style)</style>
            </head>
            <body>
            <h1>\(title)</h1>
            <p>\(place)\(Quantity.count(photos.count, "photo"))</p>

            """
        return Array((head + photos.map(figure).joined() + "</body>\n</html>\n").utf8)
    }

    private static let style = """
        body { font: 16px/1.5 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
        figure { margin: 0 0 2.5rem; }
        img { max-width: 100%; height: auto; }
        figcaption { color: #444; }
        """

    private static func figure(_ photo: ArchivedPhoto) -> String {
        let title = photo.title.isEmpty ? "Untitled" : photo.title
        let time = photo.record.takenTime.map { String($0.text.prefix(10)) } ?? ""
        let parts = [
            "<strong>\(escaped(title))</strong>", photo.author.isEmpty ? "" : "by \(escaped(photo.author))",
            escaped(photo.licence), escaped(time), source(of: photo),
        ]
        return """
            <figure>
            <a href="\(escaped(photo.file.name))"><img src="\(escaped(photo.file.name))" alt="\(escaped(title))" \
            loading="lazy"></a>
            <figcaption>\(parts.filter { !$0.isEmpty }.joined(separator: " · "))</figcaption>
            </figure>

            """
    }

    /// A link to the photo's page, or the network that it comes from.
    private static func source(of photo: ArchivedPhoto) -> String {
        let network = escaped(String(photo.id.prefix { $0 != "/" }))
        guard isWebAddress(photo.sourceUrl) else { return network }
        return "<a href=\"\(escaped(photo.sourceUrl))\" rel=\"noreferrer noopener\">\(network)</a>"
    }

    /// Whether a link may lead there.
    static func isWebAddress(_ text: String) -> Bool {
        text.hasPrefix("https://") || text.hasPrefix("http://")
    }

    /// Text that can't end an element or an attribute.
    static func escaped(_ text: String) -> String {
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
