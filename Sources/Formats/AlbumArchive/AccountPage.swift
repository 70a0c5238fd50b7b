import Contracts
import Markup
import Wire

/// The page of an account's archive: what is in it, the first of its pins, and the photos. It opens in a browser from
/// the folder that the archive was unpacked to, runs nothing and loads nothing else.
struct AccountPage {
    static let name = "index.html"
    /// More pins are in their file only.
    private static let maximumPins = 1000

    var account: Account?
    /// Names of files, and what is in them.
    var files: [(name: String, about: String)] = []
    var photos: [ArchivedPhoto] = []
    var leftOut: [LeftOutPhoto] = []
    private var pins: [Pin] = []
    private var pinCount = 0

    mutating func add(_ more: [Pin]) {
        pinCount += more.count
        pins += more.prefix(Self.maximumPins - pins.count)
    }

    var html: [UInt8] {
        let name = [account?.firstName ?? "", account?.lastName ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        let title = Markup.escaped(name.isEmpty ? account?.email ?? "Account" : name)
        let list = files.map { file in
            let (path, about) = (Markup.escaped(file.name), Markup.escaped(file.about))
            return "<li><a href=\"\(path)\">\(path)</a>: \(about)</li>\n"
        }
        let text =
            AttributionPage.head(title) + "<h1>\(title)</h1>\n<h2>Files</h2>\n<ul>\n\(list.joined())</ul>\n" + pinTable
            + "<h2>Photos</h2>\n" + photos.map(AttributionPage.figure).joined() + AttributionPage.missing(leftOut)
            + "</body>\n</html>\n"
        return Array(text.utf8)
    }

    private var pinTable: String {
        let rows = pins.map { pin in
            let position = "\(pin.position?.latitude ?? 0), \(pin.position?.longitude ?? 0)"
            return "<li>\(Markup.escaped(pin.name)) <small>\(position)</small></li>\n"
        }
        let more = pinCount > pins.count ? "<p>The others are in pins.geojson.</p>\n" : ""
        return "<h2>Pins: \(pinCount)</h2>\n<ul>\n\(rows.joined())</ul>\n\(more)"
    }
}
