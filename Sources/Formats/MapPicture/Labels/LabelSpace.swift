/// Which rectangles of a picture are taken. The first to ask gets one, so the important ask first.
struct LabelSpace {
    /// How far apart labels are at least, in points.
    private static let apart = 3.0
    /// How far apart two labels with one name are at least.
    private static let alike = 220.0

    private let frame: ScreenBox
    private var taken: [ScreenBox]
    private var names: [String: [ScreenPoint]] = [:]

    /// - Parameter taken: what stands there already: the pin, the scale, the attribution.
    init(frame: ScreenBox, taken: [ScreenBox]) {
        self.frame = frame.grown(by: -4)
        self.taken = taken
    }

    /// Whether nothing is in a rectangle, all of which is in the picture.
    func isFree(_ box: ScreenBox) -> Bool {
        frame.contains(box) && !taken.contains { $0.overlaps(box) }
    }

    func isNear(_ name: String, _ point: ScreenPoint) -> Bool {
        names[name]?.contains { $0.distance(to: point) < Self.alike } ?? false
    }

    mutating func take(_ box: ScreenBox, name: String) {
        taken.append(box.grown(by: Self.apart))
        names[name, default: []].append(box.centre)
    }
}
