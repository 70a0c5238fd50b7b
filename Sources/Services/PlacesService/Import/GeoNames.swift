import Bytes

/// What GeoNames writes in its tables: https://download.geonames.org/export/dump/readme.txt.
enum GeoNames {
    /// The columns of allCountries.txt and its like, by their number.
    enum Column {
        static let id = 0
        static let name = 1
        static let asciiName = 2
        static let otherNames = 3
        static let latitude = 4
        static let longitude = 5
        static let featureClass = 6
        static let featureCode = 7
        static let population = 14
        static let count = 19
    }

    /// Columns that become attributes as they are.
    static let attributes: [(column: Int, key: String)] = [
        (8, "country"), (10, "admin1"), (11, "admin2"), (12, "admin3"), (13, "admin4"), (15, "elevation"),
        (17, "timezone"),
    ]

    /// Whether a file is called as GeoNames calls its tables: allCountries.txt, cities500.txt, FI.txt, no-country.txt.
    static func isFileName(_ name: String) -> Bool {
        guard let stem = name.before(".txt") else { return false }
        if stem == "allCountries" || stem == "no-country" { return true }
        if let size = stem.after("cities") { return !size.isEmpty && size.unicodeScalars.allSatisfy(\.isDigit) }
        return stem.utf8.count == 2 && stem.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
    }

    /// The category of a feature, in OpenStreetMap's words where it has some: "place/city", "natural/peak". Everything
    /// else is "geonames/<class>/<code>" in small letters.
    static func category(featureClass: String, code: String, population: Int) -> String {
        if featureClass == "P", let place = settlement(code, population) { return place }
        if let known = known["\(featureClass).\(code)"] { return known }
        let parts = ["geonames", featureClass.lowercased(), code.lowercased()]
        return parts.filter { !$0.isEmpty }.joined(separator: "/")
    }

    /// By the number of people, as the bundled towns are; 0 means not counted.
    private static func settlement(_ code: String, _ people: Int) -> String? {
        switch code {
        case "PPLX": "place/quarter"
        case "PPLL": "place/locality"
        case "PPLF": "place/farm"
        case "PPLH", "PPLQ", "PPLW", "PPLCH": "historic/settlement"
        case "PPL", "PPLA", "PPLA2", "PPLA3", "PPLA4", "PPLA5", "PPLC", "PPLG", "PPLS", "PPLR", "STLMT":
            people >= 100_000 ? "place/city" : people >= 10_000 ? "place/town" : "place/village"
        default: nil
        }
    }

    private static let known: [String: String] = [
        "A.PCLI": "place/country", "A.PCLS": "place/country", "A.PCLF": "place/country", "A.PCLIX": "place/country",
        "A.PCLD": "place/country", "A.TERR": "place/country", "A.ADM1": "place/state", "A.ADM2": "place/county",
        "A.ADM3": "place/municipality", "A.ADM4": "place/municipality", "A.ADM5": "place/municipality",
        "H.BAY": "natural/bay", "H.BCH": "natural/beach", "H.CNL": "waterway/canal", "H.FLLS": "waterway/waterfall",
        "H.GLCR": "natural/glacier", "H.LGN": "natural/water", "H.LK": "natural/water", "H.LKS": "natural/water",
        "H.MRSH": "natural/wetland", "H.OCN": "place/ocean", "H.PND": "natural/water", "H.RSV": "natural/water",
        "H.SEA": "place/sea", "H.SPNG": "natural/spring", "H.STM": "waterway/river", "H.STMI": "waterway/river",
        "H.STRT": "natural/strait", "H.SWMP": "natural/wetland", "H.WLL": "man_made/water_well",
        "L.CONT": "place/continent", "L.LCTY": "place/locality", "L.PRK": "leisure/park",
        "L.RES": "leisure/nature_reserve", "L.RESN": "leisure/nature_reserve", "L.RESW": "leisure/nature_reserve",
        "L.RGN": "place/region", "R.ST": "highway/street", "R.RD": "highway/road", "R.TNL": "man_made/tunnel",
        "S.AIRF": "aeroway/aerodrome", "S.AIRP": "aeroway/aerodrome", "S.AMUS": "tourism/theme_park",
        "S.ARCH": "historic/monument", "S.BANK": "amenity/bank", "S.BDG": "man_made/bridge", "S.BLDG": "building",
        "S.BUSTN": "amenity/bus_station", "S.BUSTP": "highway/bus_stop", "S.CAVE": "natural/cave_entrance",
        "S.CH": "amenity/place_of_worship", "S.CLG": "amenity/college", "S.CMTY": "landuse/cemetery",
        "S.CSTL": "historic/castle", "S.CTHSE": "amenity/courthouse", "S.CVNT": "amenity/monastery",
        "S.DAM": "waterway/dam", "S.DIP": "office/diplomatic", "S.FRM": "place/farm", "S.FT": "historic/fort",
        "S.FY": "amenity/ferry_terminal", "S.GDN": "leisure/garden", "S.GHSE": "tourism/guest_house",
        "S.HSP": "amenity/hospital", "S.HTL": "tourism/hotel", "S.HUT": "tourism/alpine_hut",
        "S.LIBR": "amenity/library", "S.LTHSE": "man_made/lighthouse", "S.MALL": "shop/mall",
        "S.MAR": "leisure/marina", "S.MKT": "amenity/marketplace", "S.MNMT": "historic/monument",
        "S.MSQE": "amenity/place_of_worship", "S.MSTY": "amenity/monastery", "S.MTRO": "railway/station",
        "S.MUS": "tourism/museum", "S.OBPT": "tourism/viewpoint", "S.OPRA": "amenity/theatre",
        "S.PAL": "historic/castle", "S.PO": "amenity/post_office", "S.PP": "amenity/police",
        "S.PRN": "amenity/prison", "S.RECG": "leisure/golf_course", "S.REST": "amenity/restaurant",
        "S.RSTN": "railway/station", "S.RSTP": "railway/halt", "S.RUIN": "historic/ruins", "S.SCH": "amenity/school",
        "S.SHRN": "amenity/place_of_worship", "S.SPA": "leisure/spa", "S.SQR": "place/square",
        "S.STDM": "leisure/stadium", "S.THTR": "amenity/theatre", "S.TMB": "historic/tomb",
        "S.TMPL": "amenity/place_of_worship", "S.TOWR": "man_made/tower", "S.TRAM": "railway/tram_stop",
        "S.UNIV": "amenity/university", "S.ZOO": "tourism/zoo", "T.ATOL": "place/atoll", "T.BCH": "natural/beach",
        "T.CAPE": "natural/cape", "T.CLF": "natural/cliff", "T.DSRT": "natural/desert", "T.HLL": "natural/hill",
        "T.ISL": "place/island", "T.ISLET": "place/islet", "T.ISLS": "place/archipelago", "T.MT": "natural/peak",
        "T.MTS": "natural/mountain_range", "T.PASS": "natural/saddle", "T.PEN": "natural/peninsula",
        "T.PK": "natural/peak", "T.RDGE": "natural/ridge", "T.RK": "natural/rock", "T.VAL": "natural/valley",
        "T.VLC": "natural/volcano", "V.FRST": "natural/wood", "V.HTH": "natural/heath",
    ]
}
