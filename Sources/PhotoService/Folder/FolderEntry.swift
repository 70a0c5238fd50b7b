import Glibc

/// A name in a folder.
struct FolderEntry {
    /// What it names; never followed when it is a link.
    enum Kind { case file, folder, other, unknown }

    /// Bytes, as the disk has them, without a zero.
    let name: [UInt8]
    let kind: Kind

    /// Reads all names of an open folder but hidden ones, sorted by their bytes; nil when reading fails.
    static func all(in stream: OpaquePointer) -> [FolderEntry]? {
        var entries: [FolderEntry] = []
        errno = 0
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            if name.first != UInt8(ascii: ".") {
                entries.append(FolderEntry(name: name, kind: kind(unsafe entry.pointee.d_type)))
            }
            errno = 0
        }
        guard errno == 0 else { return nil }
        return entries.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }

    /// Whether it ends as the name of a JPEG does.
    var isPictureName: Bool {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return false }
        return Self.endings.contains(String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased())
    }

    /// Why it can't be part of a photo's id; nil when it can.
    var problem: PictureProblem? {
        guard let text = String(validating: name, as: UTF8.self) else { return .badName("is not UTF-8") }
        let hasControl = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        return hasControl ? .badName("holds a control character") : nil
    }

    private static let endings: Set<String> = ["jpg", "jpeg", "jpe", "jfif"]

    private static func kind(_ type: UInt8) -> Kind {
        switch Int(type) {
        case Int(DT_REG): .file
        case Int(DT_DIR): .folder
        case Int(DT_UNKNOWN): .unknown
        default: .other
        }
    }
}
