import Geo
import Glibc
import PictureCalls
import TestTools
import Testing

@testable import PhotoService

@Suite("P26 The folder of pictures")
struct PictureFolderTests {
    let temporary = TemporaryFolder()
    let folder: PictureFolder

    init() throws {
        folder = PictureFolder(temporary.file("pictures"))
        try #require(mkdir(folder.path, 0o700) == 0)
    }

    @Test("is walked in order, folders in folders too, and tells size and time")
    func walk() throws {
        for path in ["b.JPG", "a.jpeg", "2024/june/x.jpg", "2024/a.jpe", "notes.txt", "song.mp3", "jpg", "z.jfif"] {
            try put(path, [1, 2, 3])
        }
        let time = timespec(tv_sec: 1_700_000_000, tv_nsec: 123_456_789)
        try #require(utimensat(AT_FDCWD, folder.path + "/a.jpeg", [time, time], 0) == 0)
        let found = try files()
        #expect(found.map(\.path) == ["2024/a.jpe", "2024/june/x.jpg", "a.jpeg", "b.JPG", "z.jfif"])
        #expect(found.allSatisfy { $0.size == 3 && $0.problem == nil })
        #expect(found[2].modifiedNs == 1_700_000_000_123_456_789)
        #expect(try folder.walk { _ in } == FolderWalk(foundCount: 5, isComplete: true))
    }

    @Test("leaves out what is hidden, what is a link and what is no file")
    func leftOut() throws {
        try put(".hidden.jpg")
        try put(".thumbnails/a.jpg")
        try put("real/a.jpg")
        try temporary.write("secret", to: "outside.jpg")
        #expect(symlink(temporary.file("outside.jpg"), folder.path + "/link.jpg") == 0)
        #expect(symlink(folder.path + "/real", folder.path + "/linked") == 0)
        #expect(symlink("/", folder.path + "/root") == 0)
        #expect(symlink(".", folder.path + "/loop") == 0)
        #expect(mkfifo(folder.path + "/pipe.jpg", 0o600) == 0)
        #expect(mkdir(folder.path + "/folder.jpg", 0o700) == 0)
        #expect(try files().map(\.path) == ["real/a.jpg"])
    }

    @Test(
        "R8 leaves out deleted files, earlier versions and thumbnails, which systems and programs keep there",
        arguments: [
            "#recycle", "#RECYCLE", "@Recycle", "$RECYCLE.BIN", "@eaDir/a.jpg", "lost+found", "Thumbs", ".Trash-1000",
            ".thumbnails", ".@__thumb", ".stversions", ".dtrash", "@tmp", "#snapshot", ".zfs/snapshot", "__MACOSX",
            "System Volume Information", "Library.photoslibrary/resources/derivatives", "Lightroom Previews.lrdata/1",
            "files_trashbin", "appdata_oc123/preview", "Recycle Bin - Volume_1",
        ])
    func bySystems(name: String) throws {
        try put("\(name)/SYNOPHOTO_THUMB_XL.jpg")
        try put("2024/june/\(name)/deep/a.jpg")
        try put("2024/a.jpg")
        #expect(try files().map(\.path) == ["2024/a.jpg"])
        #expect(try folder.walk { _ in } == FolderWalk(foundCount: 1, isComplete: true))
        #expect(folder.leftOut.leaveOut(path: "2024/june/\(name)/deep/a.jpg"))
    }

