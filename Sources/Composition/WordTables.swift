/// What the words of a name say: what a thing is, which part of it, or nothing that would tell it from another one.
enum WordTables {
    /// Words that are left out.
    static let fillers = words(
        """
        a an by der des die das e for i la las le les los s the to u ab ag bv co company corp corporation gmbh
        inc incorporated kg limited llc lp ltd nv oy oyj pa pc plc pllc sa sarl spa srl
        """)

    /// Words before something else that a thing also is, or has: "Brewery and Restaurant".
    static let additions = words("and en et ja och und y")
    /// Words before what a thing is in, or belongs to: "Hospital of Springfield".
    static let owners = words("at de del di du im in of on")

    /// Words that one source has and the other one leaves out.
    static let qualifiers = words(
        """
        area asso associates association center centre centrum city community county cultural district general
        local memorial municipal national public regional service state system systems town village
        """)

    /// Short forms that leave out more than vowels or the end.
    static let full: [[UInt8]: [UInt8]] = [
        "assn": "association", "asso": "association", "assoc": "association", "ave": "avenue", "bldg": "building",
        "chr": "church", "blvd": "boulevard",
        "cntr": "center", "ctr": "center", "dept": "department", "ft": "fort", "hosp": "hospital",
        "intl": "international", "jr": "junior",
        "mt": "mount", "natl": "national", "pl": "place", "rd": "road", "saint": "st", "sankt": "st", "santa": "st",
        "sq": "square", "sr": "senior", "street": "st", "strasse": "st", "svc": "service", "svcs": "service",
        "services": "service", "univ": "university", "soc": "society", "inst": "institute", "hse": "house",
    ].reduce(into: [:]) { $0[Array($1.key.utf8)] = Array($1.value.utf8) }

    static func words(_ text: String) -> Set<[UInt8]> { Set(text.split { $0.isWhitespace }.map { Array($0.utf8) }) }
}
