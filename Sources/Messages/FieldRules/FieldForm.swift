/// How a text is written: the option (waymark.rpc.v1.form), with its numbers. What each of them says is its `rule`.
package enum FieldForm: UInt8, Sendable, CaseIterable {
    case uuid = 1
    case requestID, line, lines, visible, words, photoID, albumSubject, datasetName, category, countryCode, webURL
    case httpsURL, placeNetwork, liveNetwork, placeField, photoNetwork, contact, keyNetwork, sha256, key, tag, email
    case network, searchedNetwork, language, branch, day, placeID, placeCategory, name, shown

    /// Its pattern, its check and its words.
    package var rule: FormRule {
        switch self {
        case .uuid: .uuid
        case .requestID: .requestID
        case .line: .line
        case .lines: .lines
        case .visible: .visible
        case .words: .words
        case .photoID: .photoID
        case .albumSubject: .albumSubject
        case .datasetName: .datasetName
        case .category: .category
        case .countryCode: .countryCode
        case .webURL: .webURL
        case .httpsURL: .httpsURL
        case .placeNetwork: .placeNetwork
        case .liveNetwork: .liveNetwork
        case .placeField: .placeField
        case .photoNetwork: .photoNetwork
        case .contact: .contact
        case .keyNetwork: .keyNetwork
        case .sha256: .sha256
        case .key: .key
        case .tag: .tag
        case .email: .email
        case .network: .network
        case .searchedNetwork: .searchedNetwork
        case .language: .language
        case .branch: .branch
        case .day: .day
        case .placeID: .placeID
        case .placeCategory: .placeCategory
        case .name: .name
        case .shown: .shown
        }
    }

    /// Whether a text is written so.
    package func takes(_ text: String) -> Bool { rule.takes(text) }
}
