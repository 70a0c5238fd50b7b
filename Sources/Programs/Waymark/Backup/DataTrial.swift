import Arguments
import Backups
import Bytes
import EventLoops
import Files
import FoundationEssentials
import Settings
import Supervisor
import Terminal

/// Opens a copy of a data folder with the services' own programs, which upgrade it, and asks no one.
struct DataTrial: Sendable {
    static let flag = Flag("bin-dir", "DIR", "where the services' programs are; next to this one by default")

    private let programs: String?

    init(_ arguments: ParsedArguments) { programs = arguments.text("bin-dir") }

    /// What is wrong, in sentences; nil where the programs are not.
    @Sendable
    func open(_ folder: String) async throws -> [String]? { try await open(folder, isWhole: true) }

    /// Has a service's program make the tables of a database that is moved into, and move datasets.
    func move(_ service: String, _ data: String, _ servers: [String]) async throws -> [String] {
        let thread = BlockingPool(threadCount: 1, name: "trial")
        defer { thread.close() }
        return try await thread.run { [programs] in
            let programs = try ProgramFolder(programs)
            guard let settings = ServiceSettings.all.first(where: { $0.name.isSame(as: service) }) else { return [] }
            // Any will do: no one is asked.
            let key = "\(FileManager.default.temporaryDirectory.path)/waymark-migrate-\(UInt64.random(in: 0 ... .max))"
            _ = try KeyFile(path: key).makeIfMissing()
            defer { _ = try? DiskFile.removeIfThere(key) }
            return try ProgramTrial.run(
                try programs.path(of: settings.program),
                ["--try", "move", "--data", data, "--key-file", key, "--log-level", "error"] + servers)
        }
    }

    /// - Parameter isWhole: whether all is there that the databases name.
    func open(_ folder: String, isWhole: Bool) async throws -> [String]? {
        let thread = BlockingPool(threadCount: 1, name: "trial")
        defer { thread.close() }
        return try await thread.run { [programs] in
            let programs = try ProgramFolder(programs)
            let folder = UpFolder(path: folder)
            _ = try folder.key.makeIfMissing()
            // Pictures and datasets may be in a bucket, which is not of the copy.
            let isWhole = try isWhole && NotedBlobs.place(of: folder.path) == nil
            var faults: [String] = []
            for service in ServiceSettings.all where DiskFile.isFolder(folder.folder(service.name)) {
                guard let program = try? programs.path(of: service.program) else { return nil }
                faults += try ProgramTrial.run(
                    program,
                    [
                        "--try", isWhole ? "all" : "records", "--data", folder.folder(service.name), "--key-file",
                        folder.key.path, "--log-level",
                        "error",
                    ]
                ).map { $0.begins(with: "\(service.program): ") ? $0 : "\(service.program): \($0)" }
            }
            return faults
        }
    }
}
