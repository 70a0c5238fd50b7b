import Bytes
import FoundationEssentials
import Markup
import Wire

/// The page of an archive: its pictures in order, each with who made it, under which licence, and from where. It opens
/// in a browser from the folder that the archive was unpacked to, runs nothing and loads nothing else.
package enum AttributionPage {
    package static func html(
        subject: String, pin: ArchivedPin?, photos: [ArchivedPhoto], leftOut: [LeftOutPhoto] = []
    ) -> [UInt8] {
        let title = Markup.escaped(pin?.name ?? subject)
        let place = pin.map { "\(degrees($0.latitude)), \(degrees($0.longitude)) · " } ?? ""
        let begin = """
            <h1>\(title)</h1>
            <p>\(place)\(grouped("\(photos.count)")) photo\(photos.count == 1 ? "" : "s")</p>

            """
        return Array((head(title) + begin + photos.map(figure).joined() + missing(leftOut) + "</body>\n</html>\n").utf8)
    }

    /// How a page of an archive begins; the title is escaped.
    static func head(_ title: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        \(policy.head)
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="referrer" content="no-referrer">
        <title>\(title)</title>
        </head>
        <body>

        """
    }

    static func missing(_ photos: [LeftOutPhoto]) -> String {
        if photos.isEmpty { return "" }
        let lines = photos.map { "<li>\(Markup.escaped($0.id)): \(Markup.escaped($0.reason))</li>\n" }
        return "<h2>Not in this archive</h2>\n<ul>\n\(lines.joined())</ul>\n"
    }

    private static let policy = PagePolicy(style: style, .pictures)
    private static let style = """
        body { font: 16px/1.5 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
        figure { margin: 0 0 2.5rem; }
        img { max-width: 100%; height: auto; }
        figcaption { color: #444; }
        """

    static func figure(_ photo: ArchivedPhoto) -> String {
        let title = photo.title.isEmpty ? "Untitled" : photo.title
        let time = photo.takenMilliseconds.map { day($0, ahead: photo.takenOffsetMinutes ?? 0) } ?? ""
        let parts = [
            "<strong>\(Markup.escaped(title))</strong>",
            photo.author.isEmpty ? "" : "by \(Markup.escaped(photo.author))",
            Markup.escaped(photo.licence), time, source(of: photo),
        ]
        return """
            <figure>
            <a href="\(Markup.escaped(photo.file.name))"><img src="\(Markup.escaped(photo.file.name))" alt="\(Markup.escaped(title))" \
            loading="lazy"></a>
            <figcaption>\(parts.filter { !$0.isEmpty }.joined(separator: " · "))</figcaption>
            </figure>

            """
    }

    /// A link to the photo's page, or the network that it comes from.
    private static func source(of photo: ArchivedPhoto) -> String {
        let network = Markup.escaped(photo.id.split(at: "/").first.map { String($0) } ?? "")
        guard isWebAddress(photo.sourceUrl) else { return network }
        return "<a href=\"\(Markup.escaped(photo.sourceUrl))\" rel=\"noreferrer noopener\">\(network)</a>"
    }

    /// Whether a link may lead there.
    package static func isWebAddress(_ text: String) -> Bool {
        text.begins(with: "https://") || text.begins(with: "http://")
    }

    /// The day where it was taken, "2024-05-17"; empty when it is no moment.
    private static func day(_ unixMilliseconds: Int64, ahead minutes: Int) -> String {
        guard TimestampMessage(unixMilliseconds: unixMilliseconds).unixMilliseconds != nil,
            (-900...900).contains(minutes)
        else { return "" }
        let date = Date(timeIntervalSince1970: Double(unixMilliseconds / 1_000 + Int64(minutes) * 60))
        return date.formatted(Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day())
    }

    /// Degrees with at most 7 digits behind the point and no idle zeros.
    private static func degrees(_ value: Double) -> String {
        guard let scaled = Int64(exactly: (value * 1e7).rounded()) else { return "\(value)" }
        let (whole, part) = scaled.magnitude.quotientAndRemainder(dividingBy: 10_000_000)
        var digits = String("\(part + 10_000_000)".dropFirst())
        while digits.ends(with: "0") { digits.removeLast() }
        return "\(scaled < 0 ? "-" : "")\(whole)\(digits.isEmpty ? "" : ".\(digits)")"
    }

    private static func grouped(_ digits: String) -> String {
        guard digits.count > 3 else { return digits }
        return grouped(String(digits.dropLast(3))) + "," + digits.suffix(3)
    }
}
