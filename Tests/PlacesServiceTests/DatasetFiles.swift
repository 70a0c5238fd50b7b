import Files

/// The files of a dataset, without those that have the words of its names: they come when there is time for them.
enum DatasetFiles {
    static func names(in folder: String) -> [String] {
        ((try? DiskFile.names(in: folder)) ?? []).filter { !$0.hasSuffix(".names") }
    }
}
