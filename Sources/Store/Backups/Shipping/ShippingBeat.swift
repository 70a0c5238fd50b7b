internal import EventLoops
internal import Files

/// A file that the shippers of a machine's databases share: each touches it when it stores something, so that the
/// others say of the same moment that nothing changed of theirs.
struct ShippingBeat: Sendable {
    /// How much later it is looked whether others store something.
    private static let patience = Duration.milliseconds(80)

    /// Nil where there are no others.
    let path: String?
    /// When it was last changed, as far as it was seen.
    private var seen: Int64 = 0
    /// Whether another one had changed it when this one did.
    private var isOthers = false

    init(path: String?) { self.path = path }

    /// Says that something is stored. Where that can't be said, it is stored still.
    mutating func touch(_ blocking: BlockingPool) async {
        guard let path else { return }
        let times = try? await blocking.run {
            if try !DiskFile.exists(path) { try DiskFile.create(path, byteCount: 0) }
            let before = try DiskFile.status(path)?.modified ?? 0
            try DiskFile.touch(path)
            return (before, try DiskFile.status(path)?.modified ?? 0)
        }
        guard let (before, touched) = times else { return }
        // What is stored now may be of an earlier moment than what the other one has stored.
        if before != seen { isOthers = true }
        seen = touched
    }

    /// Whether another one has stored something since the last look.
    mutating func isTouched(_ blocking: BlockingPool) async -> Bool {
        guard let path else { return false }
        _ = try? await Task.sleep(for: Self.patience)
        guard let now = try? await blocking.run({ try DiskFile.status(path)?.modified ?? 0 }) else { return false }
        defer { (seen, isOthers) = (now, false) }
        return now != seen || isOthers
    }
}
