import EventLoops
import PictureCalls
import Storage
import Synchronization

/// All files that a walk through the folder has found.
struct FolderList: Sendable {
    let files: [FoundFile]
    /// Whether nothing was skipped: then a photo that is not among them was deleted.
    let isComplete: Bool
    /// The paths of all files.
    let paths: Set<String>

    init(_ files: [FoundFile], isComplete: Bool) {
        let counts = Dictionary(files.lazy.map { ($0.size - $0.sidecarSize, 1) }, uniquingKeysWith: +)
        self.files = files.map { file in
            var file = file
            file.hasTwin = file.problem == nil && counts[file.size - file.sidecarSize, default: 0] > 1
            return file
        }
        self.isComplete = isComplete
        paths = Set(files.map(\.path))
    }

    /// Whether a file that was there may still be: what was not looked into may have it.
    func mayHave(_ path: String) -> Bool { !isComplete || paths.contains(path) }

    /// The files, so many at a time.
    func batches(of size: Int) -> some Sequence<[FoundFile]> {
        stride(from: 0, to: files.count, by: size).lazy.map { Array(files[$0..<min($0 + size, files.count)]) }
    }

    /// Walks until it is done or the task is cancelled, in turn with what else needs a thread.
    static func make(_ folder: PictureFolder, _ pictures: PictureStore) async throws -> FolderList {
        let walking = FolderWalking(folder)
        var files: [FoundFile] = []
        return try await withTaskCancellationHandler {
            while let more = try await pictures.run({ try walking.next() }) { files += more }
            return FolderList(files, isComplete: walking.walk.isComplete)
        } onCancel: {
            walking.stop()
        }
    }
}

/// A walk through the folder of pictures that threads for such work make, one part after the other.
final class FolderWalking: Sendable {
    /// Entries of a turn: some tenths of a second on the slowest of disks.
    static let entriesOfTurn = 256

    private let folder: PictureFolder
    private let end = StopFlag()
    private let state = Mutex(State())

    private struct State: ~Copyable {
        /// Nil before the first turn.
        var walker: FolderWalker?
        var walk = FolderWalk()
    }

    init(_ folder: PictureFolder) { self.folder = folder }

    /// Stops the walk that is under way.
    func stop() { end.set() }

    /// How far it has come.
    var walk: FolderWalk { state.withLock { $0.walk } }

    /// What it finds in the next turn; nil when there is nothing any more. Blocks.
    func next() throws(FolderProblem) -> [FoundFile]? {
        try state.withLock { state throws(FolderProblem) in
            let isCancelled = { [end] in end.isSet }
            if state.walker == nil { state.walker = try folder.walker(isCancelled: isCancelled) }
            let found = try state.walker?.next(Self.entriesOfTurn, isCancelled: isCancelled)
            state.walk = state.walker?.walk ?? FolderWalk()
            return found ?? nil
        }
    }
}

/// Files that need reporting or work, by what is known before they are read.
struct SortedFiles: Sendable {
    /// New files, and those that have changed since they were read.
    var changed: [FoundFile] = []
    /// Files that can't be used, and why: as the walk saw, or as found when they were read in their current state.
    var unusable: [(path: String, reason: String)] = []
    /// Of these, what the walk saw and nothing has recorded yet.
    var newlyUnusable: [FoundFile] = []
}

/// A file and what its picture says.
struct ScannedFile: Sendable {
    let file: FoundFile
    let photo: Result<Photo, PictureProblem>
    /// EXIF's number, 1 to 8.
    let orientation: Int
    /// Of a file that may be a copy of another one.
    var digest: FileDigest?

    /// Has the file looked at. Blocks.
    init(_ file: FoundFile, in folder: PictureFolder, _ seat: inout DecoderSeat) {
        self.file = file
        do throws(PictureProblem) {
            let notes = try folder.notes(file) { picture, sidecar throws(PictureProblem) in
                try seat.notes(of: picture, sidecar: sidecar)
            }
            let facts = try PictureFacts(notes)
            let photo = try Photo(file, facts)
            if file.hasTwin { digest = try folder.digest(file) }
            (self.photo, orientation) = (.success(photo), facts.orientation)
        } catch {
            photo = .failure(error)
            orientation = 1
        }
    }
}

extension Photo {
    fileprivate init(_ file: FoundFile, _ facts: PictureFacts) throws(PictureProblem) {
        guard let id = PhotoID("\(PhotoID.folderNetwork)/\(file.path)") else {
            throw .badName("can't be part of an id")
        }
        self.init(
            id: id, title: facts.title, position: facts.position,
            credit: Credit(author: facts.author, licence: facts.licence, sourceURL: ""), originalURL: "",
            width: UInt32(clamping: facts.width), height: UInt32(clamping: facts.height),
            takenMilliseconds: facts.takenMilliseconds, takenOffsetMinutes: facts.takenOffsetMinutes,
            view: facts.view, tags: facts.tags, camera: facts.camera, lens: facts.lens)
    }
}
