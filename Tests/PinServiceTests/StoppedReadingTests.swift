import FeatureFiles
import TestTools
import Testing

@testable import PinService

@Suite("E17 files of pins whose reader has gone")
struct StoppedReadingTests {
    @Test("are not even opened, whatever they are", arguments: ["name,latitude,longitude\nA,60,24\n", "PK\u{3}\u{4}"])
    func stopped(text: String) throws {
        let folder = TemporaryFolder()
        let reading = PinFileReading(path: try folder.write(text, to: "file"), name: "a.csv")
        reading.stop()
        #expect(throws: SourceError.stopped) { try reading.next(1) }
    }
}
