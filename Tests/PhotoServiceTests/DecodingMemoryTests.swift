import EventLoops
import PictureCalls
import Storage
import TestSupport
import TestTools
import Testing

@testable import PhotoService
@testable import Pictures

@Suite("P23 The memory that decoding takes", .timeLimit(.minutes(3)))
struct DecodingMemoryTests {
    @Test(
        "is that of all coefficients when a picture comes in several passes",
        arguments: [(TestJPEG.Kind.colour, true, 64 * 48 * 3), (.gray, true, 64 * 48 * 2), (.colour, false, 0)])
    func kept(kind: TestJPEG.Kind, isProgressive: Bool, bytes: Int) throws {
        let jpeg = TestJPEG(kind: kind, isProgressive: isProgressive).bytes()
        #expect(try PictureReader.notes(of: jpeg).decodingBytes == bytes)
    }

    @Test("is bounded: pictures that need much of it are decoded one at a time, beside any others")
    func turns() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.write(TestJPEG(width: 700, height: 500, isProgressive: true).bytes(), to: "large.jpg")
            try files.write(TestJPEG(isProgressive: true).bytes(), to: "small.jpg")
            let decodes = FairSlots(1)
            let pictures = PictureStore(
                folder: PictureFolder("\(folder)/pictures"), decoders: try .started(.init(sharedBytes: 500_000)),
                blobs: try DirectoryBlobs(folder: "\(folder)/blobs", blocking: BlockingCalls.ofTested),
                blocking: BlockingCalls.ofTested, largeDecodes: decodes)
            let (large, small) = (try original("large.jpg"), try original("small.jpg"))
            let made = try await decodes.run {
                let made = Task { try await pictures.make([.thumbnail], from: large).pictures[.thumbnail] }
                #expect(await eventually { decodes.waitingCount == 1 })
                let width = try await pictures.make([.thumbnail], from: small).pictures[.thumbnail]?.width
                #expect(width == 64)
                return made
            }
            #expect(try await made.value?.width == 320)
        }
    }

    private func original(_ name: String) throws -> Original {
        Original(id: try #require(PhotoID("folder/\(name)")), orientation: 1, modifiedNs: 1)
    }
}
