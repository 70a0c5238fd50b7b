import Arguments
import Files
import Settings
import TestTools
import Testing

@testable import Supervisor
@testable import Terminal
@testable import Waymark

@Suite("P39 Pictures and datasets of waymark up in a bucket")
struct UpBlobsTests {
    private func blobs(_ arguments: [String], _ environment: [String: String] = [:]) throws -> UpBlobs {
        var parser = ArgumentParser(UpCommand.syntax, environment: environment)
        return try UpBlobs(try parser.parse(arguments[...]))
    }

    @Test("each service that keeps bytes has a prefix of its own, of a flag or a variable, and the others have none")
    func below() throws {
        func given(_ blobs: UpBlobs) -> [String: [String]] {
            Dictionary(uniqueKeysWithValues: ServiceSettings.all.map { ($0.name, blobs.flags(of: $0)) })
        }
        let named = given(try blobs(["--blobs=s3://b/p?endpoint=http://h:1", "--blob-cache=5"]))
        #expect(named["photos"] == ["--blobs=s3://b/p/photos?endpoint=http://h:1", "--blob-cache=5"])
        #expect(named["places"] == ["--blobs=s3://b/p/places?endpoint=http://h:1", "--blob-cache=5"])
        #expect(named["pins"] == [] && named["gateway"] == [])
        #expect(given(try blobs([], ["WAYMARK_BLOBS": "s3://b"]))["photos"] == ["--blobs=s3://b/photos"])
        #expect(given(try blobs([]))["photos"] == [])
        #expect(throws: UsageError.self) { try blobs(["--blobs=/mnt/disk"]) }
    }

    @Test("a data folder is not started with another place of pictures than it was")
    func place() throws {
        let (own, bucket) = (TemporaryFolder(), TemporaryFolder())
        let (inFolder, inBucket) = (UpFolder(path: own.path), UpFolder(path: bucket.path))
        try blobs([]).take(inFolder)
        try blobs(["--blobs=s3://b/p/?endpoint=http://h:1"]).take(inBucket)
        for folder in [own, bucket] {
            try DiskFile.makeFolder(folder.file("photos"))
            try folder.write("", to: "photos/photos.db")
        }
        try blobs([]).take(inFolder)
        #expect(throws: CommandFailure.self) { try blobs(["--blobs=s3://b/p"]).take(inFolder) }
        try blobs(["--blobs=s3://b/p?endpoint=http://h:2"]).take(inBucket)
        #expect(throws: CommandFailure.self) { try blobs([]).take(inBucket) }
        #expect(throws: CommandFailure.self) { try blobs(["--blobs=s3://b/q"]).take(inBucket) }
        try blobs(["--blobs=s3://b/p", "--database=postgresql://h/d"]).take(inFolder)
    }
}
