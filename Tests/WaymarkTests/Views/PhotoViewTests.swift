import Contracts
import Testing
import Wire

@testable import Waymark

@Suite("R9 photo info")
struct PhotoViewTests {
    @Test(
        "says what the clocks showed where a photo was taken, and how far they were ahead",
        arguments: [
            (540, "2024-07-11 08:30:00 +09:00"), (-210, "2024-07-10 20:00:00 -03:30"),
            (0, "2024-07-10 23:30:00 +00:00"),
            (nil, "2024-07-10 23:30:00"),
        ] as [(Int32?, String)])
    func taken(minutes: Int32?, text: String) {
        let time = TimestampMessage(unixMilliseconds: 1_720_654_200_000)
        let view = PhotoView(
            photo: Photo(id: "folder/1.jpg", takenTime: time, takenOffsetMinutes: minutes), sink: .paper())
        #expect(view.lines.contains("  taken     \(text)"), "\(view.lines)")
    }
}
