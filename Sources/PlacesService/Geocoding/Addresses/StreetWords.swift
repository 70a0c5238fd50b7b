/// How the words of streets are shortened. Streets are looked up in the shortest form, so that it does not matter which
/// one an address has and which one someone types.
///
/// One list for all languages: a word that is short for several (`st` for street and for saint) stands for all of them,
/// which finds what is meant and hardly ever something else, as the rest of the name and the number have to be right.
enum StreetWords {
    private static let blank = UInt8(ascii: " ")
    /// Letters before an ending: "Am Weg" is not a street called "Am".
    private static let fewestBefore = 3

    /// The shortest form, and the others; folded.
    private static let words: [[UInt8]: [UInt8]] = Dictionary(
        rows(
            """
            st street str strasse strada saint sainte sankt straat strase
            rd road
            ave avenue av aven avenida avda avinguda avenyn aveny avn avnue
            blvd boulevard boul bd bld bulevar bulvar bulvari bulevard bulevardi bulevardul bulwar bul
            dr drive drv
            ln lane laan
            ct court
            pl place plaza platz plac plads plass plein pln piazza praca pca pza pzza placa plateia namesti nam
            sq square
            ter terrace terr
            hwy highway
            pkwy parkway pky
            cir circle
            cres crescent
            aly alley
            rte route
            mt mount
            ft fort
            n north norte
            s south
            e east
            w west
            ne northeast
            nw northwest
            se southeast
            sw southwest
            r rue rua
            c calle carrer cl
            kr carrera cra kra
            ctra carretera
            pso paseo passeig pg
            trav travessa tv
            estr estrada
            rod rodovia
            al alameda aleja aleje allee aleea all
            k katu
            t tie
            gr gracht
            ul ulica ulitsa ulice
            os osiedle
            tr trida
            nab nabrezi naberezhnaya
            v via vagen veien vegen vei vej
            vle viale
            cso corso
            lgo largo lg
            vic vicolo
            imp impasse
            ch chemin che
            fbg faubourg fg
            q quai
            cad caddesi cd cadde
            sok sokak sk sokagi
            mah mahallesi mh mahalle
            u utca
            krt korut
            sos soseaua
            tn tanav
            mnt maantee
            pst puiestee
            g gatve gata gatan gate gade gt
            jl jalan
            ул улица
            вул вулиця
            пр проспект просп
            пер переулок
            пров провулок
            пл площадь площа
            наб набережная
            ш шоссе
            бул бульвар бульв
            λεωφ λεωφοροσ
            οδ οδοσ
            πλ πλατεια
            1st first
            2nd second
            3rd third
            4th fourth
            5th fifth
            6th sixth
            7th seventh
            8th eighth
            9th ninth
            10th tenth
            """), uniquingKeysWith: { first, _ in first })

    /// The same for endings of one word, the longer ones first: "Hauptstraße", "Storgatan", "Aleksanterinkatu".
    private static let endings: [(full: [UInt8], short: [UInt8])] = rows(
        """
        st strasse straat strase str
        g gatan gate gata gade
        v vagen veien vegen vei vej
        k katu
        t tie
        pl platz plads plein plass pln
        al allee
        gr gracht
        u utca
        """
    ).sorted { $0.0.count > $1.0.count }.map { ($0.0, $0.1) }

    private static func rows(_ table: String) -> [([UInt8], [UInt8])] {
        table.split(separator: "\n").flatMap { row -> [([UInt8], [UInt8])] in
            let words = row.split(separator: " ").map { Array($0.utf8) }
            return words.dropFirst().map { ($0, words[0]) }
        }
    }

    /// A folded street with each word in its shortest form, without blanks.
    static func shortest(_ street: some Collection<UInt8>) -> [UInt8] {
        street.split(separator: blank).flatMap { word -> [UInt8] in
            let word = Array(word)
            if let short = words[word] { return short }
            for ending in endings
            where word.count >= ending.full.count + fewestBefore && word.suffix(ending.full.count) == ending.full[...] {
                return word.dropLast(ending.full.count) + ending.short
            }
            return word
        }
    }
}
