import TestProtos
import TestTools
import Testing
import Wire

@Suite("Messages over the wire")
struct RoundTripTests {
    @Test("come back as they were sent, whatever is in them")
    func random() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            let message = Every.random(&random)
            #expect(try Every(packed: message.packedBytes()) == message)
        }
    }

    @Test("take no bytes when everything is at its default")
    func empty() throws {
        #expect(Every().packedBytes() == [])
        #expect(try Every(packed: [UInt8]()) == Every())
        #expect(Nothing().packedBytes() == [])
    }

    @Test("keep apart what is zero and what is absent")
    func presence() throws {
        let zeros = Every(
            maybeDouble: 0, maybeFloat: 0, maybeInt32: 0, maybeInt64: 0, maybeUint32: 0, maybeUint64: 0,
            maybeBool: false, maybeString: "", maybeBytes: [], maybeShade: .unspecified, maybePoint: Point())
        let back = try Every(packed: zeros.packedBytes())
        #expect(back == zeros)
        #expect(back.maybeInt32 == 0)
        #expect(back.maybeString == "")
        #expect(back.maybePoint == Point())
        #expect(try Every(packed: Every().packedBytes()).maybeInt32 == nil)
    }

    @Test("keep which member of a oneof is set when it is zero", arguments: Self.zeroChoices)
    func zeroChoice(choice: Every.Choice) throws {
        #expect(try Every(packed: Every(choice: choice).packedBytes()).choice == choice)
    }

    static let zeroChoices: [Every.Choice] = [
        .number(0), .text(""), .raw([]), .flag(false), .shade(.unspecified), .place(Point()), .ratio(0),
    ]

    @Test("keep NUL characters in strings")
    func nul() throws {
        let message = Every(aString: "a\0b", strings: ["\0", "", "\0\0"])
        #expect(try Every(packed: message.packedBytes()) == message)
    }

    @Test("keep the numbers of enums that nobody knows")
    func unknownEnum() throws {
        let message = Every(aShade: Shade(rawValue: 12_345), shades: [Shade(rawValue: -9), .veryDark])
        #expect(try Every(packed: message.packedBytes()) == message)
    }

    @Test("take -0 for the default 0, unless the field has presence: protobuf-c compares numbers, not their bits")
    func negativeZero() throws {
        #expect(Every(aDouble: -0.0).packedBytes() == [])
        #expect(try Every(packed: Every(maybeDouble: -0.0).packedBytes()).maybeDouble?.sign == .minus)
    }

    @Test("read a field that comes twice as the last of them")
    func repeatedSingles() throws {
        let both = Every(aString: "first").packedBytes() + Every(aString: "second").packedBytes()
        #expect(try Every(packed: both) == Every(aString: "second"))
    }

    @Test("merge the lists of a message that comes twice, and take its plain fields from the last (protobuf-c's way)")
    func repeatedMessages() throws {
        let first = Every(aPoint: Point(latitude: 1), aNested: .init(inners: [.init(name: "a")]))
        let second = Every(aPoint: Point(longitude: 2), aNested: .init(inners: [.init(name: "b")]))
        let both = try Every(packed: first.packedBytes() + second.packedBytes())
        #expect(both.aPoint == Point(longitude: 2))
        #expect(both.aNested?.inners.map(\.name) == ["a", "b"])
    }

    @Test("read the last member of a oneof that comes twice", arguments: Self.zeroChoices)
    func repeatedOneof(last: Every.Choice) throws {
        for first in Self.zeroChoices {
            let bytes = Every(choice: first).packedBytes() + Every(choice: last).packedBytes()
            #expect(try Every(packed: bytes).choice == last)
        }
    }

    @Test("are packed and unpacked on many threads at once")
    func threads() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seed in 0..<8 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(seed))
                    for _ in 0..<200 {
                        let message = Every.random(&random)
                        let back = try Every(packed: message.packedBytes())
                        #expect(back == message)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("may have names that mean something in C or in Swift")
    func awkward() throws {
        let message = Awkward(
            default: "d", class: 1, in: true, base: ["b"], register: 0, while: .protocol("p"), twoWords2: "t",
            source: "s", target: "t", arena: ["a"], c: Point(), value: [1], layout: "l", protoName: "n")
        #expect(try Awkward(packed: message.packedBytes()) == message)
    }

    @Test("drop fields that this side does not know")
    func unknownFields() throws {
        let newer = Every(aString: "x", choice: .number(3)).packedBytes()
        #expect(try Nothing(packed: newer) == Nothing())
    }

    @Test("of a scalar list are read packed and one by one")
    func unpackedList() throws {
        let oneByOne: [UInt8] = [0xd8, 0x02, 1, 0xd8, 0x02, 2]
        #expect(try Every(packed: oneByOne).int32s == [1, 2])
        #expect(Every(int32s: [1, 2]).packedBytes() == [0xda, 0x02, 2, 1, 2])
    }
}
