@testable import PhotoService

// The domain's names of what the contracts call the same.

typealias StoredAlbum = Album
typealias StoredPhoto = Photo
