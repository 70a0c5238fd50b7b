internal import Bytes
internal import Files
internal import Storage

/// Where all data of a deployment is: in a data folder, or in a PostgreSQL database and a bucket.
package enum MoveHome: Sendable, Equatable {
    case folder(String)
    case database(String)

    /// - Parameter text: a folder, or `postgresql://…`.
    package init(_ text: String) {
        var path = text
        while path.utf8.count > 1, path.ends(with: "/") { path.removeLast() }
        let isDatabase = text.begins(with: "postgresql://") || text.begins(with: "postgres://")
        self = isDatabase ? .database(text) : .folder(path)
    }

    package var isFolder: Bool {
        switch self {
        case .folder: true
        case .database: false
        }
    }
}

/// A service that keeps records: what they are called in both kinds of places.
package enum MovedService: String, CaseIterable, Sendable {
    // In the order in which they are let go: places change last.
    case pins, photos, places

    /// The file in the service's folder.
    var file: String {
        switch self {
        case .pins: "pins.db"
        case .photos: "photos.db"
        case .places: "live.db"
        }
    }

    func side(of home: MoveHome, _ passwordFile: String?) throws(SQLError) -> MoveSide {
        switch home {
        case .folder(let folder): try MoveSide("sqlite:\(folder)/\(rawValue)/\(file)", schema: rawValue)
        case .database(let address): try MoveSide(address, schema: rawValue, passwordFile: passwordFile)
        }
    }
}
