import Testing

/// Pairs of made-up names and categories, so far apart in metres, and whether they are one thing.
struct NamePair: Sendable, CustomTestStringConvertible {
    let one: String
    let other: String
    let metres: Double
    var kinds = ("", "")

    var testDescription: String { "\(one) | \(other)" }

    static let same: [NamePair] = [
        NamePair(one: "Café Ilta", other: "Cafe Ilta", metres: 40),
        NamePair(one: "Lidlo", other: "LIDLO", metres: 150),
        NamePair(one: "Hotel Sininen", other: "Hotelli Sininen", metres: 90),
        NamePair(one: "Museo Aurinko", other: "Aurinko Museum", metres: 60),
        NamePair(one: "Ресторан Заря", other: "Заря", metres: 20, kinds: ("", "restaurant")),
        NamePair(one: "مقهى النجمة", other: "مقهى النجمة", metres: 20),
        NamePair(one: "星の喫茶店", other: "星の喫茶店", metres: 20),
        NamePair(one: "7-Zwölf", other: "7 Zwolf", metres: 30),
        NamePair(one: "Bella Palude", other: "Pizzeria Bella Palude", metres: 20, kinds: ("amenity/restaurant", "")),
        NamePair(one: "The Crooked Spoon", other: "Crooked Spoon Pub & Grill", metres: 20, kinds: ("amenity/pub", "")),
        NamePair(one: "Orvokki Oy", other: "Orvokki", metres: 20, kinds: ("shop/florist", "shop")),
        NamePair(one: "St. Olaf's Church", other: "Saint Olaf Church", metres: 120),
        NamePair(one: "Marlow & Sons", other: "Marlow and Sons", metres: 15),
        NamePair(one: "Kahvila Kuu (Keskusta)", other: "Kahvila Kuu", metres: 20),
        NamePair(one: "Fen Brewing Co - Harbour", other: "Fen Brewery", metres: 60),
        NamePair(one: "Harbour Grill #16", other: "Harbour Grill", metres: 60),
        NamePair(one: "SunTress Bank", other: "Sun Tress Bank", metres: 90),
        NamePair(one: "D. L. Fenn Library", other: "DL Fenn Library", metres: 90),
        NamePair(one: "De Wael Hospital", other: "Dewael Hospital", metres: 90),
        NamePair(one: "Tarn County Historical Society", other: "Tarn Cnty Hstrcl Scty", metres: 90),
        NamePair(one: "Tarn County Historical Society", other: "Tarn County Museum", metres: 30),
        NamePair(one: "Bethel Methodist Fenland Chapel", other: "Bethel MF Chapel", metres: 30),
        NamePair(one: "International Museum of Rope History", other: "International Museum of Rope H", metres: 90),
        NamePair(one: "Hospital of St. Brandan", other: "St Brandan Hospital", metres: 100),
        NamePair(one: "Oskar Fenwick Gallery", other: "Fenwick Gallery", metres: 60),
        NamePair(one: "Community Hospital", other: "Community Hospital", metres: 60),
        NamePair(one: "Vuono", other: "Vuono Helsinki", metres: 40, kinds: ("shop/clothes", "shopping")),
        NamePair(one: "Vuono", other: "Vuono Flagship Store", metres: 40, kinds: ("shop/clothes", "shopping")),
        NamePair(one: "Kuunari", other: "KUUNARI JAPANESE FUSION", metres: 40, kinds: ("restaurant", "cafe")),
        NamePair(one: "Tuuli Grill", other: "TUULI GRILL/SOUTH ROOM 12", metres: 5, kinds: ("", "cafe")),
        NamePair(one: "Fen Corner", other: "Fenkulma – Fen Corner", metres: 20, kinds: ("cafe", "cafe")),
        NamePair(one: "Kahvila Kuu (Keskusta)", other: "Kuu Old Town", metres: 20, kinds: ("cafe", "cafe")),
        NamePair(one: "Harbour Grill # 16", other: "Harbour Grill", metres: 60),
        NamePair(one: "Grill# Fenwick", other: "Fenwick Grill", metres: 60),
        NamePair(one: "Tarn", other: "Tarn Post Office", metres: 50, kinds: ("post office", "amenity/post_office")),
        NamePair(one: "Tarn Stadtbibliothek", other: "Tarn Library", metres: 50),
        NamePair(one: "1st Baptist Church of Tarn", other: "First Baptist Church of Tarn", metres: 50),
        NamePair(one: "Lindohlm Bakery", other: "Lindholm Bakery", metres: 50),
        NamePair(one: "Fenn's Coffee Shop", other: "Fenn Coffee", metres: 50),
        NamePair(one: "Fen Lane", other: "Fen Lane", metres: 6, kinds: ("amenity/cafe", "shop/bakery")),
        NamePair(one: "Red Barn", other: "Red Barn", metres: 6, kinds: ("amenity/theatre", "tourism/gallery")),
        NamePair(one: "Marlow & Daughters", other: "Marlow and Daughters", metres: 6, kinds: ("cafe", "shop/deli")),
        NamePair(
            one: "Fenwick Star Hotel", other: "Fenwick Star Hotel", metres: 6, kinds: ("tourism/hotel", "restaurant")),
        NamePair(
            one: "Blue Lantern", other: "Blue Lantern", metres: 6, kinds: ("amenity/bar", "nightlife/music venue")),
        NamePair(one: "Tarn Hall", other: "Tarn Hall", metres: 6, kinds: ("amenity/library", "education/college")),
        NamePair(one: "Chapel", other: "Restaurant Chapel", metres: 5, kinds: ("restaurant", "restaurant")),
    ]

