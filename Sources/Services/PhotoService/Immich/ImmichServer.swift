import Arguments
import Bytes
import Daemon
import LiveNetworks

/// A server of Immich that the operator allows.
struct ImmichServer: Sendable, Equatable {
    /// Where the service reaches it: "http://immich:2283".
    let url: String
    /// As people reach it, by which it is named.
    let publicURL: String

    /// "URL,URL"; of a server that people reach elsewhere "URL=URL", the second theirs.
    static func list(_ text: String, _ flag: String) throws(OptionError) -> [ImmichServer] {
        var servers: [ImmichServer] = []
        for entry in text.split(at: ",") {
            let urls = entry.split(at: "=", maxSplits: 1).map { String($0.trimmed) }
            let url = try NetworkOptions.url(urls.first ?? "", of: flag)
            let publicURL = try NetworkOptions.url(urls.last ?? "", of: flag)
            guard !servers.contains(where: { $0.publicURL == publicURL }) else {
                throw OptionError("\(flag) names \(publicURL) twice")
            }
            servers.append(ImmichServer(url: url, publicURL: publicURL))
        }
        return servers
    }

    /// The page that shows a photo; who opens it logs in there.
    func page(_ asset: String) -> String { "\(publicURL)/photos/\(asset)" }
}

/// A version of Immich.
struct ImmichVersion: Sendable, Comparable, CustomStringConvertible, Decodable {
    let major: Int
    let minor: Int

    /// Whether it lists what is in an area; an older one lists all that has a position.
    var hasAreas: Bool { self >= ImmichVersion(major: 2, minor: 6) }
    /// Whether it wants keys with all permissions, whatever is asked.
    var wantsAll: Bool { major == 1 && (136...137).contains(minor) }

    var description: String { "\(major).\(minor)" }

    static func < (left: ImmichVersion, right: ImmichVersion) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }
}
