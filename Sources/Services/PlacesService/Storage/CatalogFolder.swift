import Bytes
import EventLoops
import Files
import FoundationEssentials
import Geo
import Glibc
import VectorTiles

/// Where the catalog lies on disk.
///
///     lock                                  held by the process that uses the folder
///     datasets/<name>/dataset.json          says which snapshot counts; written last, removed first
///     datasets/<name>/<generation>.snapshot
///     datasets/<name>/<generation>.snapshot.pmtiles   its map, if it has one
///     datasets/<name>/<generation>.snapshot.areas     the areas in it, if it has any
///     datasets/<name>/<generation>.snapshot.osm.pbf   what it was made of, if changes can be applied to that
///     datasets/<name>/<generation>.snapshot.<part>.names   words of its names, made of it by `PlaceNames`
///     deleted/<name>                        an empty file: bundled data of this name is not wanted
///     deletions/<change>                    what callers have named to be deleted in the last 24 hours
///     gazetteer, gazetteer.<part>.names     names of the world's places, made of bundled data by `GazetteerFile`
///     gazetteer.areas                       outlines of the world's regions, made of bundled data by `WorldAreas`
///     uploads/                              files on their way in; emptied at start
struct CatalogFolder: Sendable {
    let root: String

    var uploads: String { "\(root)/uploads" }
    private var datasets: String { "\(root)/datasets" }

    /// Makes what is missing and removes what ended imports and uploads left behind.
    init(_ root: String) throws(PlacesError) {
        self.root = root
        let folders = [uploads, datasets, "\(root)/deleted"]
        try PlacesError.converting("the data folder") { () throws(SystemError) in
            for folder in folders { try DiskFile.makeFolder(folder) }
        }
        for name in try Self.names(in: uploads) { try remove("\(uploads)/\(name)") }
    }

    /// All existing datasets, good or damaged. For the start only: folders without a manifest are left over from a
    /// deletion or a killed import, and are removed.
    func recoveredNames() throws(PlacesError) -> [DatasetName] {
        var names: [DatasetName] = []
        for name in try Self.names(in: datasets).compactMap(DatasetName.init) {
            if try has(name) { names.append(name) } else { try clean(name, keeping: nil) }
        }
        return names
    }

    /// Whether there is a dataset, good or damaged.
    func has(_ name: DatasetName) throws(PlacesError) -> Bool { try Self.exists(manifestPath(name)) }

    /// Whether a dataset came with Waymark, as far as its description can be read.
    func isBundled(_ name: DatasetName) -> Bool {
        (try? DatasetManifest(path: manifestPath(name)))?.facts.isBundled ?? false
    }

    /// Opens a dataset and removes what does not belong to it.
    func load(_ name: DatasetName) throws(PlacesError) -> CatalogView.Dataset {
        let manifest = try DatasetManifest(path: manifestPath(name))
        let path = snapshotPath(name, manifest.generation)
        let snapshot = try open(path)
        try clean(name, keeping: manifest.generation)
        return CatalogView.Dataset(
            name: name, facts: manifest.facts, snapshot: snapshot, snapshotName: manifest.snapshot,
            tiles: try openTiles(manifest.facts, besides: path), areas: Self.openAreas(manifest.facts, besides: path))
    }

    /// What is said of a dataset, and where its snapshot is.
    func files(_ name: DatasetName) throws(PlacesError) -> (manifest: DatasetManifest, snapshot: String) {
        let manifest = try DatasetManifest(path: manifestPath(name))
        return (manifest, snapshotPath(name, manifest.generation))
    }

    /// Bundled data that is not wanted.
    func deletedNames() throws(PlacesError) -> [DatasetName] {
        try Self.names(in: "\(root)/deleted").compactMap(DatasetName.init)
    }

    /// Makes a copy of a dataset that replicas share one that is here alone.
    func keepCopy(_ name: DatasetName) throws(PlacesError) {
        let (manifest, path) = try files(name)
        var facts = manifest.facts
        facts.tiles?.blob = nil
        facts.areas?.blob = nil
        if try Self.exists(Self.sourcePath(ofSnapshot: path)) { facts.source?.blob = nil } else { facts.source = nil }
        try commit(name, DatasetManifest(generation: manifest.generation, facts: facts))
    }

