import Contracts
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
}
