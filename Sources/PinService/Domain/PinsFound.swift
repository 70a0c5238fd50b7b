/// Pins around a point.
struct PinsFound: Sendable {
    /// A pin and how far away it is.
    struct Hit: Sendable {
        let pin: Pin
        /// Great-circle distance in metres.
        let metres: Double
    }

    /// Nearest first; equally near ones by id.
    let hits: [Hit]
    /// Whether there are more within the radius.
    let isTruncated: Bool
}
