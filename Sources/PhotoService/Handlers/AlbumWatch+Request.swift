import Contracts
import RPC

extension AlbumWatch {
    init(_ request: WatchAlbumsRequest, account: String) throws(RPCError) {
        guard Self.albumRange.contains(request.albums.count) else {
            throw .invalid("albums", "\(request.albums.count) are given, 1 to 100 are allowed")
        }
        var cursors: [Cursor] = []
        for (index, album) in request.albums.enumerated() {
            let cursor = try Cursor(album, account: account, field: "albums[\(index)]")
            guard !cursors.contains(where: { $0.subject == cursor.subject }) else {
                throw .invalid("albums[\(index)].subject", "\"\(album.subject.prefix(100))\" is given twice")
            }
            cursors.append(cursor)
        }
        self.init(cursors)
    }
}

extension AlbumWatch.Cursor {
    fileprivate init(_ message: AlbumCursor, account: String, field: String) throws(RPCError) {
        guard let subject = AlbumSubject(message.subject) else {
            throw .invalid(
                "\(field).subject",
                "\"\(message.subject.prefix(100))\" is given, \"pin/<id of the pin>\" or \"place/<id of the place>\" is "
                    + "needed")
        }
        guard let version = Int64(exactly: message.fromVersion) else {
            throw .invalid("\(field).from_version", "\(message.fromVersion) is given, `version` of an album is needed")
        }
        self.init(subject: subject, account: account, version: version, isKnown: version > 0)
    }
}
