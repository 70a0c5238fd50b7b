import Arguments
import Contracts
import RPC
import Terminal

/// `waymark photo add`: uploads photos of one's own.
struct PhotoAddCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["photo", "add"], summary: "upload photos of your own, which no other account sees",
        positionals: [Positional(name: "FILE", summary: "a picture of at most 64 MiB", isRepeatable: true)],
        flags: [
            Flag("pin", "PIN", "the pin whose album gets them; a picture without a position gets that of the pin")
        ] + Flag.client,
        examples: ["photo add ~/Pictures/*.jpg", "photo add market.jpg --pin Kauppatori"])

    private let options: ClientOptions
    private let files: [String]
    private let pin: String

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        files = arguments.positionals
        pin = arguments.text("pin") ?? ""
    }

    func run(_ session: Session) async throws -> ExitCode {
        try await TargetLink.with(options.target) { link in
            let pin = try await PinReference.id(of: pin, link, options)
            let sender = PhotoSender(pin: pin, uploads: UploadServiceClient(link.client), options: options)
            return try await AddedPhoto.all(files, by: sender, link, session)
        }
    }
}

/// What became of a file.
struct AddedPhoto: Encodable {
    let file: String
    var id: String?
    var error: String?

    /// Sends files, one after the other, and shows what became of each. A file that can't be used costs its part.
    static func all(
        _ files: [String], by sender: PhotoSender, _ link: TargetLink, _ session: Session
    ) async throws -> ExitCode {
        var all: [AddedPhoto] = []
        for file in files {
            let added = try await add(file, sender, link)
            all.append(added)
            if !session.wantsJSON { session.console.print("\(file): \(added.error ?? added.id ?? "")".printable) }
        }
        struct Answer: Encodable { let photos: [AddedPhoto] }
        if session.wantsJSON { session.console.print(try OneLineJSON.of(Answer(photos: all))) }
        return all.contains { $0.error != nil } ? .failure : .success
    }

    private static func add(_ file: String, _ sender: PhotoSender, _ link: TargetLink) async throws -> AddedPhoto {
        do {
            return AddedPhoto(file: file, id: try await PhotoFile(path: file, blocking: link.blocking).send(sender).id)
        } catch let error as RPCError where error.code == .unavailable || error.code == .unauthenticated {
            throw error
        } catch {
            return AddedPhoto(file: file, error: (error as? RPCError)?.message ?? "\(error)")
        }
    }
}