    /// The map of a dataset; nil when it has none.
    func openTiles(_ facts: DatasetFacts, besides snapshot: String) throws(PlacesError) -> PMTilesFile? {
        guard facts.tiles != nil else { return nil }
        do throws(PMTilesError) {
            return try PMTilesFile(path: Self.tilesPath(ofSnapshot: snapshot))
        } catch {
            throw PlacesError(error)
        }
    }

    /// Where the map of a dataset is.
    static func tilesPath(ofSnapshot path: String) -> String { "\(path).pmtiles" }

    /// The areas of a dataset; nil when it has none. Without them its places are found all the same, so a file that is
    /// damaged costs no more than that.
    static func openAreas(_ facts: DatasetFacts, besides snapshot: String) -> AreaIndex? {
        facts.areas.flatMap { _ in try? AreaIndex(path: areasPath(ofSnapshot: snapshot)) }
    }

    /// Where the areas of a dataset are.
    static func areasPath(ofSnapshot path: String) -> String { "\(path).areas" }

    /// Where the file is that a dataset was made of.
    static func sourcePath(ofSnapshot path: String) -> String { "\(path).osm.pbf" }

    /// All files of a dataset that an import writes.
    static func paths(ofSnapshot path: String) -> [String] {
        [path, tilesPath(ofSnapshot: path), areasPath(ofSnapshot: path), sourcePath(ofSnapshot: path)]
    }

    func open(_ path: String) throws(PlacesError) -> Snapshot {
        do throws(GeoError) {
            return try Snapshot(path: path)
        } catch {
            throw PlacesError(error, "opening a snapshot")
        }
    }

    /// The number for the next snapshot of a dataset.
    func nextGeneration(_ name: DatasetName) throws(PlacesError) -> Int {
        let folder = folder(name)
        try PlacesError.converting("the folder of dataset \(name)") { () throws(SystemError) in
            try DiskFile.makeFolder(folder)
        }
        return (try Self.names(in: folder).compactMap(Self.generation).max() ?? 0) + 1
    }

    /// Moves files to where the snapshot of a generation and its map are.
    func place(
        _ file: String, tiles: String?, areas: String?, as name: DatasetName, _ generation: Int
    ) throws(PlacesError) -> String {
        let path = snapshotPath(name, generation)
        try PlacesError.converting("the folder of dataset \(name)") { () throws(SystemError) in
            try DiskFile.makeFolder(folder(name))
            if let tiles { try DiskFile.rename(tiles, to: Self.tilesPath(ofSnapshot: path)) }
            if let areas { try DiskFile.rename(areas, to: Self.areasPath(ofSnapshot: path)) }
            try DiskFile.rename(file, to: path)
            try DiskFile.syncFolder(of: path)
        }
        return path
    }

    /// Sets whether bundled data of this name is not wanted.
    func mark(_ name: DatasetName, isDeleted: Bool) throws(PlacesError) {
        let marker = "\(root)/deleted/\(name)"
        if try isDeleted == Self.exists(marker) { return }
        try PlacesError.converting("the mark of dataset \(name)") { () throws(SystemError) in
            if isDeleted { try DiskFile.replace(marker, with: []) } else { try DiskFile.remove(marker) }
        }
    }

    /// Makes a finished snapshot the one that counts.
    func commit(_ name: DatasetName, _ manifest: DatasetManifest) throws(PlacesError) {
        try manifest.write(to: manifestPath(name))
        try remove("\(root)/deleted/\(name)")
        try clean(name, keeping: manifest.generation)
    }

