import EventLoops
import HTTPClient
import Storage

/// The bytes of pictures: the originals, in the folder, which is only read, or at a network, and the pictures made from
/// them.
struct PictureStore: Sendable {
    /// Nil when the service has no folder of pictures.
    let folder: PictureFolder?
    private let networks: PhotoNetworks?
    private let blobs: any Blobs
    private let blocking: BlockingPool
    /// Held while a picture is decoded that needs much memory.
    private let largeDecodes: AsyncSemaphore
    /// Held while an uploaded file is in memory.
    let finishing = AsyncSemaphore(permits: 1)

    init(
        folder: PictureFolder?, networks: PhotoNetworks? = nil, blobs: any Blobs, blocking: BlockingPool,
        largeDecodes: AsyncSemaphore = AsyncSemaphore(permits: 1)
    ) {
        self.folder = folder
        self.networks = networks
        self.blobs = blobs
        self.blocking = blocking
        self.largeDecodes = largeDecodes
    }

    /// Whether pictures can be made from an original.
    func has(_ original: Original) -> Bool {
        if original.id.network == PhotoID.uploadNetwork { return true }
        return original.url.isEmpty ? folder != nil : networks?.has(original.id.network) ?? false
    }

    /// The networks that are on.
    var networkNames: Set<String> { networks?.names ?? [] }

    /// Runs blocking work.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await blocking.run(body)
    }

    /// Makes a picture from an original and stores it. When this returns a crash does not lose it, but until a row
    /// names it only the sweep's grace period protects it.
    func make(_ size: PictureSize, from original: Original) async throws -> (
        picture: StoredPicture, placeholder: String
    ) {
        if let file = original.upload { return try await largeDecodes.run { try await make(size, original, file) } }
        if !original.url.isEmpty {
            let jpeg = try await fetch(original)
            return try await decoding(jpeg) { try await make(size, from: original) { jpeg } }
        }
        guard let folder else { throw PictureProblem.busy("the service has no folder of pictures") }
        let jpeg: [UInt8]? = try await blocking.run {
            let jpeg = try folder.read(original.path).bytes
            return try PictureMaker.keptBytes(of: jpeg) > PictureLimit.sharedBytes ? nil : jpeg
        }
        if let jpeg { return try await make(size, from: original) { jpeg } }
        // A waiting caller holds nothing in memory, not even the file.
        return try await largeDecodes.run {
            try await make(size, from: original) { try folder.read(original.path).bytes }
        }
    }

    /// Both pictures of a network's photo, so that its network is asked for it once.
    func makeBoth(
        from original: Original, _ progress: TransferProgress
    ) async throws -> (thumbnail: StoredPicture, placeholder: String, large: StoredPicture) {
        let jpeg = try await fetch(original, progress)
        return try await decoding(jpeg) {
            let (thumbnail, placeholder) = try await make(.thumbnail, from: original) { jpeg }
            return (thumbnail, placeholder, try await make(.large, from: original) { jpeg }.picture)
        }
    }

    private func fetch(_ original: Original, _ progress: TransferProgress? = nil) async throws -> [UInt8] {
        guard let networks else { throw PictureProblem.busy("no network is switched on") }
        return try await networks.bytes(of: original, progress)
    }

    /// Decodes a picture that needs much memory alone.
    private func decoding<Made: Sendable>(_ jpeg: [UInt8], _ make: () async throws -> Made) async throws -> Made {
        let isLarge = try await blocking.run { try PictureMaker.keptBytes(of: jpeg) > PictureLimit.sharedBytes }
        return isLarge ? try await largeDecodes.run { try await make() } : try await make()
    }

    /// From an uploaded file, which may be large.
    private func make(
        _ size: PictureSize, _ original: Original, _ file: UploadedBytes
    ) async throws -> (picture: StoredPicture, placeholder: String) {
        guard let name = BlobName(bytes: file.digest) else { throw PictureProblem.gone }
        let opened = try await blobs.open(name, count: file.count, behind: [], limit: file.count)
        var bytes = opened.first
        while bytes.count < file.count {
            let more = try await opened.blob.bytes(behind: [], from: bytes.count, limit: file.count)
            if more.isEmpty { throw BlobError.damaged(name) }
            bytes += more
        }
        let jpeg = bytes
        return try await make(size, from: original, limit: jpeg.count) { jpeg }
    }

    /// Stores bytes; until a row names them only the sweep's grace period protects them.
    func put(_ blob: HeldBlob) async throws(BlobError) { try await blobs.put(blob) }

    private func make(
        _ size: PictureSize, from original: Original, limit: Int = PictureLimit.bytes,
        _ read: @escaping @Sendable () throws -> [UInt8]
    ) async throws -> (picture: StoredPicture, placeholder: String) {
        let (blob, picture, placeholder) = try await blocking.run {
            let jpeg = try read()
            let made = try PictureMaker.make(
                from: jpeg, longestSide: size.longestSide, orientation: original.orientation, quality: size.quality,
                limit: limit)
            let blob = HeldBlob(made.bytes)
            let picture = StoredPicture(
                name: blob.name, byteCount: blob.count, width: made.width, height: made.height)
            return (blob, picture, made.placeholder)
        }
        try await blobs.put(blob)
        return (picture, placeholder)
    }

    /// Opens a picture's bytes and reads the first of them: `head`, followed by at most `limit`.
    func open(_ picture: StoredPicture, behind head: [UInt8], limit: Int) async throws(BlobError) -> OpenedBlob {
        try await blobs.open(picture.name, count: picture.byteCount, behind: head, limit: limit)
    }

    /// Removes unreferenced bytes.
    func remove(_ names: [BlobName]) async throws(BlobError) {
        for name in names { _ = try await blobs.remove(name, ifStoredBefore: .max) }
    }

    /// Removes unreferenced bytes. `needed` gives those of some names that are needed, and may answer from an earlier
    /// time: what was stored since then is young.
    func sweep(
        grace: Int64, now: Int64, needed: ([BlobName]) async throws -> Set<BlobName>
    ) async throws -> BlobSweep {
        try await blobs.sweep(olderThan: grace, now: now, needed: needed)
    }
}

/// A picture that was made and stored.
struct StoredPicture: Equatable, Sendable {
    let name: BlobName
    let byteCount: Int
    /// Pixels.
    let width: Int
    let height: Int
}

/// How large a picture is. The numbers are stored.
enum PictureSize: Int64, Sendable {
    case thumbnail = 1
    case large = 2

    /// In pixels.
    var longestSide: Int {
        switch self {
        case .thumbnail: 320
        case .large: 2_048
        }
    }

    /// Of JPEG, 1 to 100.
    var quality: Int {
        switch self {
        case .thumbnail: 80
        case .large: 85
        }
    }
}
