/// Why the service does not do what it is asked to.
enum PhotoError: Error, Equatable {
    /// No photo has that id.
    case noPhoto(PhotoID)
    /// Nothing is known of the pin or place, or it is not the caller's.
    case noAlbum(AlbumSubject)
    /// The album does not hold the photo.
    case notInAlbum(PhotoID, AlbumSubject)
    /// Other photos were asked for while the album is in a state that does not stay.
    case notFinal(AlbumSubject, AlbumState)
    /// A place gets other photos only once an hour; how long that still is.
    case tooSoon(milliseconds: Int64)
    /// The picture is not there.
    case noPicture(PhotoID, PictureState)
    /// The service has no folder of pictures.
    case noFolder
    /// The service is about to stop.
    case stopping
}
