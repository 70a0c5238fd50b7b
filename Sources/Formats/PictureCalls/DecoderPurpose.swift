/// What a decoder is started for.
package enum DecoderPurpose: UInt8, Sendable {
    /// To look at files, and to make pictures of those that take no more than `PictureLimit.sharedBytes`.
    case usual = 1
    /// To make pictures of one that takes more, alone.
    case large = 2

    /// What it says when it can be asked.
    package static let ready: UInt8 = 0x21

    /// Bytes that it may have besides those of the program itself: the file, the pixels and what is made of them.
    package var memoryBytes: Int {
        switch self {
        case .usual: 192 << 20
        case .large: 640 << 20
        }
    }
}
