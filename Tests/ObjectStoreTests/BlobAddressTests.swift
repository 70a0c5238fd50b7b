import TestTools
import Testing

@testable import ObjectStore

@Suite("The address of blobs")
struct BlobAddressTests {
    @Test("is a bucket with its store")
    func kinds() throws {
        let own = try S3Address("s3://waymark/photos/?endpoint=http://127.0.0.1:9000&region=here")
        #expect(own.bucket == "waymark")
        #expect(own.prefix == "photos/")
        #expect(own.endpoint == "http://127.0.0.1:9000")
        #expect(own.region == "here")
        #expect(own.url("photos/ab/c d") == "http://127.0.0.1:9000/waymark/photos/ab/c%20d")
        #expect(
            own.url("", [("prefix", "a/"), ("list-type", "2")])
                == "http://127.0.0.1:9000/waymark?list-type=2&prefix=a%2F")
    }

    @Test("names Amazon's stores by the region, and buckets by the host")
    func amazon() throws {
        let amazon = try S3Address("s3://waymark?region=eu-central-1")
        #expect(amazon.url("k") == "https://waymark.s3.eu-central-1.amazonaws.com/k")
        #expect(amazon.url("", [("uploads", "")]) == "https://waymark.s3.eu-central-1.amazonaws.com/?uploads=")
        let own = try S3Address("s3://waymark?endpoint=https%3A%2F%2Fs3.example.org/&style=host")
        #expect(own.url("k") == "https://waymark.s3.example.org/k")
    }

    @Test(
        "is refused with what is needed instead",
        arguments: [
            ("", "\"\" is no such address; s3://BUCKET/PREFIX?endpoint=URL is"),
            ("https://host/bucket", "\"https://host/bucket\" is no such address; s3://BUCKET/PREFIX?endpoint=URL is"),
            ("s3://", "the bucket is \"\"; 3 to 63 of a to z, 0 to 9, - and . are needed"),
            ("s3://Photos", "the bucket is \"Photos\"; 3 to 63 of a to z, 0 to 9, - and . are needed"),
            ("s3://way?style=dns", "style is \"dns\"; path or host is needed"),
            ("s3://way?key=a", "\"key\" is not known; endpoint, region and style are"),
            ("s3://way?region=a&region=b", "region is there twice"),
            ("s3://way?region=", "region is \"\"; one like eu-central-1 is needed"),
            ("s3://way?endpoint=host:1", "endpoint is \"host:1\"; one like https://host:9000 is needed"),
            ("s3://way?endpoint=https://h/x", "endpoint is \"https://h/x\"; one like https://host:9000 is needed"),
            (
                "s3://way/a/../b",
                "the prefix is \"a/../b\"; at most 512 bytes without empty parts, . and .. are needed"
            ),
        ])
    func refused(text: String, reason: String) {
        let error = #expect(throws: BlobAddressError.self) { try S3Address(text) }
        #expect(error?.description == reason)
    }

    @Test("with a password in it is refused without repeating it")
    func password() {
        let error = #expect(throws: BlobAddressError.self) { try S3Address("s3://way?endpoint=http://me:hush@h") }
        #expect(error?.description.contains("hush") == false)
    }

    @Test("gets its key from a file of two lines, or of a file as others have it, or from the environment")
    func credentials() throws {
        let folder = TemporaryFolder()
        let files = [
            "AKEY\nhush\n", "\n# mine\n AKEY \r\n hush\r\n",
            "[default]\naws_access_key_id = AKEY\naws_secret_access_key=hush\n[other]\naws_access_key_id = B\n",
        ]
        for text in files {
            let read = try S3Credentials(file: try folder.write(text, to: "key"), environment: [:])
            #expect([read.keyID, read.secret] == ["AKEY", "hush"])
            #expect(!"\(read)".contains("hush"))
        }
        let variables = ["AWS_ACCESS_KEY_ID": "AKEY", "AWS_SECRET_ACCESS_KEY": "hush"]
        #expect(try S3Credentials(file: nil, environment: variables).secret == "hush")
        for text in ["", "hush", "AKEY\nhush\nmore", "AKEY = hush\n"] {
            let path = try folder.write(text, to: "key")
            let error = #expect(throws: BlobAddressError.self) { try S3Credentials(file: path, environment: [:]) }
            #expect(error?.description.hasPrefix("\(path) has no credentials; two lines are needed") == true)
            #expect(error?.description.contains("hush") == false)
        }
        let error = #expect(throws: BlobAddressError.self) { try S3Credentials(file: nil, environment: [:]) }
        #expect(error?.description.hasPrefix("there are no credentials; --blob-credentials names a file") == true)
    }
}
