package import TestTools

/// The pictures of a run: a folder that the system reads, and those of the repository that are put there bit by bit.
package final class PictureShelf {
    /// The folder that the system reads.
    package let path: String
    private let source: String
    /// Names below `source`.
    private let all: [String]
    /// Not in the folder now.
    private var waiting: [String]
    /// Pictures from far away that take the place of others. Each is used once, so that no two photos have one
    /// thumbnail.
    private var spare: [String]
    /// Only uploaded, so that no picture of the folder has its thumbnail.
    private let uploaded: String

    package init(from source: String, to path: String) {
        self.source = source
        self.path = path
        let names = Files.below(source).filter { $0.hasSuffix(".jpg") }
        all = names.filter { !$0.hasPrefix("world/") }
        let far = names.filter { $0.hasPrefix("world/") }
        uploaded = far.first ?? ""
        spare = Array(far.dropFirst())
        waiting = all
        Files.makeFolder(path)
    }

    /// Puts up to `count` more pictures into the folder.
    package func add(_ count: Int, _ random: inout SeededGenerator) throws {
        waiting = waiting.sorted().shuffled(using: &random)
        for name in waiting.suffix(count) { try put(name, as: Self.flat(name)) }
        waiting.removeLast(min(count, waiting.count))
    }

    /// Takes the picture of one of these photos out of the folder; later it may be put back.
    package func remove(_ photos: Set<String>, _ random: inout SeededGenerator) throws {
        guard let name = one(of: photos, &random) else { return }
        try Files.remove("\(path)/\(name)")
        waiting += all.filter { Self.flat($0) == name }
    }

    /// Lets the file of one of these photos hold another picture; gives the photo.
    package func replace(_ photos: Set<String>, _ random: inout SeededGenerator) throws -> String? {
        guard let name = one(of: photos, &random), let picture = spare.popLast() else { return nil }
        try put(picture, as: name)
        return Self.photo(name)
    }

    /// A picture to upload, of more than one part, that is no other's: remarks at random are in it.
    package func pictureToUpload(_ random: inout SeededGenerator) throws -> [UInt8] {
        var bytes = try WholeFile.bytes("\(source)/\(uploaded)")
        var remarks: [UInt8] = []
        for _ in 0..<20 {
            // A comment of JPEG: its mark, its length, its text.
            remarks += [0xff, 0xfe, 0xfd, 0xea]
            remarks += (0..<65_000).map { _ in UInt8.random(in: 32...126, using: &random) }
        }
        bytes.insert(contentsOf: remarks, at: 2)
        return bytes
    }

    private func one(of photos: Set<String>, _ random: inout SeededGenerator) -> String? {
        TemporaryFolder.names(in: path).filter { photos.contains(Self.photo($0)) }.sorted()
            .randomElement(using: &random)
    }

    /// In one step, as a person moves a picture.
    private func put(_ picture: String, as name: String) throws {
        let copy = "\(path)/.new"
        try WholeFile.write(WholeFile.bytes("\(source)/\(picture)"), to: copy)
        try Files.move(copy, to: "\(path)/\(name)")
    }

    private static func flat(_ name: String) -> String { name.split(separator: "/").joined(separator: "-") }
    private static func photo(_ name: String) -> String { "folder/\(name)" }
}
