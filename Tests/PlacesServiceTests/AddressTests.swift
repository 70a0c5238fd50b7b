import PlaceContracts
import RPC
import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite("P15 Street addresses")
struct AddressTests {
    private static let towns =
        "id\tname\tcategories\tlat\tlon\tcountry\tcountry_name\tregion\n"
        + "658225\tHelsinki\tplace/city\t60.16952\t24.93545\tFI\tFinland\tUusimaa\n"
        + "4164138\tMiami\tplace/city\t25.77427\t-80.19366\tUS\tUnited States\tFlorida\n"

    private static let shops =
        "id\tname\tlat\tlon\taddr:street\taddr:housenumber\taddr:postcode\taddr:city\n"
        + "1\tBooks\t25.7755\t-80.1947\tNE 2nd Ave\t22 B\t33132\tMiami\n"
        + "2\tFlowers\t25.77551\t-80.1947\tNE 2nd Ave\t22b\t33132\tMiami\n"
        + "3\tTea\t25.7760\t-80.1940\tNE 2nd Ave\t3-5\t\t\n" + "4\tNo street\t25.776\t-80.194\t\t35\t\tMiami\n"

    private static func run(_ body: (TestService) async throws -> Void) async throws {
        let sources = Geocoder.Sources(
            gazetteer: try BundledGazetteer.open(), addresses: try StreetAddresses(bundledIn: BundledDataTests.folder))
        try await TestService.run(geocoder: Geocoder(sources)) { service in
            try await service.load(towns, into: "towns")
            try await body(service)
        }
    }

    private static func first(_ service: TestService, _ text: String) async throws -> GeocodeMatch {
        let answer = try await service.client.geocode(GeocodeRequest(text: text), TestService.soon)
        return try #require(answer.matches.first)
    }

    @Test("of the bundled city are found in any order, with town, region and country")
    func bundled() async throws {
        try await Self.run { service async throws in
            for text in [
                "Mannerheimintie 20, Helsinki", "20 mannerheimintie", "Mannerheimintie 20",
                "Helsinki Mannerheimintie 20",
                "Mannerheimintie 20, Helsinki, Finland", "MANNERHEIMINTIE 20, Uusimaa",
            ] {
                let match = try await Self.first(service, text)
                #expect(match.kind == .address && match.name == "Mannerheimintie 20", "\(text): \(match)")
                #expect(match.town == "Helsinki" && match.region == "Uusimaa" && match.countryCode == "FI")
                #expect(match.attribution.contains("OpenStreetMap") && match.licence == "ODbL-1.0")
            }
            #expect(try await Self.first(service, "Mannerheimintie 22").name == "Mannerheimintie 22-24")
            let error = try await service.refusal {
                try await $0.geocode(GeocodeRequest(text: "Mannerheimintie 20, Tampere"), TestService.soon)
            }
            #expect(error.code == .notFound)
        }
    }

    @Test("of an imported dataset are found as soon as it is there, once each, and are gone with it")
    func imported() async throws {
        try await Self.run { service async throws in
            try await service.load(Self.shops, into: "shops")
            for text in ["22b NE 2nd Ave, Miami, FL", "NE 2nd Ave 22 B", "22 B ne 2nd ave 33132"] {
                let answer = try await service.client.geocode(GeocodeRequest(text: text), TestService.soon)
                #expect(answer.matches.count == 1, "\(text): \(answer)")
                #expect(answer.matches.first?.name == "22 B NE 2nd Ave" && answer.matches.first?.postcode == "33132")
            }
            #expect(try await Self.first(service, "3-5 NE 2nd Ave, Miami").name == "3-5 NE 2nd Ave")
            for text in ["35 NE 2nd Ave", "2 NE 2nd Ave", "22a NE 2nd Ave", "22b NE 2nd Ave, Helsinki"] {
                let error = try await service.refusal {
                    try await $0.geocode(GeocodeRequest(text: text), TestService.soon)
                }
                #expect(error.code == .notFound, "\(text)")
            }
            _ = try await service.client.deleteDataset(DeleteDatasetRequest(name: "shops"), TestService.soon)
            let error = try await service.refusal {
                try await $0.geocode(GeocodeRequest(text: "NE 2nd Ave 22 B"), TestService.soon)
            }
            #expect(error.code == .notFound)
        }
    }

    /// One address in ten thousand places around Florida, then in ten thousand around Finland, 5 to 11 km apart.
    private static let everywhere =
        "id\tname\tlat\tlon\taddr:street\taddr:housenumber\n"
        + (0..<20_000).map { index in
            let (south, west) = index < 10_000 ? (26.0, -90.0) : (60.0, 20.0)
            let (latitude, longitude) = (south + Double(index % 10_000 / 100) / 10, west + Double(index % 100) / 10)
            return "\(index)\tShop\t\(latitude)\t\(longitude)\tMain St\t1\n"
        }.joined()

    @Test("that tens of thousands of places have are found in the country that is asked for, nearest first")
    func everywhere() async throws {
        try await Self.run { service async throws in
            try await service.load(Self.everywhere, into: "shops")
            let finnish = try await service.client.geocode(
                GeocodeRequest(text: "1 Main St", limit: 50, countryCodes: ["FI"]), TestService.soon)
            #expect(finnish.matches.count == 50 && finnish.matches.allSatisfy { $0.countryCode == "FI" })
            let kemi = Coordinate(latitude: 65.7, longitude: 24.6)
            let near = try await service.client.geocode(
                GeocodeRequest(text: "Main St 1", limit: 5, bias: kemi), TestService.soon)
            #expect(near.matches.first?.position == kemi)
            let east = near.matches.compactMap { $0.position.map { abs($0.longitude - kemi.longitude) } }
            #expect(east.count == 5 && east == east.sorted(), "\(east)")
        }
    }

    /// A replica reads them as soon as it has the dataset.
    @Test(
        "of a dataset that is not read yet hold nobody up: names are found, and an address is UNAVAILABLE until then",
        .enabled(if: PostgresServer.isOfFiles))
    func notRead() async throws {
        try await Self.run { service async throws in
            let handler = service.handler
            let job = ImportJob(
                dataset: try #require(DatasetName("shops")),
                path: try service.folder.write(Self.shops, to: "shops.tsv"), format: .tsv,
                facts: DatasetFacts(title: "", attribution: "", licence: ""))
            // By the queue alone, as bundled data comes at a start.
            _ = try await handler.imports.run(job, Unobserved())
            #expect(try await Self.first(service, "100 Mile House").kind == .town)
            #expect(try await Self.first(service, "Mannerheimintie 20").kind == .address)
            let error = try await service.refusal {
                try await $0.geocode(GeocodeRequest(text: "NE 2nd Ave 22 B"), TestService.soon)
            }
            #expect(error.code == .unavailable && error.message.contains("still being read"))
            await handler.geocoder.prepare(handler.catalog.view, handler.blocking)
            #expect(try await Self.first(service, "NE 2nd Ave 22 B").name == "22 B NE 2nd Ave")
        }
    }
}
