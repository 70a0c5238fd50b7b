/// Photos around a point.
struct PhotosFound: Sendable {
    /// A photo and how far away it is.
    struct Hit: Sendable {
        let photo: Photo
        /// Great-circle distance in metres.
        let metres: Double
    }

    /// Nearest first; equally near ones by id.
    let hits: [Hit]
    /// Whether there are more within the radius.
    let isTruncated: Bool
}
