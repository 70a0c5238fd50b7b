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

    /// What became of a file.
    private struct Added: Encodable {
        let file: String
        var id: String?
        var error: String?
    }

    /// A file that can't be used costs its part.
    func run(_ session: Session) async throws -> ExitCode {
        var all: [Added] = []
        try await TargetLink.with(options.target) { link in
            let pin = try await PinReference.id(of: pin, link, options)
            for file in files {
                let added = try await add(file, pin, link)
                all.append(added)
                if !session.wantsJSON { session.console.print(Self.line(added)) }
            }
        }
        struct Answer: Encodable { let photos: [Added] }
        if session.wantsJSON { session.console.print(try OneLineJSON.of(Answer(photos: all))) }
        return all.contains { $0.error != nil } ? .failure : .success
    }

    private func add(_ file: String, _ pin: String, _ link: TargetLink) async throws -> Added {
        do {
            let sender = PhotoSender(pin: pin, uploads: UploadServiceClient(link.client), options: options)
            return Added(file: file, id: try await PhotoFile(path: file, blocking: link.blocking).send(sender).id)
        } catch let error as RPCError where error.code == .unavailable || error.code == .unauthenticated {
            throw error
        } catch {
            return Added(file: file, error: (error as? RPCError)?.message ?? "\(error)")
        }
    }

    private static func line(_ added: Added) -> String {
        "\(added.file): \(added.error ?? added.id ?? "")".printable
    }
}
