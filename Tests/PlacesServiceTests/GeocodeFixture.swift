import PlaceContracts
import TestTools
import Testing

@testable import PlacesService

/// The bundled gazetteer, made once for all tests.
enum BundledGazetteer {
    private static let folder = TemporaryFolder()
    private static let opened = Result {
        try GazetteerFile.open(folder.path + "/gazetteer", bundled: BundledDataTests.folder)
    }

    static func open() throws -> Gazetteer { try opened.get() }

    /// No addresses, and the words that streets are shortened by.
    static func addresses() throws -> StreetAddresses {
        StreetAddresses(words: try StreetWords(bundledIn: BundledDataTests.folder))
    }

    private static let openedNames = Result {
        try GazetteerFile.openNames(folder.path + "/gazetteer", bundled: BundledDataTests.folder)
    }

    /// The words of its names.
    static func names() throws -> [NameIndex] { try openedNames.get() }
}
