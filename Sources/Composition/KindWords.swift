/// The words that say what a thing is, in several languages.
enum KindWords {
    /// What a word says; nothing when it says none. Also of plurals, and of words without their vowels: "scty" is
    /// "society".
    static func kinds(_ word: [UInt8]) -> Kinds {
        if let kind = table[word] { return kind }
        if word.last == UInt8(ascii: "s"), let kind = table[Array(word.dropLast())] { return kind }
        guard let full = withoutVowels[WordMatch.skeleton(word)], WordMatch.isShortened(word, full) else { return [] }
        return table[full] ?? []
    }

    private static let table: [[UInt8]: Kinds] = Dictionary(
        uniqueKeysWithValues: words.flatMap { kind, text in WordTables.words(text).map { ($0, kind) } })

    /// The longest word of those that have the same consonants.
    private static let withoutVowels: [[UInt8]: [UInt8]] = Dictionary(
        table.keys.map { (WordMatch.skeleton($0), $0) },
        uniquingKeysWith: {
            ($0.count, String(decoding: $0, as: UTF8.self)) > ($1.count, String(decoding: $1, as: UTF8.self)) ? $0 : $1
        })

    private static let words: [(Kinds, String)] = [
        (
            .food,
            """
            bar bistro brasserie brewery brewing brewings brewhouse brewpub bryggeri burger burgers cafe
            cafeteria caffe cantina catering coffee deli diner eatery espresso food gasthaus gasthof grill
            grille kahvila kaffee kebab lounge osteria panimo pizza pizzeria pub ravintola restaurang
            restaurant restaurante ristorante roasters roastery saloon smokehouse steakhouse sushi
            taphouse taproom taverna tavern trattoria бар кафе ресторан εστιατοριο καφε ταβερνα
            """
        ),
        (.bakery, "backerei bageri bakery boulangerie konditorei leipomo panaderia patisserie"),
        (
            .hotel,
            """
            albergo guesthouse hostel hotel hotelli hotels inn lodge lodging motel pension resort suites
            гостиница отель ξενοδοχειο
            """
        ),
        (
            .hospital,
            """
            health healthcare hospital hospitals infirmary klinikum krankenhaus medical sairaala sjukhus
            """
        ),
        (
            .museum,
            """
            archives galleria gallery galerie musee musei museo museet museum museums planetarium society
            музеи μουσειο
            """
        ),
        (
            .church,
            """
            basilica basilique cathedral chapel chiesa church dom eglise iglesia kirche kirkko kyrka
            parish tuomiokirkko церковь храм εκκλησια
            """
        ),
        (.school, "academy ecole elementary escuela kindergarten koulu preschool school schools schule skola"),
        (.college, "college universidad universita universitat universite university yliopisto"),
        (.library, "biblioteca bibliothek bibliotheque bibliotek kirjasto library"),
        (.airport, "aerodrome aeroport aeropuerto airfield airpark airport airstrip flughafen heliport lentoasema"),
        (.bank, "banca banco bank banks banque pankki"),
        (.park, "aquarium arboretum garden gardens park parks playground puisto zoo zoological"),
        (.station, "asema bahnhof gare halt metro platform stazione station stop subway tram"),
        (.square, "aukio piazza plaza square tori torg площадь πλατεια"),
        (.pharmacy, "apotheke apteekki apotek chemist farmacia pharmacie pharmacy"),
        (.theatre, "cinema cinemas kino teatteri teatro theater theatre"),
        (.market, "grocery market supermarche supermarket supermarkt supermercado"),
        (.fuel, "fuel gas gasoline petrol"),
        (.parking, "garage parking parkhaus pysakointi"),
        (.post, "post posti"),
        (.office, "embassy courthouse government"),
        (
            .part,
            """
            agency alumni appraiser assessor atm attorney auxiliary board bureau cancer childrens clinic
            clinics courts department desk division emergency entrance exit fbo foundation gate group
            heart imaging institute lab laboratory maintenance office offices outpatient pediatrics
            physician physicians practice shop store surgery terminal treasurer wing womens
            """
        ),
    ]
}
