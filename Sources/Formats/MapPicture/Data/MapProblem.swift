/// Why no picture can be drawn.
package enum MapProblem: Error, Equatable, CustomStringConvertible {
    /// A file of the map that can't be read, and why.
    case unreadable(String)
    /// There is no font to write names and attributions with.
    case noFont(String)
    /// There is no memory for so many pixels.
    case noMemory

    package var description: String {
        switch self {
        case .unreadable(let reason): "the map's data can't be read: \(reason)"
        case .noFont(let path): "there is no font at \(path); Debian's fonts-dejavu-core has it"
        case .noMemory: "there is no memory for the picture"
        }
    }
}
