import OpeningHours
import Testing

@Suite("Time zones")
struct ZoneTests {
    @Test(
        "the last line of a file goes on for years",
        arguments: [
            ("EET-2EEST,M3.5.0/3,M10.5.0/4", Int64(1_795_000_000), 7200),
            ("EET-2EEST,M3.5.0/3,M10.5.0/4", 1_783_000_000, 10_800),
            ("<-03>3", 1_783_000_000, -10_800),
            ("NZST-12NZDT,M9.5.0,M4.1.0/3", 1_795_000_000, 46_800),
            ("IST-1GMT0,M10.5.0,M3.5.0/1", 1_795_000_000, 0),
            ("EST5EDT,M3.2.0,M11.1.0", 1_793_512_799, -14_400),
            ("EST5EDT,M3.2.0,M11.1.0", 1_793_512_800, -18_000),
        ])
    func line(line: String, instant: Int64, offset: Int) throws {
        let zone = try #require(ZoneRules(ZoneBytes.bytes(line)))
        #expect(zone.offset(at: instant) == offset)
    }

    @Test("a local time that there is not, or is there twice, has an instant all the same")
    func local() throws {
        let zone = try #require(ZoneRules(ZoneBytes.eastern))
        // 28 March 2027, 3:30, and 25 October 2026, 3:30.
        #expect(zone.instant(ofLocal: 1_806_204_600) == 1_806_204_600 - 7200)
        #expect(zone.instant(ofLocal: 1_792_899_000) == 1_792_899_000 - 7200)
    }

    @Test("a damaged file is none, wherever it is cut")
    func damaged() {
        let bytes = ZoneBytes.eastern
        for count in 0..<102 { #expect(ZoneRules(Array(bytes.prefix(count))) == nil) }
        var wrong = bytes
        wrong[51 + 35] = 200
        #expect(ZoneRules(wrong) == nil)
    }

    @Test("a point is in the zone of its cell, and nowhere else")
    func grid() {
        var grid = ZoneGrid()
        #expect(grid.zone(latitude: 0, longitude: 0) == nil)
        let south = grid.add(rows: 9000, runs: Array("*36000".utf8))
        let north = grid.add(rows: 9000, runs: Array("3*18000 *1 4*17999".utf8))
        #expect(south && north)
        #expect(grid.zone(latitude: 10, longitude: -0.01) == 3)
        #expect(grid.zone(latitude: 10, longitude: 0.005) == nil)
        #expect(grid.zone(latitude: 90, longitude: 180) == 4)
        #expect(grid.zone(latitude: -0.001, longitude: 100) == nil)
    }

    @Test("rows that are no rows are refused", arguments: ["", "3*1", "3*36001", "x*36000", "3", "70000*36000", "3*0"])
    func refused(runs: String) {
        var grid = ZoneGrid()
        let isTaken = grid.add(rows: 1, runs: Array(runs.utf8))
        #expect(!isTaken)
    }
}
