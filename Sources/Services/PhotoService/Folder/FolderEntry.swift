import Glibc
import PictureCalls

/// A name in a folder.
struct FolderEntry {
    /// What it names; never followed when it is a link.
    enum Kind { case file, folder, other, unknown }

    /// Bytes, as on the disk, without a zero.
    let name: [UInt8]
    let kind: Kind

    /// Reads the names of an open folder except hidden ones, sorted by their bytes; nil when reading fails. Of more
    /// than `limit` it has one more.
    static func all(
        in stream: OpaquePointer, limit: Int, isCancelled: () -> Bool
    ) throws(FolderProblem) -> [FolderEntry]? {
        var entries: [FolderEntry] = []
        errno = 0
        while entries.count <= limit, let entry = unsafe readdir(stream) {
            if isCancelled() { throw .cancelled }
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            if name.first != UInt8(ascii: ".") {
                entries.append(FolderEntry(name: name, kind: kind(unsafe entry.pointee.d_type)))
            }
            errno = 0
        }
        guard errno == 0 else { return nil }
        return entries.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }

    /// Whether it has the extension of a picture.
    var isPictureName: Bool { Self.endings.contains(ending ?? "") }

    /// What it is, by its extension, if cameras write such files and they become no photos: "a video".
    var otherKind: String? {
        guard let ending else { return nil }
        return Self.videos.contains(ending) ? "a video" : Self.raws.contains(ending) ? "a camera's raw file" : nil
    }

    /// Whether it has the extension of a file of XMP.
    var isSidecarName: Bool { ending == "xmp" }

    /// What follows its last dot, in lower case.
    fileprivate var ending: String? {
        name.lastIndex(of: UInt8(ascii: ".")).map { String(decoding: name[($0 + 1)...], as: UTF8.self).lowercased() }
    }

    /// What precedes its last dot.
    fileprivate var stem: ArraySlice<UInt8> { name.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name[...] }

    /// Why it can't be part of a photo's id; nil when it can.
    var problem: PictureProblem? {
        guard let text = String(validating: name, as: UTF8.self) else { return .badName("is not UTF-8") }
        let hasControl = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        return hasControl ? .badName("contains a control character") : nil
    }

    private static let endings: Set<String> = [
        "jpg", "jpeg", "jpe", "jfif", "png", "webp", "heic", "heif", "hif", "avif", "tif", "tiff",
    ]

    private static let videos: Set<String> = [
        "mp4", "mov", "m4v", "3gp", "3g2", "avi", "mts", "m2ts", "mkv", "webm", "mpg", "mpeg", "wmv", "insv", "lrv",
    ]
    private static let raws: Set<String> = [
        "dng", "cr2", "cr3", "crw", "nef", "nrw", "arw", "sr2", "srf", "orf", "rw2", "raf", "pef", "srw", "raw", "rwl",
        "3fr", "fff", "iiq", "erf", "mef", "mos", "mrw", "x3f", "kdc", "dcr", "gpr",
    ]

    private static func kind(_ type: UInt8) -> Kind {
        switch Int(type) {
        case Int(DT_REG): .file
        case Int(DT_DIR): .folder
        case Int(DT_UNKNOWN): .unknown
        default: .other
        }
    }
}

/// The files of XMP in a folder, which programs put beside pictures: "a.jpg.xmp" or "a.xmp" for "a.jpg". Letters may be
/// large in one and small in the other, as on the disks of most cameras and computers.
struct Sidecars {
    private var names: [ArraySlice<UInt8>: [UInt8]] = [:]
    private var folded: [ArraySlice<UInt8>: [UInt8]] = [:]

    init(_ entries: [FolderEntry]) {
        for entry in entries where entry.isSidecarName {
            names[entry.stem] = entry.name
            folded[Self.folded(entry.stem)] = entry.name
        }
    }

    /// The name of the one of a picture.
    func of(_ entry: FolderEntry) -> [UInt8]? {
        names[entry.name[...]] ?? names[entry.stem] ?? folded[Self.folded(entry.name[...])]
            ?? folded[Self.folded(entry.stem)]
    }

    private static func folded(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        name.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }[...]
    }
}

/// The limits of a walk through a folder of pictures.
enum FolderLimit {
    /// Folders in folders.
    static let depth = 32
    /// Files, folders and everything else.
    static let entries = 1_000_000
    /// How much of a file is read at first for its metadata; nearly always it is enough.
    static let firstBytes = 64 << 10
    /// Of a sidecar.
    static let sidecarBytes = 1 << 20
}
