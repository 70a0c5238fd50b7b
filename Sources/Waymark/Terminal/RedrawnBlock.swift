/// Lines on a terminal that are written again in the same place. The cursor stays on the line below them, so that
/// whatever ends the program leaves the terminal as it should be.
struct RedrawnBlock: Sendable {
    private var height = 0

    /// The text that puts `lines` where the ones before were. No line may be wider than the terminal; those that it has
    /// no room for are left out.
    mutating func redrawing(_ lines: [String], on sink: TextSink) -> String {
        let lines = lines.prefix(max(1, (sink.height ?? .max) - 1))
        // ECMA-48: cursor up, erase to the end of the line, erase to the end of the screen.
        let up = height > 0 ? "\u{1B}[\(height)A" : ""
        height = lines.count
        return up + lines.map { "\r\($0)\u{1B}[K\n" }.joined() + "\u{1B}[J"
    }
}
