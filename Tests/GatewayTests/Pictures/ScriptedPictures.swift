import Contracts
import Crypto
import Daemon
import RPC
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import Gateway

/// A photo service that gives the pictures that a test puts there, part by part.
final class ScriptedPictures: Sendable {
    /// One picture, and how it is told.
    struct Picture: Sendable {
        var bytes: [UInt8]
        var partSize = 1_000
        /// What is given to those who may get a WebP.
        var webP: [UInt8]?
        /// What is announced when it is not the truth.
        var sha256: String?
        var byteCount: Int?
        var isShownThrough = false
        var isOwn = false
        /// The part before which it waits until the call is cancelled.
        var hangsBefore: Int?
        /// What is done before the part of that number is given, from 0.
        var before: (@Sendable (Int) async throws -> Void)?
    }

    private let pictures = Mutex<[String: Picture]>([:])
    /// The calls that came.
    let calls = Tally()
    /// The calls that ended before their last part: a cancellation can come before the part that waits for it.
    let unfinished = Tally()
    /// Who made them.
    let callers = Mutex<Set<String>>([])

    func set(_ id: String, _ picture: Picture?) { pictures.withLock { $0[id] = picture } }

    var router: Router {
        var router = Router()
        register(in: &router)
        return router
    }

    func register(in router: inout Router) {
        router.serverStreaming(PhotoServiceMethods.getPicture) {
            (
                request: GetPictureRequest, responses: ResponseWriter<GetPictureResponse>, context: CallContext
            ) async throws in
            let identity = context.identity
            let caller = identity?.account ?? identity?.service ?? ""
            self.callers.withLock { _ = $0.insert(caller) }
            self.calls.add()
            guard var picture = self.pictures.withLock({ $0[request.photoId] }) else {
                throw RPCError(.notFound, "no photo \(request.photoId)")
            }
            let webP = request.allowWebp ? picture.webP : nil
            picture.bytes = webP ?? picture.bytes
            do {
                try await Self.send(picture, mediaType: webP == nil ? "image/jpeg" : "image/webp", responses)
            } catch {
                self.unfinished.add()
                throw error
            }
        }
    }

    private static func send(
        _ picture: Picture, mediaType: String, _ responses: ResponseWriter<GetPictureResponse>
    ) async throws {
        let bytes = picture.bytes
        let info = PictureInfo(
            mediaType: mediaType, byteCount: UInt64(picture.byteCount ?? bytes.count),
            sha256: picture.sha256 ?? digest(bytes), shownThrough: picture.isShownThrough,
            own: picture.isOwn)
        for (number, start) in stride(from: 0, to: bytes.count, by: picture.partSize).enumerated() {
            if number == picture.hangsBefore { try await Tally().addWhenCancelled() }
            try await picture.before?(number)
            let part = Array(bytes[start..<min(start + picture.partSize, bytes.count)])
            try await responses.write(GetPictureResponse(data: part, info: number == 0 ? info : nil))
        }
    }

    /// The SHA-256 of bytes, as text.
    static func digest(_ bytes: [UInt8]) -> String { CachedPictureFacts.text(SHA256.digest(bytes)) }

    /// Bytes that differ from those of another seed.
    static func bytes(_ count: Int, seed: UInt8 = 0) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) ^ seed }
    }
}

/// A picture cache before a scripted photo service.
struct CacheWorld {
    let cache: PictureCache
    let service: ScriptedPictures
    /// The folder of the cache.
    let folder: String

    static func with(
        folder: String, limitBytes: Int = 1_000_000, _ service: ScriptedPictures = ScriptedPictures(),
        _ body: (CacheWorld) async throws -> Void
    ) async throws {
        let key = try #require(RunningGateway.key)
        let check = IdentityCheck(key)
        try await TestServer.with(service.router, interceptors: [check]) { server in
            try await server.withClient { client in
                let cache = await PictureCache(
                    folder: folder, limitBytes: limitBytes, photos: client, signer: IdentitySigner(key),
                    blocking: BlockingCalls.ofTested)
                let result: Result<Void, any Error>
                do {
                    result = .success(try await body(CacheWorld(cache: cache, service: service, folder: folder)))
                } catch {
                    result = .failure(error)
                }
                await cache.close()
                try result.get()
            }
        }
    }

    /// The same in a folder of its own.
    static func with(limitBytes: Int = 1_000_000, _ body: (CacheWorld) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            try await with(folder: "\(folder)/cache", limitBytes: limitBytes, ScriptedPictures(), body)
        }
    }

    static func ticket(_ id: String, source: [UInt8] = [1]) -> PictureTicket {
        PictureTicket(photoId: id, size: .thumbnail, source: source, expiresUnixS: .max)
    }

    func open(_ id: String, allowsWebP: Bool = false) async throws -> OpenPicture {
        try await cache.open(PictureWish(ticket: Self.ticket(id), allowsWebP: allowsWebP))
    }

    /// All bytes of a picture, however it comes.
    func bytes(_ id: String) async throws -> [UInt8] { try await open(id).bytes() }

    /// The picture as soon as it comes from a file.
    func kept(_ id: String) async throws -> OpenPicture {
        while true {
            let picture = try await open(id)
            if picture.isFile { return picture }
            _ = try await picture.bytes()
        }
    }

    /// The names of the files in the folder.
    func names() throws -> [String] {
        try #require(try? PictureCacheFolder(path: folder).names()).filter { !$0.hasPrefix(".") }.sorted()
    }
}

extension OpenPicture {
    var isFile: Bool { if case .file = body { true } else { false } }

    /// All bytes, or those of a part.
    func bytes(_ range: Range<Int>? = nil) async throws -> [UInt8] {
        let range = range ?? 0..<byteCount
        switch body {
        case .file(let file): return try file.bytes(from: range.lowerBound, limit: range.count)
        case .stream(let stream):
            var bytes: [UInt8] = []
            try await stream.read(range) { bytes += $0 }
            return bytes
        }
    }
}
