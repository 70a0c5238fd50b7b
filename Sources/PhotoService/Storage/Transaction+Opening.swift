import Storage

extension Transaction {
    /// Asks for the pictures of a place's album; a pin's are wanted from the start.
    func open(_ album: Album, at time: Int64) throws(SQLError) {
        guard !album.isOpened, album.version > 0 else { return }
        try execute("UPDATE albums SET is_opened = TRUE WHERE subject = ?1", album.subject.text)
        try wantPictures(of: album.subject, at: time)
        try recount(album.subject)
    }
}
