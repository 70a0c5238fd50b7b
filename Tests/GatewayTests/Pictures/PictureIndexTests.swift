import Testing

@testable import Gateway

@Suite("P37 What the picture cache keeps")
struct PictureIndexTests {
    private func name(_ number: Int) -> String {
        String(repeating: "0", count: 64 - "\(number)".count) + "\(number)"
    }

    private func facts(_ number: Int, _ byteCount: Int) throws -> CachedPictureFacts {
        try #require(CachedPictureFacts(sha256: name(number), byteCount: UInt64(byteCount), mediaType: "image/jpeg"))
    }

    private func key(_ number: Int) -> PictureIndex.Key {
        PictureIndex.Key(photoID: "folder/\(number)", size: 1, source: [])
    }

    @Test("is what was used last, as much as there is room for")
    func eviction() throws {
        var index = PictureIndex(limitBytes: 100)
        for number in 0..<10 {
            #expect(index.add(name(number), byteCount: 10).isEmpty)
            index.learn(key(number), try facts(number, 10))
        }
        #expect(index.usedBytes == 100)
        #expect(index.use(key(0))?.sha256 == name(0))
        #expect(index.add(name(10), byteCount: 20) == [name(1), name(2)])
        #expect(index.usedBytes == 100)
        #expect(index.use(key(1)) == nil)
        #expect(index.use(key(0)) != nil)
    }

    @Test("is the new picture alone when there is no room for more, and none that is too large")
    func large() throws {
        var index = PictureIndex(limitBytes: 100)
        #expect(index.add(name(1), byteCount: 60).isEmpty)
        #expect(index.add(name(2), byteCount: 95) == [name(1)])
        #expect(index.usedBytes == 95)
        #expect(index.hasRoom(for: 100))
        #expect(!index.hasRoom(for: 101))
        #expect(index.add(name(3), byteCount: 101) == [name(3)])
        #expect(index.usedBytes == 95)
    }

    @Test("counts bytes once, however often they are added or removed")
    func counting() throws {
        var index = PictureIndex(limitBytes: 100)
        for _ in 0..<3 { #expect(index.add(name(1), byteCount: 60).isEmpty) }
        #expect(index.usedBytes == 60)
        for _ in 0..<2 { index.remove(name(1)) }
        #expect(index.usedBytes == 0)
        #expect(!index.has(try facts(1, 60)))
    }

    @Test("knows a bounded number of tickets, and a file of another size for none")
    func tickets() throws {
        var index = PictureIndex(limitBytes: 100)
        _ = index.add(name(1), byteCount: 10)
        for number in 0..<PictureIndex.maximumKeys + 1 { index.learn(key(number), try facts(1, 10)) }
        #expect(index.use(key(0)) == nil)
        #expect(index.use(key(PictureIndex.maximumKeys)) != nil)
        index.learn(key(1), try facts(1, 11))
        #expect(index.use(key(1)) == nil)
    }

    @Test(
        "has only digests as names",
        arguments: ["", "..", "../../etc/passwd", String(repeating: "A", count: 64), String(repeating: "0", count: 63)])
    func names(text: String) {
        #expect(CachedPictureFacts(sha256: text, byteCount: 1, mediaType: "image/jpeg") == nil)
    }
}
