import PhotoContracts
import Glibc
import RPC
import Storage
import TestSupport
import TestTools
import Testing

@testable import PhotoService

@Suite("P22 Pictures whose bytes the disk lost")
struct LostPictureTests {
    /// What may become of the bytes of a picture.
    enum Loss: CaseIterable {
        case removed, cut

        /// A store's answers are compared with their names, and tests of stores show that.
        static let ofEngine = PostgresServer.isOfFiles ? allCases : [.removed]
    }

    private func lose(
        _ picture: PictureInfo, _ loss: Loss, of service: RunningPhotoService, in folder: String
    ) async throws {
        let name = try #require(BlobName(picture.sha256))
        switch loss {
        case .removed: #expect(try await service.blobs.remove(name))
        case .cut:
            let path = "\(folder)/data/blobs/\(picture.sha256.prefix(2))/\(picture.sha256.dropFirst(2))"
            try WholeFile.write(Array(try WholeFile.bytes(path).dropLast()), to: path)
        }
    }

    private func fillAlbum(_ service: RunningPhotoService) async throws {
        _ = try await service.scan()
        try await service.store.waitForScans()
        try await service.addPin()
        try await service.watchToEnd("pin/p1")
    }

    @Test(
        "are made again from the photo's file when they are asked for",
        arguments: [BaseContracts.PictureSize.thumbnail, .large], Loss.ofEngine)
    func again(size: BaseContracts.PictureSize, loss: Loss) async throws {
        try await TemporaryFolder.with { folder in
            try PictureFiles(folder).add("1.jpg", 60, TestJPEG(width: 800, height: 600))
            try await RunningPhotoService.working(in: folder) { service in
                try await fillAlbum(service)
                let (bytes, info) = try await service.picture("folder/1.jpg", size)
                try await lose(info, loss, of: service, in: folder)
                let again = try await service.picture("folder/1.jpg", size)
                #expect(again.bytes == bytes)
                #expect(again.info == info)
                let name = try #require(BlobName(info.sha256))
                #expect(try await service.blobs.read(name) == bytes)
                #expect(try await service.album("pin/p1").photos.map(\.state) == [.ready])
            }
        }
    }

    @Test("are not there any more when the file is gone as well: the photo says so")
    func gone() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            for number in 1...2 { try files.add("\(number).jpg", 60 + Double(number) / 10_000, shade: UInt8(number)) }
            try await RunningPhotoService.working(in: folder) { service in
                try await fillAlbum(service)
                let info = try await service.picture("folder/1.jpg", .thumbnail).info
                files.remove("1.jpg")
                try await lose(info, .removed, of: service, in: folder)
                let error = try await errorOf { try await service.picture("folder/1.jpg", .thumbnail) }
                #expect(error?.code == .notFound)
                let album = try await service.album("pin/p1")
                #expect(album.photos.map(\.failure) == ["the file was deleted", ""])
                #expect(album.album?.summary?.state == .completeWithErrors)
                #expect(try await service.picture("folder/2.jpg", .thumbnail).info.byteCount > 0)
            }
        }
    }
}
