/// How patiently a store is asked.
package struct S3Settings: Sendable {
    /// Bytes from which on a blob is sent in parts, and of each part but the last; S3 wants 5 MiB at least.
    package var partBytes = 8 << 20
    /// How often a request is made before its blob counts as not to be had.
    package var tries = 4
    /// The pauses between tries: the first, and the longest.
    package var pauses: ClosedRange<Duration> = .milliseconds(100)...(.seconds(2))
    /// For finding the host and connecting.
    package var connectTimeout: Duration = .seconds(3)
    /// For one request and its answer; where the answer is read as it comes, for the next of its bytes.
    package var timeout: Duration = .seconds(60)
    /// After a store could not be reached, for how long it is not asked at all: first, and at most.
    package var rests: ClosedRange<Duration> = .milliseconds(500)...(.seconds(10))
    /// Objects on a page of the list, at most 1,000.
    package var pageObjects = 1_000

    package init() {}

    /// For large objects that are sent in one request, also over a slow line.
    package static var large: S3Settings {
        var settings = S3Settings()
        settings.timeout = .seconds(1_800)
        return settings
    }
}
