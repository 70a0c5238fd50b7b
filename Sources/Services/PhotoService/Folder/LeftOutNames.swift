/// Names of folders and files whose pictures are left out: what systems and programs keep beside people's own pictures,
/// as deleted ones, earlier versions and thumbnails of others; and what the operator names.
struct LeftOutNames: Sendable {
    /// A name for each folder of a part of a path; "*" stands for any text, "?" for any character. ASCII letters may be
    /// large or small.
    private let patterns: [[[Unicode.Scalar]]]

    /// What is hidden, as `.Trash-1000`, `.stversions`, `.thumbnails` or `.@__thumb`, is left out anyway.
    private static let ofSystems = [
        // Synology, QNAP, and others with Samba's names.
        "#recycle", "#snapshot", "@eaDir", "@tmp", "@Recycle", "@Recently-Snapshot", "@sharebin", "@Transcode",
        "@__thumb", "trashbox", "Recycle Bin*", "Network Recycle Bin*",
        // Windows, macOS, Linux.
        "$RECYCLE.BIN", "RECYCLER", "RECYCLED", "System Volume Information", "Thumbs", "Network Trash Folder",
        "Temporary Items", "__MACOSX", "lost+found",
        // Nextcloud's folders of data, Immich's, Lightroom's previews, and libraries of Apple's programs, which have
        // each picture in several sizes.
        "files_trashbin", "files_versions", "appdata_*", "encoded-video", "*.lrdata", "*.photoslibrary/resources",
        "*.photoslibrary/database", "*.photoslibrary/private", "*.photoslibrary/scopes", "*.photoslibrary/Thumbnails",
        "*.photoslibrary/Previews", "*.photolibrary/Thumbnails", "*.photolibrary/Previews", "*.aplibrary/Thumbnails",
        "*.aplibrary/Previews", "iPod Photo Cache",
    ]

    static let bySystems = LeftOutNames()

    /// With those that the operator names: "Private", "Scans/*.png".
    init(_ others: [String] = []) {
        patterns = (Self.ofSystems + others).map { pattern in
            pattern.unicodeScalars.split(separator: "/").map { Self.folded($0) }
        }.filter { !$0.isEmpty }
    }

    /// Whether a path, or a folder that it leads through, is left out.
    func leaveOut(path: String) -> Bool {
        let names = path.unicodeScalars.split(separator: "/").map { Self.folded($0) }
        return names.indices.contains { leaveOut(names[...$0]) }
    }

    /// Whether what these folders lead to, the last name being its own, is left out; they themselves are not.
    func leaveOut(last path: String) -> Bool {
        leaveOut(path.unicodeScalars.split(separator: "/").map { Self.folded($0) }[...])
    }

    private func leaveOut(_ names: ArraySlice<[Unicode.Scalar]>) -> Bool {
        if names.last?.starts(with: ".".unicodeScalars) == true { return true }
        return patterns.contains { pattern in
            names.count >= pattern.count
                && zip(names.suffix(pattern.count), pattern).allSatisfy { Self.matches($0, $1) }
        }
    }

    private static func folded(_ name: Substring.UnicodeScalarView) -> [Unicode.Scalar] {
        name.map { ("A"..."Z").contains($0) ? Unicode.Scalar(UInt8(ascii: $0) | 0x20) : $0 }
    }

    /// Goes back to the last "*" only, as all that was before it is matched already.
    private static func matches(_ name: [Unicode.Scalar], _ pattern: [Unicode.Scalar]) -> Bool {
        var (at, next) = (0, 0)
        var star: (next: Int, at: Int)?
        while at < name.count {
            if next < pattern.count, pattern[next] == "*" {
                star = (next, at)
                next += 1
            } else if next < pattern.count, pattern[next] == "?" || pattern[next] == name[at] {
                (at, next) = (at + 1, next + 1)
            } else if let last = star {
                star = (last.next, last.at + 1)
                (at, next) = (last.at + 1, last.next + 1)
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy { scalar in scalar == "*" }
    }
}
