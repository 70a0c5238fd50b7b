import TLS
import TestTools
import Testing

@testable import ObjectStore

@Suite("Answers of S3")
struct S3DocumentTests {
    @Test("are read whole: elements, their texts and their order, entities and spaces")
    func whole() throws {
        let document = try #require(
            S3Document(
                parsing: Array(
                    """
                    <?xml version="1.0" encoding="UTF-8"?>
                    <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
                      <Contents><Key>a&amp;b</Key><Size>1</Size></Contents>
                      <Contents><Key> c </Key></Contents><IsTruncated>false</IsTruncated>
                    </ListBucketResult>
                    """.utf8)))
        #expect(document.name == "ListBucketResult")
        #expect(document.all("Contents").map { $0["Key"] } == ["a&b", " c "])
        #expect(document["IsTruncated"] == "false")
        #expect(document["Nothing"] == nil)
    }

    @Test(
        "are none when they are no XML, cut short, too deep or too many, or declare entities",
        arguments: [
            "", "no", "<a>", "<a></b>", "<a/><b/>", String(repeating: "<a>", count: 17),
            "<r>" + String(repeating: "<a/>", count: 20_001) + "</r>",
            "<!DOCTYPE a [<!ENTITY b \"cc\">]><a>&b;</a>", "<a>\u{0}</a>",
            "<a>\(String(repeating: "x", count: 4 << 20))</a>",
        ])
    func refused(text: String) { #expect(S3Document(parsing: Array(text.utf8)) == nil) }

    @Test("name times in UTC, with and without fractions")
    func times() {
        #expect(S3Time.unixMilliseconds("1970-01-01T00:00:00Z") == 0)
        #expect(S3Time.unixMilliseconds("2024-02-29T23:59:59.5Z") == 1_709_251_199_500)
        #expect(S3Time.unixMilliseconds("2026-11-25T15:22:36.123456789Z") == 1_795_620_156_123)
    }

    @Test(
        "have no other times",
        arguments: [
            "", "2024-02-29", "2024-13-01T00:00:00Z", "2024-02-29T24:00:00Z", "2024-02-29T23:59:59", "Z",
            "99999999999999999999-02-29T23:59:59Z", "1969-12-31T23:59:59Z", "2024-02-29T23:59:59+01:00",
        ])
    func noTimes(text: String) { #expect(S3Time.unixMilliseconds(text) == nil) }

    @Test("have the MD5 of what was received")
    func md5() {
        #expect(MD5.text(Array("abc".utf8)[...]) == "900150983cd24fb0d6963f7d28e17f72")
        #expect(MD5.text([]) == "d41d8cd98f00b204e9800998ecf8427e")
    }
}
