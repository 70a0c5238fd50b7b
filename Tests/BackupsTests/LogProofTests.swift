import Files
import Storage
import TestSupport
import TestTools
import Testing

@testable import Backups

@Suite("P62 The proof of a log", .timeLimit(.minutes(5)))
struct LogProofTests {
    private static func proof(_ house: ShippedHouse) async throws -> LogProof {
        let scratch = house.folder.file("scratch")
        try DiskFile.makeFolder(scratch)
        return try #require(
            try await LogProof.make(in: house.vault, of: nil, scratch: scratch, open: { _ in nil }) { _, _ in })
    }

    /// A log of several states.
    private static func filled(_ house: ShippedHouse) async throws -> [ShippedName] {
        let shipper = try house.ship()
        for _ in 1...4 {
            try await house.add(20)
            try await house.stored(all: true)
        }
        await shipper.end()
        return ShippedLog(try await house.names()).objects
    }

    @Test("says from when to when each moment can be brought back")
    func whole() async throws {
        try await ShippedHouse.with { house in
            let names = try await Self.filled(house)
            let proof = try await Self.proof(house)
            #expect(proof.isGood, "\(proof.faults)")
            #expect(proof.objectCount == names.count && proof.byteCount > 0)
            let times = names.filter(\.isState).map(\.time)
            #expect(proof.span == LogProof.Span(from: times[0], to: times[times.count - 1]))
        }
    }

    @Test(
        "names each object in which one bit is another, and what can still be brought back", arguments: [false, true])
    func damaged(_ isSealed: Bool) async throws {
        try await ShippedHouse.with(isSealed: isSealed) { house in
            let names = try await Self.filled(house)
            for name in names {
                let bytes = try #require(try await house.objects.get(name.text, limit: 1 << 30))
                var flipped = bytes
                flipped[Int.random(in: 0..<flipped.count)] ^= 1 << UInt8.random(in: 0..<8)
                try await house.objects.put(name.text, flipped)
                let proof = try await Self.proof(house)
                #expect(proof.faults == ["\(name.text) is damaged"])
                #expect(proof.spans[ShippedHouse.path]?.allSatisfy { $0.to < name.time } ?? false)
                try await house.objects.put(name.text, bytes)
            }
        }
    }

    @Test("names a gap")
    func holed() async throws {
        try await ShippedHouse.with { house in
            let names = try await Self.filled(house)
            let lost = names[names.count - 2]
            try await house.objects.remove(lost.text)
            let proof = try await Self.proof(house)
            #expect(proof.faults == ["the log of \(ShippedHouse.path) has a gap before \(names[names.count - 1].text)"])
            #expect(proof.span?.to == names[names.count - 3].time)
        }
    }
}
