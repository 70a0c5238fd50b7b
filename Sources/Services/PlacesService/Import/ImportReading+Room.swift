import EventLoops
import Files
import PlaceContracts

extension ImportReading {
    /// Bytes of the disk that an import takes at most for each byte of its .osm.pbf, besides the file: nodes, rows and
    /// features in files without names, what they are sorted in, and the dataset. Measured were 3.2 to 5.4.
    private static let roomOfByte: UInt64 = 6

    /// Refuses an import that would not end for want of room. What other files take is known by reading them alone.
    func refuseWithoutRoom(in folder: String) throws(PlacesError) {
        guard job.format == .osmPBF else { return }
        let what = "the import of dataset \(job.dataset)"
        let (byteCount, free) = try PlacesError.converting(what) { () throws(SystemError) in
            (UInt64(try DiskFile.status(job.path)?.byteCount ?? 0), try DiskFile.freeBytes(in: folder))
        }
        // What changes are applied to is written once more.
        let most = byteCount * (job.changes.isEmpty ? Self.roomOfByte : Self.roomOfByte + 1)
        guard free >= most else {
            throw .diskFull(what: "\(what): it may take \(most) bytes besides its file, \(free) are free")
        }
    }
}
