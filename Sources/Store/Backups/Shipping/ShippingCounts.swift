import Storage

/// How a shipper is doing.
package struct ShippingCounts: Sendable {
    package private(set) var objects = 0
    package private(set) var bytes = 0
    package private(set) var failures = 0
    /// The last moment that is stored, in milliseconds since 1970; that of its start before the first.
    package private(set) var stored = LogFollower.now
    /// Why storing fails; nil when it does not.
    package private(set) var trouble: String?
    /// Pages that changed and are not stored.
    package private(set) var waitingPages = 0
    /// Pictures that were put since this process began and are not stored.
    package private(set) var waitingPictures = 0
    /// Whether the database can be brought back from there. False until that is known.
    var hasState = false
    /// Whether no picture waits, also none of before this process. False until that is known.
    private var hasAllPictures = false

    mutating func note(_ count: Int, _ time: Int64) {
        objects += 1
        bytes += count
        stored = time
    }

    /// How much later than the last moment that is stored it is, in milliseconds; 0 where nothing waits.
    package func behind(now: Int64) -> Int64 { waitingPages > 0 || trouble != nil ? max(0, now - stored) : 0 }

    /// Whether nothing is missing there but pages that changed just now.
    package var isWhole: Bool { hasState && hasAllPictures }

    /// Whether it failed before.
    mutating func succeed() -> Bool {
        defer { trouble = nil }
        return trouble != nil
    }

    /// Nothing can be stored yet, which is no failure.
    mutating func wait(_ reason: String) { trouble = reason }

    /// Whether it did not fail before.
    mutating func fail(_ reason: String) -> Bool {
        failures += 1
        defer { trouble = reason }
        return trouble == nil
    }

    /// - Parameter pictures: nil where none belong to the database.
    func with(waitingPages: Int, pictures: ShippingPictures?) -> ShippingCounts {
        var counts = self
        (counts.waitingPages, counts.waitingPictures) = (waitingPages, pictures?.waitingCount ?? 0)
        counts.hasAllPictures = pictures.map { $0.isWhole($0.putCount) } ?? true
        counts.trouble = trouble ?? pictures?.trouble
        return counts
    }
}
