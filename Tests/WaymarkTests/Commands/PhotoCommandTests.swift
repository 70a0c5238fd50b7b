import Contracts
import Crypto
import Synchronization
import TestTools
import Testing

@testable import Terminal
@testable import Waymark

@Suite("P22 P26 P39 waymark photo get and scan")
struct PhotoCommandTests {
    private let gateway = TestGateway()
    private let folder = TemporaryFolder()

    /// Three parts, of which the first says what they are part of.
    private func parts(_ text: String = "not really a JPEG", byteCount: UInt64? = nil, sha256: String? = nil)
        -> [GetPictureResponse]
    {
        let bytes = Array(text.utf8)
        let digest = SHA256.digest(bytes).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
        let info = PictureInfo(
            mediaType: "image/jpeg", byteCount: byteCount ?? UInt64(bytes.count), width: 320, height: 240,
            sha256: sha256 ?? digest)
        return [
            GetPictureResponse(data: Array(bytes.prefix(3)), info: info),
            GetPictureResponse(data: Array(bytes.dropFirst(3).prefix(4))),
            GetPictureResponse(data: Array(bytes.dropFirst(7))),
        ]
    }

    private func send(_ parts: [GetPictureResponse]) { gateway.photos.state.withLock { $0.picture = parts } }

    @Test("get writes the picture and leaves nothing else, also in place of another file")
    func get() async throws {
        send(parts())
        try await gateway.run { run in
            for _ in 1...2 {
                let (code, screen) = await run(
                    "photo", "get", "folder/1.jpg", "--size", "large", "-o", folder.file("a.jpg"))
                #expect(code == .success)
                #expect(screen.lines == ["\(folder.file("a.jpg")): 320×240, 17 B"])
            }
        }
        #expect(try folder.text("a.jpg") == "not really a JPEG")
        #expect(folder.names == ["a.jpg"])
        #expect(
            gateway.photos.state.withLock { $0.pictures.first }
                == GetPictureRequest(photoId: "folder/1.jpg", size: .large))
    }

    @Test("get --json tells what was written")
    func getJSON() async throws {
        send(parts())
        try await gateway.run { run in
            let (_, screen) = await run("photo", "get", "folder/1.jpg", "--output=\(folder.file("a.jpg"))", "--json")
            #expect(screen.output.hasPrefix(#"{"byteCount":17,"file":"\#(folder.file("a.jpg"))","height":240,"#))
        }
    }

    @Test("a picture that is not what was announced is not written")
    func broken() async throws {
        let pictures = [
            (parts(byteCount: 18), "the service sent 17 of 18 bytes of the picture; nothing was written"),
            (parts(byteCount: 16), "the service sent more bytes than it has of the picture; nothing was written"),
            (
                parts(sha256: "00"),
                "the service sent other bytes than it has (SHA-256) of the picture; nothing was written"
            ),
            (parts(byteCount: 1 << 30), "the picture has 1.07 GB, more than the 67.1 MB allowed"),
            ([], "the service sent nothing of the picture; nothing was written"),
        ]
        try await gateway.run { run in
            for (parts, sentence) in pictures {
                send(parts)
                let (code, screen) = await run("photo", "get", "folder/1.jpg", "-o", folder.file("a.jpg"))
                #expect(code == .failure)
                #expect(screen.messages == "waymark: \(sentence)\n")
            }
        }
        #expect(folder.names == [])
    }

    @Test("only a file that was named is replaced, and nothing that is no file")
    func present() throws {
        let path = try folder.write("", to: "a.jpg")
        #expect(throws: Never.self) { try OutputFile(path, photo: "x").check() }
        #expect(throws: CommandFailure("\(folder.path) is no ordinary file")) {
            try OutputFile(folder.path, photo: "x").check()
        }
        #expect(throws: CommandFailure("/dev/null is no ordinary file")) {
            try OutputFile("/dev/null", photo: "x").write([1])
        }
        #expect(throws: CommandFailure("\(path) is there already; -o FILE replaces one")) {
            try OutputFile(path: path, mayReplace: false).check()
        }
    }

    @Test(
        "a picture is called like its photo",
        arguments: [
            ("folder/trip/IMG 1.jpeg", "IMG 1.jpg"), ("folder/A.JPG", "A.jpg"), ("mine/0001", "0001.jpg"),
            ("x/..", "...jpg"), ("", "photo.jpg"), ("x/.jpg", ".jpg.jpg"), ("x/a\u{1B}b", "a b.jpg"),
        ])
    func name(photo: String, file: String) { #expect(OutputFile.name(for: photo) == file) }

    @Test("scan tells each file that can't be used, and sums up")
    func scan() async throws {
        gateway.photos.state.withLock {
            $0.scan = [
                ScanPicturesResponse(fileCount: 10, skipped: [SkippedFile(path: "a\n.jpg", reason: "no position")]),
                ScanPicturesResponse(fileCount: 1200, addedCount: 1, goneCount: 2, skippedCount: 1, done: true),
            ]
        }
        try await gateway.run { run in
            let (code, screen) = await run("photo", "scan")
            #expect(code == .success)
            // On a busy machine lines of progress, which come every few seconds, may stand behind it.
            #expect(screen.messages.hasPrefix("a .jpg: no position\n"))
            #expect(screen.lines == ["1,200 files, 1 photo new or changed, 2 gone, 1 that can't be used."])
            let (_, json) = await run("photo", "scan", "--json")
            #expect(json.lines.count == 2)
        }
    }

    @Test("what is left out is a table of files and reasons, and what has no title is called as its file")
    func leftOut() async throws {
        gateway.photos.state.withLock { $0.leftOut = [SkippedFile(path: "2024/a.jpg", reason: "no position")] }
        try await gateway.run { run in
            let (code, screen) = await run("photo", "left-out")
            #expect(code == .success && screen.lines.count == 2)
            #expect(screen.lines.last?.contains("2024/a.jpg") == true && screen.output.contains("no position"))
        }
        #expect(Photo(id: "folder/2024/a.jpg").shownName == "a.jpg" && Photo(id: "x/1").shownName == "untitled")
    }

    @Test("a scan that did not end is a failure")
    func brokenScan() async throws {
        gateway.photos.state.withLock { $0.scan = [ScanPicturesResponse(fileCount: 10)] }
        try await gateway.run { run in
            let (code, screen) = await run("photo", "scan")
            #expect(code == .failure)
            #expect(screen.messages.hasSuffix("waymark: the service ended its answer before the scan was over\n"))
        }
    }
}
