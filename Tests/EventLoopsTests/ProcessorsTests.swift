import EventLoops
import TestTools
import Testing

@Suite("Processors")
struct ProcessorsTests {
    @Test("are counted as the system lets this process use them")
    func count() throws {
        let status = try WholeFile.text("/proc/self/status").split(separator: "\n")
        let line = try #require(status.first { $0.hasPrefix("Cpus_allowed:") })
        // "3f", or "ff,ffffffff" where there are many.
        let digits = line.dropFirst("Cpus_allowed:".count).compactMap(\.hexDigitValue)
        #expect(Processors.count == digits.reduce(0) { $0 + $1.nonzeroBitCount })
    }
}
