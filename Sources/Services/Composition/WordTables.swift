import Bytes

/// What the words of a name say: what a thing is, which part of it, or nothing that would tell it from another one.
enum WordTables {
    /// Words that are left out.
    static let fillers = words(
        """
        a an by der des die das e for i la las le les los s the to u ab ag bv co company corp corporation gmbh
        inc incorporated kg limited llc lp ltd nv oy oyj pa pc plc pllc sa sarl spa srl
        """)

    /// Words that add nothing to what is sold.
    static let shops = words("house shop shops store stores")

    /// Words before something else that a thing also is, or has: "Brewery and Restaurant".
    static let additions = words("and en et ja och und y")
    /// Words before what a thing is in, or belongs to: "Hospital of Springfield".
    static let owners = words("at de del di du im in of on")

    /// Words that one source has and the other one leaves out.
    static let qualifiers = words(
        """
        area asso associates association boutique center centre centrum city community county cultural
        district flagship general local memorial municipal national public regional republic service state
        system systems town village
        """)

    /// Short forms that leave out more than vowels or the end.
    static let full: [[UInt8]: [UInt8]] = [
        "assn": "association", "asso": "association", "assoc": "association", "ave": "avenue", "bldg": "building",
        "bbq": "barbecue", "chr": "church", "blvd": "boulevard",
        "cntr": "center", "ctr": "center", "dept": "department", "ft": "fort", "hosp": "hospital",
        "intl": "international", "jr": "junior",
        "1st": "first", "2nd": "second", "3rd": "third", "4th": "fourth", "5th": "fifth", "6th": "sixth",
        "7th": "seventh", "8th": "eighth", "9th": "ninth", "10th": "tenth",
        "mt": "mount", "natl": "national", "pl": "place", "rd": "road", "saint": "st", "sankt": "st", "santa": "st",
        "sq": "square", "sr": "senior", "street": "st", "strasse": "st", "svc": "service", "svcs": "service",
        "services": "service", "univ": "university", "soc": "society", "inst": "institute", "hse": "house",
    ].reduce(into: [:]) { $0[Array($1.key.utf8)] = Array($1.value.utf8) }

    static func words(_ text: String) -> Set<[UInt8]> {
        Set(text.split(atScalars: \.isWhitespace).map { Array($0.utf8) })
    }
}
