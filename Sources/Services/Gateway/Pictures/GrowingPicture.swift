import Crypto
import EventLoops
import RPC

/// A picture that is being written to a file of the cache. All of it blocks.
struct GrowingPicture: Sendable {
    private let facts: CachedPictureFacts
    private let folder: PictureCacheFolder
    private let draft: PictureCacheFolder.Draft
    private(set) var count = 0
    private(set) var isKept = false
    private var hash = RunningSHA256()

    /// Begins a file.
    init(_ facts: CachedPictureFacts, in folder: PictureCacheFolder) throws(SystemError) {
        self.facts = facts
        self.folder = folder
        draft = try folder.draft()
    }

    var file: CachedPictureFile { draft.file }
    var isWhole: Bool { count == facts.byteCount }

    /// Writes the next bytes; the last ones only when the total is the announced size.
    mutating func add(_ bytes: ArraySlice<UInt8>) throws {
        guard bytes.count <= facts.byteCount - count else { throw Self.damaged }
        hash.update(bytes)
        try draft.file.write(bytes, at: count)
        count += bytes.count
        guard !isWhole || CachedPictureFacts.text(hash.digest) == facts.sha256 else { throw Self.damaged }
    }

    /// Gives the whole file its name. If that fails, only the next fetch is lost: the readers have the bytes.
    mutating func keep() {
        do {
            try folder.keep(draft, as: facts.sha256)
            isKept = true
        } catch {
            drop()
        }
    }

    /// Removes the file of a picture that is not kept.
    func drop() { folder.drop(draft) }

    static var damaged: RPCError {
        RPCError(.dataLoss, "the picture's bytes are not those that the photo service announced")
    }
}
