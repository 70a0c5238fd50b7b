import Contracts
import Glibc
import RPC
import TestSupport
import TestTools
import Testing

@testable import PhotoService

@Suite("P22 Pictures whose bytes the disk lost")
struct LostPictureTests {
    /// What may become of the file with the bytes of a picture.
    enum Loss: CaseIterable { case removed, cut }

    private func lose(_ picture: PictureInfo, _ loss: Loss, in folder: String) throws {
        let path = Self.path(picture, in: folder)
        let bytes = try WholeFile.bytes(path)
        switch loss {
        case .removed: try #require(unlink(path) == 0)
        case .cut: try WholeFile.write(Array(bytes.dropLast()), to: path)
        }
    }

    private static func path(_ picture: PictureInfo, in folder: String) -> String {
        "\(folder)/data/blobs/\(picture.sha256.prefix(2))/\(picture.sha256.dropFirst(2))"
    }

    private func fillAlbum(_ service: RunningPhotoService) async throws {
        _ = try await service.scan()
        try await service.store.waitForScans()
        try await service.addPin()
        try await service.watchToEnd("pin/p1")
    }

    @Test(
        "are made again from the photo's file when they are asked for",
        arguments: [Contracts.PictureSize.thumbnail, .large], Loss.allCases)
    func again(size: Contracts.PictureSize, loss: Loss) async throws {
        try await TemporaryFolder.with { folder in
            try PictureFiles(folder).add("1.jpg", 60, TestJPEG(width: 800, height: 600))
            try await RunningPhotoService.working(in: folder) { service in
                try await fillAlbum(service)
                let (bytes, info) = try await service.picture("folder/1.jpg", size)
                try lose(info, loss, in: folder)
                let again = try await service.picture("folder/1.jpg", size)
                #expect(again.bytes == bytes)
                #expect(again.info == info)
                #expect(try WholeFile.bytes(Self.path(info, in: folder)) == bytes)
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
                try lose(info, .removed, in: folder)
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
