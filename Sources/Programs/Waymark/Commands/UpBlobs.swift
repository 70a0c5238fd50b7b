import Arguments
import Backups
import Bytes
import Files
import Settings
import Supervisor
import Terminal

/// The bucket in which a `waymark up` keeps pictures and datasets. Each service that keeps bytes gets a prefix of its
/// own below it, as `waymark migrate` has them: each removes what it does not know.
///
/// The place is noted in the data folder: started with another one, a service would find none of what is there.
struct UpBlobs: Sendable {
    static let flags = Option.blobs.map(\.passedFlag)

    /// What is given of the other settings.
    private let settings: [String]
    /// Nil for the data folder.
    private let address: String?
    /// Whether the records are in a server: then it is for whom that serves to know where pictures are.
    private let isInServer: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        // Of a variable too, which services would take as it is.
        address = arguments.setting("blobs")?.text
        isInServer = arguments.setting("database") != nil
        settings = Option.blobs.dropFirst().flatMap { option in
            arguments.text(option.name).map { ["\(option.flag)=\($0)"] } ?? []
        }
        if let address, !BackupStore.isBucket(address) {
            throw UsageError("--blobs is \(address), allowed: s3://BUCKET/PREFIX?endpoint=URL")
        }
    }

    /// What a service gets.
    func flags(of service: ServiceSettings) -> [String] {
        guard let address, service.options.contains(where: { $0.flag == "--blobs" }) else { return [] }
        return ["--blobs=\(DataMove.below(address, service.name))"] + settings
    }

    /// Refuses another place than the folder was started with, and notes that of one that is new. Blocks.
    func take(_ folder: UpFolder) throws {
        guard !isInServer else { return }
        let place = address.map(NotedBlobs.plain)
        let noted = try NotedBlobs.place(of: folder.path)
        guard try DiskFile.exists("\(folder.folder("photos"))/photos.db") else {
            // A first start that came to nothing has stored nothing either.
            return try NotedBlobs.note(place, in: folder.path)
        }
        if let noted {
            guard noted.isSame(as: place ?? "") else {
                throw CommandFailure(
                    "the pictures and datasets of \(folder.path) are at \(noted): --blobs has to name that")
            }
        } else if let place {
            throw CommandFailure(
                "the pictures and datasets of \(folder.path) are in it, and not at \(place): start it without --blobs, or"
                    + " move all with waymark migrate --to postgresql://… --blobs …")
        }
    }
}