    static let different: [NamePair] = [
        NamePair(one: "", other: "", metres: 0),
        NamePair(one: "", other: "Cafe Ilta", metres: 0, kinds: ("amenity/cafe", "amenity/cafe")),
        NamePair(one: "…", other: "…", metres: 0),
        NamePair(one: "The", other: "The", metres: 0),
        NamePair(one: "Lidlo", other: "Lidlo", metres: 170),
        NamePair(one: "Gate 5", other: "Gate 6", metres: 15),
        NamePair(one: "Gate 5", other: "Gate", metres: 15),
        NamePair(one: "Bistro 22", other: "Bistro 21", metres: 5),
        NamePair(one: "Hotel Sininen", other: "Ravintola Sininen", metres: 5),
        NamePair(one: "Hotel Sininen", other: "Hotel Sininen Restaurant", metres: 5),
        NamePair(one: "Rex", other: "Rex", metres: 10, kinds: ("amenity/restaurant", "tourism/hotel")),
        NamePair(one: "Lampputori", other: "Lampputori", metres: 30, kinds: ("railway/station", "place/square")),
        NamePair(one: "Anna Blomquist", other: "Anna Blomquist", metres: 6, kinds: ("amenity/cafe", "amenity/theatre")),
        NamePair(one: "Golden Fen Star", other: "Golden Fen Star", metres: 0, kinds: ("restaurant", "tourism/hotel")),
        NamePair(
            one: "Saint Olaf", other: "St. Olaf", metres: 20, kinds: ("amenity/place_of_worship", "amenity/school")),
        NamePair(
            one: "Tarn Rope Works", other: "Tarn Rope Works", metres: 10, kinds: ("tourism/museum", "amenity/cafe")),
        NamePair(one: "Tarn Museum", other: "Tarn Museum", metres: 10, kinds: ("tourism/museum", "highway/bus_stop")),
        NamePair(one: "Fen Lane Stores", other: "Fen Lane Stores", metres: 5, kinds: ("amenity/parking", "shop/mall")),
        NamePair(one: "Mill House", other: "Mill House", metres: 5, kinds: ("amenity/fuel", "amenity/pub")),
        NamePair(one: "مقهى النجمة", other: "مقهى القمر", metres: 20),
        NamePair(one: "Nordic Bank ATM", other: "Nordic Bank", metres: 15),
        NamePair(one: "Blue Door Hostel", other: "Blue Door Cafe", metres: 5),
        NamePair(one: "Vinetu Books", other: "Vinetu Wines", metres: 5),
        NamePair(one: "Old Mill", other: "New Mill", metres: 20),
        NamePair(one: "St Brandan Hospital", other: "St Brandan Hospital Pharmacy", metres: 50),
        NamePair(one: "St Brandan Hospital", other: "Surgicentre at St Brandan Hospital", metres: 50),
        NamePair(one: "Tarn County Museum", other: "Tarn County Courthouse", metres: 50),
        NamePair(one: "Tarn Museum of Art", other: "Tarn Museum of Rope", metres: 50),
        NamePair(one: "Fenwick Brewing Co", other: "Fenwick Motors Co", metres: 50),
        NamePair(one: "First Baptist Church of Tarn", other: "Second Baptist Church of Tarn", metres: 50),
        NamePair(one: "Community Hospital", other: "Community Clinic", metres: 50),
        NamePair(one: "Vuono", other: "Vuono Helsinki", metres: 100, kinds: ("shop/clothes", "shopping")),
        NamePair(one: "Vuono", other: "Vuono Helsinki", metres: 20, kinds: ("amenity/parking", "")),
        NamePair(one: "Tarn 14", other: "Local 14", metres: 20, kinds: ("cafe", "cafe")),
        NamePair(one: "Lake School @ Tarn School", other: "Tarn School", metres: 20),
        NamePair(one: "Elm Square / 7th Street", other: "ELM SQUARE", metres: 20, kinds: ("bicycle_rental", "mall")),
        NamePair(one: "Bethel Church", other: "Bethel Church Nursery", metres: 5, kinds: ("church", "kindergarten")),
        NamePair(one: "Nordic Bank - Elm Street", other: "Nordic Bank - Oak Street", metres: 60),
    ]
}
