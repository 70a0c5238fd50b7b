import TestTools
import Testing

@testable import PictureCalls

@Suite("P23 What decoders are asked and answer")
struct DecoderMessageTests {
    private static var notes: PictureNotes {
        var notes = PictureNotes(width: 640, height: 480)
        notes.orientation = 6
        notes.position = .success(NotedPosition(latitude: 60.1699, longitude: -24.9384))
        notes.takenMilliseconds = -1_815_350_400_000
        notes.takenOffsetMinutes = -210
        notes.heading = 271.5
        notes.title = [0, 255, 7]
        notes.author = Array("A. Person".utf8)
        notes.tags = [0x61, 0, 0xff]
        (notes.make, notes.model, notes.lens) = ([1], [0, 255], [3, 3])
        notes.decodingBytes = 1 << 40
        return notes
    }

    private static let answers: [DecoderAnswer] = [
        .notes(notes), .notes(PictureNotes(width: 1, height: 1)),
        .made(
            MadePictures(
                pictures: [
                    MadePicture(bytes: [0xff, 0xd8, 0xff, 1], webP: Array("RIFF1".utf8), width: 2, height: 3),
                    MadePicture(bytes: [0xff, 0xd8, 0xff], webP: [], width: 1, height: 1),
                ], placeholder: String(repeating: "L", count: 28))),
        .problem(.truncated), .problem(.notAPicture), .problem(.tooManyPixels(width: 60_000, height: 60_000)),
        .problem(.tooLarge(limit: 5)), .problem(.unsupported("colours")), .problem(.damaged("ä")),
        .problem(.deadly("memory")), .problem(.noPosition), .problem(.badPosition("91")), .problem(.unreadable("disk")),
    ]

    @Test("arrive as they were said")
    func same() throws {
        for answer in Self.answers {
            let read = DecoderAnswer(kind: answer.kind, packed: answer.packed)
            guard case .problem(.unreadable) = answer else {
                #expect(read == answer)
                continue
            }
            #expect(read != nil)
        }
        let requests: [DecoderRequest] = [
            .sidecar([1, 2]), .look([]), .make([PictureOrder(longestSide: 320, quality: 80)], limit: 9),
        ]
        for request in requests { #expect(DecoderRequest(kind: request.kind, packed: request.packed) == request) }
        let frame = try #require(DecoderFrame.parse(DecoderFrame.head(kind: 3, count: 70_000)))
        #expect(frame.kind == 3 && frame.count == 70_000)
    }

    @Test("are nothing when they are cut off, longer, or out of their ranges")
    func malformed() {
        for answer in Self.answers {
            let packed = answer.packed
            for count in packed.indices {
                #expect(DecoderAnswer(kind: answer.kind, packed: Array(packed[..<count])) == nil)
            }
            #expect(DecoderAnswer(kind: answer.kind, packed: packed + [0]) == nil)
            #expect(DecoderAnswer(kind: 77, packed: packed) == nil)
        }
        #expect(DecoderFrame.parse(DecoderFrame.head(kind: 1, count: DecoderFrame.limit + 1)) == nil)
        #expect(DecoderFrame.parse(DecoderFrame.head(kind: 1, count: -1)) == nil)
        #expect(DecoderFrame.parse([1, 2, 3]) == nil)
    }

    @Test("never take the reader down, whatever is in them", arguments: 0..<4)
    func mutations(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            var packed = Self.answers[Int.random(in: 0..<Self.answers.count, using: &random)].packed
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                packed[Int.random(in: packed.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard case .notes(let notes) = DecoderAnswer(kind: UInt8.random(in: 1...3, using: &random), packed: packed)
            else { continue }
            #expect(notes.width * notes.height <= PictureLimit.pixels && (1...8).contains(notes.orientation))
        }
    }
}
