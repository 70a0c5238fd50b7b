import Bytes
import Geo

/// What Flickr says of a photo, in whichever of its answers.
struct FlickrFacts {
    let id: String
    let owner: String
    let ownerName: String?
    let title: String?
    /// Its number.
    let licence: String?
    /// The time of the camera; nil when it is not known.
    let taken: String?
    let tags: [String]
    /// The largest size that is named.
    var url: String?
    let server: String?
    let secret: String?

    /// Nil unless it has a licence that lets it be shown, and its bytes may be fetched.
    func photo(_ flickr: FlickrProvider, at position: Coordinate, width: UInt32, height: UInt32) -> FoundPhoto? {
        guard Self.isNumber(id), Self.isName(owner), let licence = licence.flatMap({ FlickrLicence.names[$0] }),
            let fetch = address(flickr.files), flickr.mayFetch(fetch), fetch.utf8.count <= 2_048
        else { return nil }
        let author = PlainText.line(ownerName ?? "", limit: 200)
        return FoundPhoto(
            network: flickr.name, id: id, title: PlainText.line(title ?? "", limit: 2_200), position: position,
            credit: Credit(
                author: author.isEmpty ? owner : author, licence: licence,
                sourceURL: "https://www.flickr.com/photos/\(owner)/\(id)"),
            fetchURL: fetch, width: width, height: height, takenMilliseconds: TakenTime.ofClock(taken),
            // Without those that are written by programs for programs: "geo:lat=48".
            tags: tags.filter { !($0.holds(":") && $0.holds("=")) })
    }

    /// The largest size that is named; otherwise that of 500 pixels, which every photo has.
    private func address(_ files: String) -> String? {
        if let url { return Self.today(url) }
        guard let secret, let server, Self.isNumber(server), Self.isName(secret) else { return nil }
        return "\(files)\(server)/\(id)_\(secret).jpg"
    }

    /// An address from the years when each of its farms had a name: the files are at the one of today.
    private static func today(_ url: String) -> String {
        guard let farm = url.after("https://farm") ?? url.after("http://farm") else { return url }
        let host = Substring(farm.unicodeScalars.drop(while: \.isDigit))
        return host.after(".staticflickr.com/").map { FlickrProvider.filesURL + $0 } ?? url
    }

    /// They become parts of addresses.
    private static func isNumber(_ text: String) -> Bool {
        (1...24).contains(text.utf8.count) && text.utf8.allSatisfy { "0123456789".utf8.contains($0) }
    }

    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { $0.isASCIILetter || $0.isDigit || $0 == "@" || $0 == "-" || $0 == "_" }
    }
}

/// The licences of Flickr under which a photo may be shown, by the numbers of `flickr.photos.licenses.getInfo`. Number
/// 0, "All Rights Reserved", is not among them: we keep pictures, in albums and favourites for years, and Flickr's terms
/// let a photo be kept only as its owner allows.
enum FlickrLicence {
    static let names = [
        "1": "CC BY-NC-SA 2.0", "2": "CC BY-NC 2.0", "3": "CC BY-NC-ND 2.0", "4": "CC BY 2.0", "5": "CC BY-SA 2.0",
        "6": "CC BY-ND 2.0", "7": "No known copyright restrictions", "8": "United States Government Work",
        "9": "CC0 1.0", "10": "Public Domain Mark 1.0", "11": "CC BY 4.0", "12": "CC BY-SA 4.0", "13": "CC BY-ND 4.0",
        "14": "CC BY-NC 4.0", "15": "CC BY-NC-SA 4.0", "16": "CC BY-NC-ND 4.0",
    ]

    /// All numbers, as a request has them.
    static let numbers = (1...names.count).map { "\($0)" }.joined(separator: ",")
}
