import Contracts
import TestTools

extension RunningSystem {
    /// Lets all blobs look old, and waits until one that no picture names any more is swept.
    func sweep(_ blob: String, _ blobs: BlobFolder) async throws {
        try await waitForCopies()
        blobs.makeOld()
        try await within(Round.patience, { "\(blob) is not swept" }) {
            while blobs.names.contains(blob) { try await supervision.pause(.milliseconds(50)) }
        }
    }

    /// Lets all blobs look old, and waits until the photo service has looked through them.
    func sweep(_ blobs: BlobFolder) async throws {
        try await waitForCopies()
        let before = try sweeps
        blobs.makeOld()
        try await within(Round.patience, { "no sweep" }) {
            // The sweep after the next: the next one may run already.
            while try sweeps < before + 2 { try await supervision.pause(.milliseconds(50)) }
        }
    }

    /// Waits until no picture is being made, of a deleted pin's album neither: its bytes are stored before the row that
    /// names them, and would look old without one.
    private func waitForCopies() async throws {
        let request = PhotosNearRequest(
            centre: Coordinate(latitude: 60.17, longitude: 24.94), radiusM: 100_000, limit: 200)
        try await within(Round.patience, { "pictures are still being made" }) {
            while try await answered("PhotosNear", { try await albums.photosNear(request, $0) }).photos.contains(
                where: {
                    $0.state == .waiting || $0.state == .downloading
                })
            {
                try await supervision.pause(.milliseconds(50))
            }
        }
    }

    /// How many sweeps the photo service has logged.
    private var sweeps: Int {
        get throws {
            let log = try WholeFile.text("\(data)/logs/photo-service.log")
            return log.split(separator: "\n").count { $0.contains("\"sweep finished\"") }
        }
    }
}
