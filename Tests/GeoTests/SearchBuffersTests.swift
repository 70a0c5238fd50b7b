@testable import Geo
import Testing

@Suite("P12 The histogram of a search")
struct SearchBuffersTests {
    @Test("is divided anew a few times, however many places lie at the centre or by it", arguments: [Float(0), 1e-4])
    func divisions(key: Float) {
        var buffers = SearchBuffers()
        buffers.begin(wanted: 21, outer: 2.5e9, ratio: 1.25)
        var divisions = 0
        for _ in 0..<1_000 {
            buffers.reserveBlock()
            for _ in 0..<SnapshotLayout.blockPlaces {
                buffers.candidates[buffers.count] = SearchBuffers.Candidate(key: key, ordinal: 0, source: 0)
                buffers.count += 1
                buffers.tally(buffers.count - 1)
            }
            if buffers.refine() { divisions += 1 }
        }
        buffers.dropBeyondBound()
        let (count, bound) = (buffers.count, buffers.bound)
        #expect((1...20).contains(divisions))
        // None of them is nearer than the others, so none may go.
        #expect(count == 32_000 && bound >= key)
    }
}
