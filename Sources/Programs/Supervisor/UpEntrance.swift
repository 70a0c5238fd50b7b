import Bytes
import EventLoops
import Files
import FoundationEssentials
import LoginLinks
import Settings
import Terminal

/// Where others reach the map of a running `up`, and which tokens let them in: what it takes to make a link that logs
/// a browser in. It is kept in the data folder, for commands that are run meanwhile.
package struct UpEntrance: Codable, Equatable, Sendable {
    /// "http://10.0.0.2:7780"
    package let map: String
    package let tokenFile: String

    private static let longestFile = 16 << 10

    /// Nil where no link is needed: others don't reach it, or everybody who does is let in.
    /// - Parameters:
    ///   - web: where the gateway speaks HTTP: "0.0.0.0:7780".
    ///   - scheme: "http" or "https".
    ///   - publicURL: how browsers reach it by way of a proxy; nil when there is none.
    package init?(_ access: UpAccess, web: String?, scheme: String, publicURL: String?) {
        guard let tokenFile = access.tokenFile else { return nil }
        let own = web.flatMap { UpAccess.reached($0).first }.map { "\(scheme)://\($0)" }
        guard let map = publicURL ?? own else { return nil }
        self.map = String(map.before("/") ?? map[...])
        self.tokenFile = tokenFile
    }

    /// That of the `up` that runs in a folder. Blocks.
    package init(of folder: UpFolder) throws {
        guard folder.isInUse else {
            throw CommandFailure(
                "no waymark up runs in \(folder.path); --data DIR names the folder of the one that does")
        }
        guard try DiskFile.exists(folder.entrance) else {
            throw CommandFailure(
                "the waymark up in \(folder.path) has no use for a link: others don't reach it, everybody who does is"
                    + " let in, or it has only just begun")
        }
        let bytes = try SmallFile.read(folder.entrance, limit: Self.longestFile)
        self = try JSONDecoder().decode(Self.self, from: Data(bytes))
    }

    /// Tells other commands. Blocks.
    package func write(to folder: UpFolder) throws {
        try DiskFile.replace(folder.entrance, with: Array(JSONEncoder().encode(self)))
    }

    /// Makes a link that logs one browser in, within ten minutes. Its secret is behind "#", which browsers send to
    /// no client and no log has. Blocks.
    /// - Parameter now: milliseconds since 1970.
    package func makeLink(in folder: UpFolder, at now: Int64) throws -> String {
        guard let token = try TokenFile.first(tokenFile) else { throw CommandFailure("\(tokenFile) has no token") }
        let links = LoginLinks(gatewayData: folder.folder(ServiceSettings.gateway.name))
        return "\(map)/#/login/\(try links.make(for: token, at: now))"
    }
}
