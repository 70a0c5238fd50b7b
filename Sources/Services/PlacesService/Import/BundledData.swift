import Bytes
import Daemon
import EventLoops
import Files
import FoundationEssentials
import Glibc

/// The datasets that come with Waymark: each a folder with a description and a table.
struct BundledData: Sendable {
    /// The file dataset.json of such a folder, with the members needed here.
    private struct Description: Decodable {
        let name: String
        let title: String
        let attribution: String
        let licence: String
        let version: String
        let file: String
    }

    private let folder: String

    init(_ folder: String) { self.folder = folder }

    /// Where the data is by default: installed next to the program, installed for the machine, or in the package that
    /// the program was built in.
    static var defaultFolder: String? {
        let candidates = InstalledFolder.candidates(installed: "", package: "Data")
        // One that can't be read is taken too, so that the start says so.
        return candidates.first { (try? BundledData($0).descriptions())?.isEmpty != true }
    }

    /// Imports what is missing or of another edition. What was deleted stays deleted, and what a client has imported
    /// under the same name stays. A set that can't be imported is reported, and the others are still imported.
    func install(in catalog: Catalog, by imports: ImportQueue, _ log: Log) async {
        var descriptions: [String] = []
        do throws(SystemError) {
            descriptions = try self.descriptions()
        } catch {
            log.error("bundled datasets can't be read", ["path": folder, "reason": "\(error)"])
        }
        for path in descriptions {
            do {
                guard let job = try job(path), try isNeeded(job, catalog) else { continue }
                let (dataset, tally) = try await imports.run(job, Unobserved())
                log.info(
                    "bundled dataset imported",
                    ["dataset": "\(dataset.name)", "places": "\(dataset.placeCount)", "bad_rows": "\(tally.badRows)"])
            } catch {
                log.error("bundled dataset can't be imported", ["path": path, "reason": "\(error)"])
            }
        }
    }

    private func descriptions() throws(SystemError) -> [String] {
        var paths: [String] = []
        for name in try DiskFile.names(in: folder) where try DiskFile.exists("\(folder)/\(name)/dataset.json") {
            paths.append("\(folder)/\(name)/dataset.json")
        }
        return paths
    }

    private func isNeeded(_ job: ImportJob, _ catalog: Catalog) throws(PlacesError) -> Bool {
        guard let present = catalog.view.dataset(job.dataset) else {
            // A client's own data is left alone even when it can't be opened.
            let isClients = catalog.damaged.contains { $0.name == job.dataset && !$0.isBundled }
            if isClients { return false }
            return try !catalog.isDeleted(job.dataset)
        }
        return present.facts.isBundled && present.facts.version != job.facts.version
    }

    /// The import for a description; nil when its network is not ours.
    private func job(_ path: String) throws -> ImportJob? {
        let text = try JSONDecoder().decode(Description.self, from: Data(contentsOf: URL(filePath: path)))
        guard let name = DatasetName(text.name), let format = FileFormat(fileName: text.file), !text.file.holds("/")
        else {
            throw PlacesError.damaged(what: path)
        }
        let facts = DatasetFacts(
            title: text.title, attribution: text.attribution, licence: text.licence, version: text.version,
            isBundled: true)
        let folder = String(path.before("dataset.json") ?? "")
        return ImportJob(dataset: name, path: folder + text.file, format: format, facts: facts)
    }
}

/// An import without an observer.
struct Unobserved: ImportObserver {
    var isStopped: Bool { false }
    func progress(_ progress: ImportState) {}
    func badRow(_ line: UInt64, _ reason: String) {}
}
