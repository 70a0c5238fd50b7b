/// The words that say what a thing is, in several languages.
enum KindWords {
    /// What a word says; nothing when it says none. Also of plurals, and of words without their vowels: "scty" is
    /// "society".
    static func kinds(_ word: [UInt8]) -> Kinds {
        if let kind = table[word] { return kind }
        if word.last == UInt8(ascii: "s"), let kind = table[Array(word.dropLast())] { return kind }
        if let ending = endings.first(where: { word.count > $0.count && word.suffix($0.count).elementsEqual($0) }) {
            return table[ending] ?? []
        }
        guard let full = withoutVowels[WordMatch.skeleton(word)], WordMatch.isShortened(word, full) else { return [] }
        return table[full] ?? []
    }

    /// Those that end longer words, as in "Stadtbibliothek".
    private static let endings = WordTables.words(
        """
        asema bahnhof bibliotek bibliothek hotelli kahvila kirche kirjasto kirkko koulu kyrka museet museo ravintola
        sairaala schule skola teatteri
        """)

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
            alehouse bar barbecue bistro brasserie brewery brewhouse brewing brewings brewpub bryggeri burger
            burgers cafe cafeteria caffe cantina catering chinese coffee creamery cucina deli diner donuts
            doughnuts eatery espresso food gasthaus gasthof gelateria gelato grill grille italian japanese
            kaffee kahvila kebab kitchen korean lebanese lounge mediterranean mexican noodle noodles osteria
            panimo pizza pizzeria pub ramen ravintola restaurang restaurant restaurante ristorante roasters
            roastery saloon sandwich sandwiches smokehouse steakhouse sushi taco taphouse taproom taqueria
            tavern taverna thai trattoria vietnamese εστιατοριο καφε ταβερνα бар кафе ресторан
            """
        ),
        ([.bakery, .food], "backerei bageri bakery boulangerie konditorei konditoria leipomo panaderia patisserie"),
        ([.bakery, .food, .shop], "confectionery"),
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
            taidegalleria taidemuseo taidesalonki
            музеи μουσειο
            """
        ),
        (
            .church,
            """
            basilica basilique cathedral chapel chiesa church dom eglise iglesia kapelle kappeli kirche kirkko
            kyrka masjid ministries ministry moskeija mosque parish religious synagoga synagogue tabernacle
            temple tuomiokirkko worship εκκλησια храм церковь
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
        (.theatre, "cinema cinemas kino opera ooppera teatteri teatro theater theatre"),
        ([.market, .shop], "grocery market supermarche supermarket supermarkt supermercado"),
        (.fuel, "fuel gas gasoline petrol"),
        (.parking, "garage parking parkhaus pysakointi"),
        (.post, "post posti"),
        (.rental, "bikeshare rental"),
        (.office, "ambassade botschaft consulate courthouse embassy government mission suurlahetysto"),
        (.shop, "butik kauppa liike shop shopping store"),
        (
            .part,
            """
            agency alumni appraiser assessor atm attorney auxiliary board bureau cancer childrens clinic
            clinics courts department desk division emergency entrance exit fbo foundation gate group
            heart imaging institute lab laboratory maintenance office offices outpatient pediatrics
            physician physicians practice surgery terminal treasurer wing womens
            """
        ),
    ]
}
