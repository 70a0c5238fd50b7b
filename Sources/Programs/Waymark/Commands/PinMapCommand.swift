import Arguments
import Bytes
import Contracts
import Crypto
import EventLoops
import RPC
import Terminal

/// `waymark pin map`: writes a picture of the map around a pin to a file.
struct PinMapCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["pin", "map"], summary: "write a picture of the map around a pin to a PNG file",
        positionals: [.pin, Positional(name: "FILE", summary: "where to; a file that is there is replaced")],
        flags: [
            Flag(
                "span", "DEGREES",
                "how much the shorter side shows, \(text(GetPinMapRequest.spanDegreesRange)); some hundred metres when"
                    + " not given, or the region where no streets are known"),
            Flag(
                "size", "WIDTHxHEIGHT",
                "in points, \(text(GetPinMapRequest.widthRange)) each; \(standardSize) when not given"),
            Flag(
                "scale", "N", "pixels per point, \(text(GetPinMapRequest.scaleRange)); 1 when not given"),
            Flag("dark", "in the colours of the night"),
        ] + Flag.client,
        examples: ["pin map 'Railway square' square.png --span 0.02 --scale 2"])

    private static let standardSize = "\(GetPinMapRequest.widthDefault)x\(GetPinMapRequest.heightDefault)"

    private static func text(_ range: ClosedRange<some Comparable>) -> String {
        "\(range.lowerBound) to \(range.upperBound)"
    }

    private let options: ClientOptions
    private let request: GetPinMapRequest
    private let file: OutputFile

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        let size = try Self.size(arguments.text("size"))
        request = GetPinMapRequest(
            pinId: arguments.pinID, spanDegrees: try Self.span(arguments.text("span")), width: size?.width,
            height: size?.height, scale: try arguments.count("scale"), dark: arguments.has("dark"))
        file = OutputFile(path: arguments.optional(at: 1) ?? "", mayReplace: true)
    }

    private static func span(_ text: String?) throws(UsageError) -> Double? {
        guard let text else { return nil }
        guard let span = Double(text) else { throw UsageError("--span is \(text), allowed is a number of degrees") }
        return span
    }

    private static func size(_ text: String?) throws(UsageError) -> (width: UInt32, height: UInt32)? {
        guard let text else { return nil }
        let sides = text.lowercased().split(at: "x", omittingEmptySubsequences: false).map { UInt32($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1] else {
            throw UsageError("--size is \(text), allowed are two numbers such as 600x400")
        }
        return (width, height)
    }

    func run(_ session: Session) async throws -> ExitCode {
        let picture = try await TargetLink.with(options.target) { link in
            try await link.blocking.run { [file] in try file.check() }
            let picture = try await MapServiceClient(link.client).getPinMap(request, options.call)
            guard Picture.digest(picture.png) == picture.sha256 else {
                throw CommandFailure("the gateway sent other bytes than its picture has (SHA-256); nothing was written")
            }
            try await link.blocking.run { [file] in try file.write(picture.png) }
            return picture
        }
        session.console.print(session.wantsJSON ? try json(picture) : line(picture))
        return .success
    }

    private func line(_ picture: GetPinMapResponse) -> String {
        "\(file.path): \(Quantity.bytes(UInt64(picture.png.count))); \(picture.attribution)".printable
    }

    private func json(_ picture: GetPinMapResponse) throws -> String {
        struct Answer: Encodable {
            let file: String
            let byteCount: Int
            let attribution: String
            let sha256: String
        }
        return try OneLineJSON.of(
            Answer(
                file: file.path, byteCount: picture.png.count, attribution: picture.attribution,
                sha256: picture.sha256))
    }
}