    @Test("R8 takes folders that are only called alike, and leaves out what the operator names")
    func named() throws {
        let paths = [
            "Family.photoslibrary/originals/a.jpg", "Private/a.jpg", "Scans/2020/a.png", "Scans/a.jpg", "Scans/a.png",
            "Thumbs up/a.jpg", "recycle/a.jpg", "x/PRIVATE.jpg", "x/Private/a.jpg", "x/kept.jpg",
        ]
        for path in paths { try put(path) }
        #expect(try files().map(\.path) == paths)
        let others = PictureFolder(
            folder.path, leftOut: LeftOutNames(["private*", "Scans/?.png", "/", "2020/b*b*b*b"]))
        var found: [String] = []
        try others.walk { found.append($0.path) }
        #expect(found == paths.filter { !others.leftOut.leaveOut(path: $0) })
        #expect(
            found == [paths[0], "Scans/2020/a.png", "Scans/a.jpg", "Thumbs up/a.jpg", "recycle/a.jpg", "x/kept.jpg"])
    }

    @Test("tells what can't be used, and why")
    func unusable() throws {
        try put("good.jpg")
        try put("line\nbreak.jpg")
        try WholeFile.write([], to: folder.path + "/large.jpg")
        #expect(truncate(folder.path + "/large.jpg", PictureLimit.ownBytes + 1) == 0)
        let latin: [CChar] =
            Array((folder.path + "/caf").utf8CString.dropLast()) + [CChar(bitPattern: 0xe9), 0x2e, 0x6a, 0x70, 0x67, 0]
        close(open(latin, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
        let found = try files()
        #expect(found.map(\.path) == ["caf\u{fffd}.jpg", "good.jpg", "large.jpg", "line\nbreak.jpg"])
        #expect(
            found.map(\.problem) == [
                .badName("is not UTF-8"), nil, .tooLarge(limit: PictureLimit.ownBytes),
                .badName("contains a control character"),
            ])
    }

    @Test("is not looked into endlessly: what lies too deep or has too long a path is told, and the walk says so")
    func deep() throws {
        let deep = Array(repeating: "d", count: FolderLimit.depth + 1).joined(separator: "/")
        try put(deep + "/lost.jpg")
        try put(String(deep.dropLast(2)) + "/seen.jpg")
        let long = Array(repeating: String(repeating: "n", count: 250), count: 4).joined(separator: "/")
        try put(long + "/" + String(repeating: "m", count: 30) + ".jpg")
        var found: [FoundFile] = []
        let walk = try folder.walk { found.append($0) }
        #expect(!walk.isComplete)
        #expect(found.map { $0.problem == nil } == [false, true, false])
        #expect(found[1].path.hasSuffix("/seen.jpg"))
        #expect(found[0].path == deep)
    }

    @Test("that is empty has no pictures; one that is not there has an error instead")
    func missing() throws {
        #expect(try folder.walk { _ in } == FolderWalk(foundCount: 0, isComplete: true))
        for path in [temporary.file("none"), try temporary.write("", to: "file"), ""] {
            let missing = PictureFolder(path)
            #expect(throws: FolderProblem.self) { try missing.walk { _ in } }
            let problem = problem(missing, "a.jpg")
            #expect(problem?.isFinal == false, "\(String(describing: problem))")
        }
    }

    @Test("that is empty tells nothing of a file that was in it; with another picture in it, that the file is gone")
    func empty() throws {
        try put("notes.txt")
        #expect(problem(folder, "a.jpg") == .noFolder(.empty(folder: folder.path)))
        try put("2024/b.jpg")
        #expect(problem(folder, "a.jpg") == .gone)
    }

    @Test("may itself be reached by a link")
    func linked() throws {
        try put("a.jpg", [7])
        #expect(symlink(folder.path, temporary.file("link")) == 0)
        let linked = PictureFolder(temporary.file("link"))
        #expect(try linked.walk { _ in }.foundCount == 1)
        #expect(try linked.read("a.jpg").bytes == [7])
    }

    @Test("is left in the middle when nobody wants to know any more")
    func cancelled() throws {
        for name in ["a.jpg", "b.jpg", "c.jpg"] { try put(name) }
        var count = 0
        #expect(throws: FolderProblem.cancelled) {
            try folder.walk(isCancelled: { count == 2 }) { _ in count += 1 }
        }
        #expect(count == 2)
    }

    @Test("is walked in turns of so many entries, whatever they are, and no further once that is not wanted")
    func turns() throws {
        for number in 0..<300 { try put("\(number % 3)/\(number).\(number % 2 == 0 ? "jpg" : "txt")") }
        let walking = FolderWalking(folder)
        var (found, turns) = ([FoundFile](), 0)
        while let files = try walking.next() {
            found += files
            turns += 1
        }
        // The three folders are entries too.
        #expect(turns == 303 / FolderWalking.entriesOfTurn + 1)
        #expect(try found == files() && walking.walk == FolderWalk(foundCount: 150, isComplete: true))
        let stopped = FolderWalking(folder)
        #expect(try stopped.next()?.isEmpty == false)
        stopped.stop()
        #expect(throws: FolderProblem.cancelled) { try stopped.next() }
        var looks = 0
        #expect(throws: FolderProblem.cancelled) {
            _ = try PictureFolder(folder.path + "/0").walker(isCancelled: {
                looks += 1
                return looks > 10
            })
        }
        #expect(looks == 11, "the names of one folder are not all read either")
    }

    @Test("gives a picture's bytes, and when they were changed")
    func read() throws {
        try put("2024/a.jpg", Array(0..<200))
        let read = try folder.read("2024/a.jpg")
        #expect(read.bytes == Array(0..<200))
        #expect(try files().map(\.modifiedNs) == [read.modifiedNs])
    }

    @Test("gives nothing from outside, nothing through a link, and does not wait for a pipe")
    func outside() throws {
        try put("real/a.jpg")
        try temporary.write("secret", to: "outside.jpg")
        #expect(symlink("../outside.jpg", folder.path + "/link.jpg") == 0)
        #expect(symlink("a.jpg", folder.path + "/real/near.jpg") == 0)
        #expect(symlink("real", folder.path + "/linked") == 0)
        #expect(mkfifo(folder.path + "/pipe.jpg", 0o600) == 0)
        for path in [
            "../outside.jpg", temporary.file("outside.jpg"), "real/../../outside.jpg", "link.jpg", "real/near.jpg",
            "linked/a.jpg", "pipe.jpg", "real", ".", "..", "/",
        ] {
            #expect(problem(folder, path) == .notAFile, "\(path)")
        }
        for path in ["none.jpg", "real/a.jpg/b.jpg", "none/a.jpg", ""] {
            #expect(problem(folder, path) == .gone, "\(path)")
        }
    }

    @Test("gives no file that has grown too large")
    func grown() throws {
        try put("a.jpg")
        #expect(truncate(folder.path + "/a.jpg", PictureLimit.ownBytes) == 0)
        #expect(try folder.read("a.jpg").bytes.count == PictureLimit.ownBytes)
        #expect(truncate(folder.path + "/a.jpg", PictureLimit.ownBytes + 1) == 0)
        #expect(problem(folder, "a.jpg") == .tooLarge(limit: PictureLimit.ownBytes))
        #expect(throws: PictureProblem.tooLarge(limit: PictureLimit.ownBytes)) { try folder.facts("a.jpg") }
    }

    @Test("tells the facts of a picture, however far into the file they are", arguments: [0, 1, 10, 100])
    func facts(segmentCount: Int) throws {
        let filler = TestJPEG.segment(0xe2, [UInt8](repeating: 0x20, count: 60_000))
        let jpeg = TestExif.inHelsinki().jpeg()
        try put("a.jpg", TestJPEG.adding((0..<segmentCount).flatMap { _ in filler }, to: jpeg))
        let facts = try folder.facts("a.jpg")
        #expect(facts.position == (try Coordinate(latitude: 60.1699, longitude: 24.9384)))
        #expect((facts.width, facts.height) == (64, 48))
    }

    @Test("tells why a picture has no facts")
    func noFacts() throws {
        try put("plain.jpg", TestJPEG().bytes())
        try put("text.jpg", Array("hello".utf8))
        try put("cut.jpg", Array(TestExif.inHelsinki().jpeg().prefix(100)))
        #expect(throws: PictureProblem.noPosition) { try folder.facts("plain.jpg") }
        #expect(throws: PictureProblem.notAPicture) { try folder.facts("text.jpg") }
        #expect(throws: PictureProblem.truncated) { try folder.facts("cut.jpg") }
        #expect(throws: PictureProblem.gone) { try folder.facts("none.jpg") }
    }

    private func files() throws -> [FoundFile] {
        var found: [FoundFile] = []
        try folder.walk { found.append($0) }
        return found
    }

    private func problem(_ folder: PictureFolder, _ path: String) -> PictureProblem? {
        do throws(PictureProblem) {
            _ = try folder.read(path)
            return nil
        } catch {
            return error
        }
    }

    /// Writes a file and makes the folders above it.
    private func put(_ path: String, _ bytes: [UInt8] = []) throws {
        var above = folder.path
        for part in path.split(separator: "/").dropLast() {
            above += "/" + part
            mkdir(above, 0o700)
        }
        try WholeFile.write(bytes, to: "\(folder.path)/\(path)")
    }
}