    /// Removes a dataset permanently: bundled data of its name is not imported again by itself.
    func delete(_ name: DatasetName) throws(PlacesError) {
        let marker = "\(root)/deleted/\(name)"
        let manifest = manifestPath(name)
        // Only what the manifest names, and not the folder: an import of the same dataset may write its own file there.
        let generation = try? DatasetManifest(path: manifest).generation
        try PlacesError.converting("deleting dataset \(name)") { () throws(SystemError) in
            try DiskFile.replace(marker, with: [])
            try DiskFile.remove(manifest)
            try DiskFile.syncFolder(of: manifest)
        }
        guard let generation else { return }
        for file in try Self.names(in: folder(name)) where Self.belongs(file, to: generation) {
            try remove("\(folder(name))/\(file)")
        }
    }

    func isDeleted(_ name: DatasetName) throws(PlacesError) -> Bool { try Self.exists("\(root)/deleted/\(name)") }

    /// Removes every snapshot but one, and the folder if it is empty then. A search that uses one continues: a mapped
    /// file exists until it is unmapped.
    func clean(_ name: DatasetName, keeping generation: Int?) throws(PlacesError) {
        for file in try Self.names(in: folder(name)) {
            if let generation, file == DatasetManifest.fileName || Self.belongs(file, to: generation) { continue }
            try remove("\(folder(name))/\(file)")
        }
        if generation == nil { _ = unsafe rmdir(folder(name)) }
    }

    /// Removes the snapshots that no manifest names.
    func discardUncommitted(_ name: DatasetName) {
        let manifest = try? DatasetManifest(path: manifestPath(name))
        // A manifest that can't be read names an unknown snapshot: nothing is removed then.
        if manifest == nil, (try? has(name)) != false { return }
        try? clean(name, keeping: manifest?.generation)
    }

    func snapshotPath(_ name: DatasetName, _ generation: Int) -> String { "\(folder(name))/\(generation).snapshot" }

    private func folder(_ name: DatasetName) -> String { "\(datasets)/\(name)" }
    private func manifestPath(_ name: DatasetName) -> String { "\(folder(name))/\(DatasetManifest.fileName)" }

    private static func names(in folder: String) throws(PlacesError) -> [String] {
        try PlacesError.converting("reading \(folder)") { () throws(SystemError) in try DiskFile.names(in: folder) }
    }

    private static func exists(_ path: String) throws(PlacesError) -> Bool {
        try PlacesError.converting("looking for \(path)") { () throws(SystemError) in try DiskFile.exists(path) }
    }

    private func remove(_ path: String) throws(PlacesError) {
        try PlacesError.converting("removing what is left over") { () throws(SystemError) in try DiskFile.remove(path) }
    }

    /// Whether a file is a generation's snapshot, or was made of it.
    private static func belongs(_ file: String, to generation: Int) -> Bool {
        let snapshot = "\(generation).snapshot"
        return paths(ofSnapshot: snapshot).contains(file)
            || file.begins(with: "\(snapshot).") && file.ends(with: NameIndexWriter.ending)
    }

    private static func generation(_ file: String) -> Int? { Int(file.until(".")) }
}

/// The file dataset.json in a dataset's folder: which snapshot counts, and what is known of it.
struct DatasetManifest: Codable, Sendable {
    static let fileName = "dataset.json"
    private static let formatVersion = 1

    /// Of this file's format.
    let format: Int
    /// Number in the name of the snapshot file.
    let generation: Int
    let facts: DatasetFacts
    /// The SHA-256 of a snapshot that is a copy of one in a bucket; nil for one that is only here.
    let snapshot: String?

    init(generation: Int, facts: DatasetFacts, snapshot: String? = nil) {
        format = Self.formatVersion
        self.generation = generation
        self.facts = facts
        self.snapshot = snapshot
    }

    init(path: String) throws(PlacesError) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(filePath: path)))
        } catch {
            throw .damaged(what: "\(path): \(error)")
        }
        guard format == Self.formatVersion else {
            throw .damaged(what: "\(path) has format \(format); this build reads format \(Self.formatVersion)")
        }
    }

    func write(to path: String) throws(PlacesError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let text = try? encoder.encode(self) else {
            throw .storage(what: "writing \(path)", reason: "it can't be encoded")
        }
        try PlacesError.converting("the dataset's description") { () throws(SystemError) in
            try DiskFile.replace(path, with: Array(text))
        }
    }
}
