/// Kinds of things that stand in a street without being what one goes to: a stop, a parking machine, a bench, a house
/// of which nothing is known but its number. They count less in a search, and no one takes a picture of them: a photo
/// beside one is of something else.
package enum MinorKinds {
    /// Beginnings of categories, and how much less what is of one counts in a search than other places.
    package static let all: [(beginning: String, points: Double)] =
        [
            ("public_transport/stop_position", -0.9), ("public_transport/platform", -0.8), ("highway/", -0.7),
            ("entrance/", -0.9), ("barrier/", -0.9), ("amenity/parking", -0.7), ("amenity/bench", -0.9),
            ("amenity/waste", -0.9), ("amenity/recycling", -0.7), ("amenity/charging_station", -0.5),
        ] + others.map { ($0, 0) }

    /// Those that count in a search as others do.
    private static let others = [
        "address", "advertising", "amenity/atm", "amenity/bicycle_parking", "amenity/bicycle_rental",
        "amenity/bicycle_repair_station", "amenity/car_rental", "amenity/car_sharing", "amenity/compressed_air",
        "amenity/device_charging_station", "amenity/drinking_water", "amenity/fuel", "amenity/give_box",
        "amenity/grit_bin", "amenity/hydrant", "amenity/letter_box", "amenity/loading_dock", "amenity/lounger",
        "amenity/luggage_locker", "amenity/motorcycle_parking", "amenity/parcel_locker", "amenity/photo_booth",
        "amenity/post_box", "amenity/sanitary_dump_station", "amenity/scooter", "amenity/shower",
        "amenity/smoking_area", "amenity/table", "amenity/taxi", "amenity/telephone", "amenity/ticket_validator",
        "amenity/toilets", "amenity/trolley_bay", "amenity/vacuum_cleaner", "amenity/vending_machine",
        "amenity/water_point", "amenity/weighbridge", "emergency/", "leisure/picnic_table", "line/", "man_made/manhole",
        "man_made/monitoring_station", "man_made/planter", "man_made/street_cabinet", "man_made/surveillance",
        "man_made/utility_pole", "pipeline/", "power/", "public_transport/entrance", "public_transport/pole",
        "public_transport/stop_area", "railway/buffer_stop", "railway/crossing", "railway/level_crossing",
        "railway/platform", "railway/signal", "railway/stop", "railway/subway_entrance", "railway/switch",
        "railway/train_station_entrance", "railway/tram_level_crossing", "railway/tram_stop", "telecom/",
        "traffic_calming/", "traffic_sign",
    ]

    /// Whether all that a place is called is of these kinds: a memorial at a stop is a memorial. One of which nothing
    /// is known is none.
    package static func areAll(_ categories: [String]) -> Bool {
        !categories.isEmpty
            && categories.allSatisfy { category in
                all.contains { category.utf8.starts(with: $0.beginning.utf8) }
            }
    }
}
