import Backups
import Bytes
import EventLoops
import FoundationEssentials
import Glibc
import Settings
import Storage
import Supervisor
import Terminal

/// Checks the folder in which `up` keeps everything: whether it can be written, who may read its secrets, whether there
/// is space, and whether the clock was set back since something was written.
struct FolderDoctor: Sendable {
    /// With less room than this a service soon can't store anything.
    static let leastBytes: UInt64 = 256 << 20
    private static let fewBytes: UInt64 = 2 << 30
    /// A file may be a little ahead: clocks are set.
    private static let clockRoomSeconds: Int64 = 60

    let folder: UpFolder
    var nowSeconds = Int64(time(nil))

    func look() -> [Diagnosis] {
        guard let status = Self.status(folder.path) else {
            return [.ok("data folder", "\(folder.path) does not exist yet; waymark up creates it")]
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return [.wrong("data folder", "\(folder.path) is no folder", "--data DIR chooses another")]
        }
        let secrets = [("key", folder.key.path), ("token", folder.token.path)].compactMap(secret)
        let backup = BackupDoctor(folder: folder, nowSeconds: nowSeconds).look()
        return [access] + secrets + [room, clock, library] + [backup, pictures].compactMap(\.self)
    }

    /// Nil where they are in the folder.
    private var pictures: Diagnosis? {
        do {
            return try NotedBlobs.place(of: folder.path).map {
                .ok("pictures", "they and the datasets are at \($0): no backup of the folder has them")
            }
        } catch {
            return .wrong("pictures", "where they are can't be read: \(error)", "waymark up --blobs ADDRESS")
        }
    }

    private var library: Diagnosis {
        let fault =
            "; before 3.51.3 it can lose changes when two programs checkpoint one file, so let no other tool open files"
            + " of services that run. Waymark checkpoints by one connection alone"
        return .ok("sqlite", "\(SQLiteLibrary.version)\(SQLiteLibrary.hasResetFault ? fault : "")")
    }

    private var access: Diagnosis {
        guard unsafe Glibc.access(folder.path, R_OK | W_OK | X_OK) == 0 else {
            let reason = SystemError(call: "access", code: errno, subject: folder.path)
            return .wrong(
                "data folder", "it can't be written: \(reason)",
                "chown -R \(geteuid()) \(Invitation.quoted(folder.path)), or --data DIR")
        }
        return .ok("data folder", "\(folder.path) can be written")
    }

    /// Nil when there is none.
    private func secret(_ name: String, _ path: String) -> Diagnosis? {
        guard let status = Self.status(path) else { return nil }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            return .wrong(
                name, "others on this machine may read \(path) (mode \(mode))", "chmod 600 \(Invitation.quoted(path))")
        }
        do {
            _ = try KeyFile(path: path).makeIfMissing()
            return .ok(name, "\(path) is for its owner only")
        } catch {
            return .wrong(name, "\(error)", "put the file back from a backup; without one, remove it and start over")
        }
    }

    private var room: Diagnosis {
        var status = statvfs()
        guard unsafe statvfs(folder.path, &status) == 0 else {
            return .warning("disk", "the free space can't be determined", "df \(Invitation.quoted(folder.path))")
        }
        let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
        return Self.room(free)
    }

    static func room(_ free: UInt64) -> Diagnosis {
        let finding = "\(Quantity.bytes(free)) are free"
        if free < leastBytes { return .wrong("disk", finding, "make room: services stop storing on a full disk") }
        if free < fewBytes { return .warning("disk", finding, "an import of a country needs several gigabytes") }
        return .ok("disk", finding)
    }

    /// A clock behind the time of stored files: tokens expire late, and live networks are not asked.
    private var clock: Diagnosis {
        let folders = ServiceSettings.all.map { folder.folder($0.name) }
        let files = folders.flatMap { [$0, "\($0)/\($0.split(at: "/").last ?? "").db"] }
        let newest = files.compactMap(Self.modifiedSeconds).max() ?? 0
        guard newest <= nowSeconds + Self.clockRoomSeconds else {
            return .wrong(
                "clock", "it is \(newest - nowSeconds) s behind what was written last",
                "set it, and keep it set: timedatectl set-ntp true")
        }
        return .ok("clock", "it is not behind what was written last")
    }

    /// When a file was last modified, in seconds since 1970; nil when there is none.
    private static func modifiedSeconds(_ path: String) -> Int64? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.modificationDate] as? Date).map { Int64($0.timeIntervalSince1970) }
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status : nil
    }
}
