/// Why the service does not do what it is asked to.
enum PhotoError: Error, Equatable {
    /// A field holds what is not allowed; the sentence names the value and what is allowed.
    case invalid(field: String, String)
    /// No photo has that id.
    case noPhoto(PhotoID)
    /// Nothing is known of the pin or place, or it is not the caller's.
    case noAlbum(AlbumSubject)
}
