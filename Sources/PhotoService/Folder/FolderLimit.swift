/// How far a folder of pictures is looked into.
enum FolderLimit {
    /// Folders in folders.
    static let depth = 32
    /// Files, folders and everything else.
    static let entries = 1_000_000
    /// How much of a file is read at first for what the camera wrote; nearly always it is enough.
    static let firstBytes = 64 << 10
}
