import EventLoops
import HTTPClient
import PictureCalls
import Storage

/// The bytes of pictures: the originals, in the folder, which is only read, or at a network, and the pictures made from
/// them.
struct PictureStore: Sendable {
    /// Nil when the service has no folder of pictures.
    let folder: PictureFolder?
    /// What reads pictures.
    let decoders: PictureDecoders
    private let networks: PhotoNetworks?
    private let blobs: any Blobs
    private let blocking: BlockingPool
    /// Held while a picture is decoded that needs much memory.
    private let largeDecodes: FairSlots
    /// Held while an uploaded file is in memory.
    let finishing = FairSlots(1)

    init(
        folder: PictureFolder?, decoders: PictureDecoders, networks: PhotoNetworks? = nil, blobs: any Blobs,
        blocking: BlockingPool, largeDecodes: FairSlots = FairSlots(1)
    ) {
        self.folder = folder
        self.decoders = decoders
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
    var networkNames: Set<String> { networks?.active ?? [] }

    /// Whether an account likes a photo at its network; nil when that can't be known.
    func isLiked(_ id: PhotoID, by account: String) async -> Bool? { await networks?.isLiked(id, by: account) ?? nil }

    /// The bytes of a picture that is shown through, and their kind: "image/webp".
    func through(_ id: PhotoID, _ size: PictureSize) async throws -> (blob: HeldBlob, mediaType: String) {
        guard let networks else { throw PictureProblem.busy("no network is switched on") }
        let (bytes, mediaType) = try await networks.libraries.picture(id, size)
        return (try await blocking.run { HeldBlob(bytes) }, mediaType)
    }

    /// Runs blocking work.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await blocking.run(body)
    }

    /// Makes pictures from an original and stores them. When this returns a crash does not lose them, but until rows
    /// name them only the sweep's grace period protects them. `progress` learns how much of a network's has come.
    func make(
        _ sizes: [PictureSize], from original: Original, _ progress: TransferProgress? = nil
    ) async throws -> MadeSizes {
        // An uploaded file may be large by itself.
        if let file = original.upload {
            return try await largeDecodes.run { () throws -> MadeSizes in
                let bytes = try await self.bytes(of: file)
                return try await self.make(sizes, for: .large, limit: PictureLimit.ownBytes) { bytes }
            }
        }
        if !original.url.isEmpty {
            guard let networks else { throw PictureProblem.busy("no network is switched on") }
            let bytes = try await networks.bytes(of: original, progress)
            return try await make(sizes) { _ in bytes }
        }
        guard let folder else { throw PictureProblem.busy("the service has no folder of pictures") }
        return try await make(sizes) { try folder.read(original.path, limit: $0).bytes }
    }

    /// A picture that has many bytes or needs much memory waits until it can be decoded alone among such ones. `read`,
    /// which knows the most bytes that it may give, is asked again then, so that a file is not kept in memory while it
    /// waits.
    private func make(
        _ sizes: [PictureSize], _ read: @escaping @Sendable (Int) throws -> [UInt8]
    ) async throws -> MadeSizes {
        do {
            return try await make(sizes, for: .usual, limit: PictureLimit.bytes) { try read(PictureLimit.bytes) }
        } catch  where error is PictureDecoders.TakesMuch || error as? PictureProblem == .overShare {
            return try await largeDecodes.run { () throws -> MadeSizes in
                try await self.make(sizes, for: .large, limit: PictureLimit.ownBytes) {
                    try read(PictureLimit.ownBytes)
                }
            }
        }
    }

    private func make(
        _ sizes: [PictureSize], for purpose: DecoderPurpose, limit: Int,
        _ read: @escaping @Sendable () throws -> [UInt8]
    ) async throws -> MadeSizes {
        let orders = sizes.map { PictureOrder(longestSide: $0.longestSide, quality: $0.quality) }
        let made = try await decoders.make(orders, for: purpose, limit: limit, read)
        // At once: each waits for the disk.
        let pictures = try await withThrowingTaskGroup(of: (PictureSize, StoredPicture).self) { group in
            for (size, picture) in zip(sizes, made.pictures) { group.addTask { (size, try await put(picture)) } }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        return MadeSizes(pictures: pictures, placeholder: made.placeholder)
    }

    private func put(_ picture: MadePicture) async throws -> StoredPicture {
        let (jpeg, webP) = try await blocking.run {
            (HeldBlob(picture.bytes), picture.webP.isEmpty ? nil : HeldBlob(picture.webP))
        }
        async let kept: Void = blobs.put(jpeg)
        if let webP { try await blobs.put(webP) }
        try await kept
        return StoredPicture(
            jpeg: StoredBytes(name: jpeg.name, count: jpeg.count),
            webP: webP.map { StoredBytes(name: $0.name, count: $0.count) }, width: picture.width,
            height: picture.height)
    }

    /// Of an uploaded file, which may be large.
    private func bytes(of file: UploadedBytes) async throws -> [UInt8] {
        guard let name = BlobName(bytes: file.digest) else { throw PictureProblem.gone }
        let opened = try await blobs.open(name, count: file.count, behind: [], limit: file.count)
        var bytes = opened.first
        while bytes.count < file.count {
            let more = try await opened.blob.bytes(behind: [], from: bytes.count, limit: file.count)
            if more.isEmpty { throw BlobError.damaged(name) }
            bytes += more
        }
        return bytes
    }

    /// Stores bytes; until a row names them only the sweep's grace period protects them.
    func put(_ blob: HeldBlob) async throws(BlobError) { try await blobs.put(blob) }

    /// Opens a picture's bytes and reads the first of them: `head`, followed by at most `limit`.
    func open(_ bytes: StoredBytes, behind head: [UInt8], limit: Int) async throws(BlobError) -> OpenedBlob {
        try await blobs.open(bytes.name, count: bytes.count, behind: head, limit: limit)
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

extension PictureProblem {
    /// The file has more bytes than may be decoded in parallel with others.
    fileprivate static let overShare = tooLarge(limit: PictureLimit.bytes)
}
