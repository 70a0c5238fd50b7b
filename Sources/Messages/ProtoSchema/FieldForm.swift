/// How a text is written: the option (waymark.rpc.v1.form), with its numbers.
package enum FieldForm: UInt8, Sendable, CaseIterable {
    case uuid = 1
    case requestID, line, lines, visible, words, photoID, albumSubject, datasetName, category, countryCode, webURL
    case httpsURL, placeNetwork, liveNetwork, placeField, photoNetwork, contact, keyNetwork, sha256, key, tag, email
    case network, searchedNetwork, language, branch, day, placeID, placeCategory, name, shown

    /// The regular expression (ECMA-262, for Unicode) that the whole text matches, without anchors.
    package var pattern: String {
        switch self {
        case .uuid: "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
        case .requestID: "[!-~]{1,64}"
        case .line: #"[\#(Self.space)]*[^\#(Self.control)\u2028\u2029]*[\#(Self.space)]*"#
        case .lines: #"[\#(Self.space)]*[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*[\#(Self.space)]*"#
        case .visible: #"[\s\S]*[^\#(Self.space)][\s\S]*"#
        case .words: #"[\s\S]*[\p{L}\p{N}][\s\S]*"#
        case .photoID, .placeID: "[a-z][a-z0-9_-]{0,31}/[^\(Self.control)]{1,1024}"
        case .albumSubject: "(?:pin/[0-9A-Za-z-]{1,64}|place/[^\(Self.control)]{1,1100})"
        case .datasetName: "[a-z0-9_-]{1,63}"
        case .category: #"(?:[\s\S]{0,254}[^/]|[\s\S]{1,255}/)"#
        case .countryCode: "[A-Za-z]{2}"
        case .webURL: "[hH][tT][tT][pP][sS]?\(Self.address)"
        case .httpsURL: "[hH][tT][tT][pP][sS]\(Self.address)"
        case .placeNetwork: "(?:catalog|foursquare|instagram|openstreetmap)"
        case .liveNetwork: "(?:foursquare|instagram|openstreetmap)"
        case .placeField: "(?:id|name|categories|position|attributes|distance_m)"
        case .photoNetwork: "(?:commons|panoramax|flickr|foursquare|instagram)"
        case .contact: "[ -~]*[!-~][ -~]*"
        case .keyNetwork: "(?:immich|instagram)"
        case .sha256: "[0-9A-Fa-f]{64}"
        case .key: "[!-~]{1,500}"
        case .tag:
            "[\(Self.space)]*\(Self.mark)(?:[^\(Self.control)\\u2028\\u2029]{0,62}\(Self.mark))?[\(Self.space)]*"
        case .name: "[\(Self.space)]*\(Self.mark)(?:[^\(Self.control)\\u2028\\u2029]*\(Self.mark))?[\(Self.space)]*"
        case .placeCategory:
            "[\(Self.space)]*\(Self.mark)(?:[^\(Self.control)\\u2028\\u2029]{0,253}\(Self.mark))?[\(Self.space)]*"
        case .network: "[a-z][a-z0-9_-]{0,31}"
        case .searchedNetwork: "(?:catalog|commons|flickr|folder|foursquare|instagram|openstreetmap|panoramax)"
        case .branch: "(?:places|pins|photos|posts)"
        case .shown: "(?:places|pins|photos)"
        case .day: "(?:\(Self.realDay))?"
        case .language: "(?:[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*)?"
        case .email: "[^@\(Self.space)\(Self.control)]+@[^@\(Self.space)\(Self.control)]+"
        }
    }

    /// White space and control characters of Unicode, for a class of characters.
    private static let space =
        #"\u0009-\u000d \u0085\u00a0\u1680\u2000\u2001\u2002-\u200a\u2028\u2029\u202f\u205f\u3000"#
    private static let control = #"\u0000-\u001f\u007f-\u009f"#
    /// A character that is neither.
    private static let mark = "[^\(space)\(control)]"

    /// A day that there is, of the years 0000 to 9999.
    private static let realDay =
        "[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
        + "|02-(?:0[1-9]|1[0-9]|2[0-8]))|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])"
        + "|(?:[02468][048]|[13579][26])00)-02-29"

    /// Host, port and all that follows, behind the scheme of a URL.
    private static let address =
        #"://(?:[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*|\[[0-9A-Fa-f:.]{3,}\])(?::[1-9][0-9]{0,3})?"#
        + #"(?:[/?#][!#-;=?-Z\[\]_a-z~]*)?"#
}
