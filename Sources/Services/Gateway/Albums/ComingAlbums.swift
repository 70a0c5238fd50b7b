import Bytes
import Contracts
import RPC
import Wire

/// A pin was dropped while the photo service was away: until that hears of it, it knows no album of the pin, and says
/// so. Only the pin service knows whether there is such a pin; when there is, its album comes: the answer is to ask
/// again, not that it is gone.
enum ComingAlbums {
    /// Calls that begin something at a pin's album, each with the pin in its request.
    static let methods: [(method: MethodDescriptor, pin: @Sendable ([UInt8]) throws -> String?)] = [
        (PhotoServiceMethods.openAlbum, { pin(of: try OpenAlbumRequest(request: $0).subject) }),
        (PhotoServiceMethods.getAlbum, { pin(of: try GetAlbumRequest(request: $0).subject) }),
        (PhotoServiceMethods.newCollection, { pin(of: try NewCollectionRequest(request: $0).subject) }),
        (UploadServiceMethods.startUpload, { try StartUploadRequest(request: $0).pinId }),
    ]

    private static func pin(of subject: String) -> String? {
        subject.halves(at: "/").flatMap { kind, id in kind == "pin" ? String(id) : nil }
    }

    /// An imported pin has none before it is opened.
    static func isComing(_ pin: Pin?) -> Bool { (pin?.generation ?? 0) > 0 }

    static let refusal = RPCError(
        .unavailable, "the photo service does not know of the pin yet; try again in a moment",
        details: StatusDetails(retryAfterMs: 1_000))
}

extension Router {
    mutating func forwardAlbums(to photos: RPCClient, pins: RPCClient) {
        for (method, pin) in ComingAlbums.methods {
            add(method) { bytes, context in
                do {
                    return try await Self.forwarded(method, bytes, context, to: photos)
                } catch let error as RPCError where error.code == .notFound {
                    guard let id = try pin(bytes), !id.isEmpty else { throw error }
                    let request = GetPinRequest(id: id).packedBytes()
                    do {
                        let answer = try await Self.forwarded(PinServiceMethods.getPin, request, context, to: pins)
                        guard ComingAlbums.isComing(try GetPinResponse(answer: answer).pin) else { throw error }
                    } catch let other as RPCError where [.notFound, .invalidArgument].contains(other.code) {
                        // The account has no such pin.
                        throw error
                    }
                    throw ComingAlbums.refusal
                }
            }
        }
    }
}
