import Contracts
import Crypto
import RPC
import Terminal

/// A picture as it came, checked against what was said of it before.
struct Picture: Sendable, Equatable {
    let info: PictureInfo
    let bytes: [UInt8]

    /// More than any picture that a service makes has, in bytes.
    static let maximumBytes: UInt64 = 64 << 20

    /// Reads all parts.
    init<Parts: AsyncSequence>(_ parts: Parts) async throws where Parts.Element == GetPictureResponse {
        var info: PictureInfo?
        var bytes: [UInt8] = []
        for try await part in parts {
            if info == nil { info = try Self.checked(part.info) }
            bytes += part.data
            guard UInt64(bytes.count) <= info?.byteCount ?? 0 else { throw Self.broken("more bytes than it has") }
        }
        guard let info else { throw Self.broken("nothing") }
        guard bytes.count == info.byteCount else { throw Self.broken("\(bytes.count) of \(info.byteCount) bytes") }
        guard Self.digest(bytes) == info.sha256 else { throw Self.broken("other bytes than it has (SHA-256)") }
        self.info = info
        self.bytes = bytes
    }

    private static func checked(_ info: PictureInfo?) throws(CommandFailure) -> PictureInfo {
        guard let info else { throw broken("no description") }
        guard info.byteCount <= maximumBytes else {
            throw CommandFailure(
                "the picture has \(Quantity.bytes(info.byteCount)), more than the \(Quantity.bytes(maximumBytes)) allowed"
            )
        }
        return info
    }

    private static func broken(_ what: String) -> CommandFailure {
        CommandFailure("the service sent \(what) of the picture; nothing was written")
    }

    /// The SHA-256 of bytes, as text.
    static func digest(_ bytes: [UInt8]) -> String { hexadecimal(SHA256.digest(bytes)) }

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
