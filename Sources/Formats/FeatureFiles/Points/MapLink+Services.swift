internal import Bytes
internal import Geo

// Links of services, each as its own documents and its pages' addresses have them.
extension MapLink {
    static let apple = Form(
        name: "Apple Maps",
        examples: [
            ("https://maps.apple.com/?ll=60.1699,24.9384&q=Amos%20Rex", 60.1699, 24.9384),
            ("https://maps.apple.com/place?coordinate=60.1699,24.9384&name=x", 60.1699, 24.9384),
            ("https://maps.apple.com/frame?center=60.1699,24.9384&span=0.1,0.1", 60.1699, 24.9384),
        ],
        owns: { $0.isAt("maps.apple.com") || $0.scheme == "maps" },
        point: { $0.point("coordinate", "ll", "q", "daddr", "address", "center", "sll", "near") })

    /// "cp" has "~" between its degrees, "sp" a mark's with "_" and its name behind them.
    static let bing = Form(
        name: "Bing Maps",
        examples: [
            ("https://www.bing.com/maps?cp=60.1699~24.9384&lvl=15", 60.1699, 24.9384),
            ("https://bing.com/maps/default.aspx?cp=1~2&sp=point.60.1699_24.9384_Cafe%20X", 60.1699, 24.9384),
            ("https://www.bing.com/maps?where1=60.1699%2C24.9384&cp=1~2", 60.1699, 24.9384),
        ],
        owns: { $0.isAt("bing.com") && $0.path.begins(with: "/maps") },
        point: { link in
            if let mark = link["sp"]?.after("point.") {
                let parts = mark.split(at: "_")
                return parts.count >= 2 ? NumberPair.point("\(parts[0]),\(parts[1])") : nil
            }
            if let point = link.point("where1", "q") { return point }
            return link["cp"].flatMap { $0.halves(at: "~") }.flatMap { NumberPair.point("\($0.0),\($0.1)") }
        },
        marks: { link in
            (link["sp"] ?? "").split(at: "~").compactMap { mark in
                let parts = (mark.after("point.") ?? "").split(at: "_")
                return parts.count >= 2 ? NumberPair.point("\(parts[0]),\(parts[1])") : nil
            }
        })

    /// Degrees east come first in "ll" and "pt", last in "rtext" and "text".
    static let yandex = Form(
        name: "Yandex Maps",
        examples: [
            ("https://yandex.ru/maps/?ll=24.9384%2C60.1699&z=15", 60.1699, 24.9384),
            ("https://yandex.com/maps/10493/helsinki/?ll=1,2&pt=24.9384,60.1699,pm2rdm&z=12", 60.1699, 24.9384),
            ("https://yandex.com/maps/?whatshere%5Bpoint%5D=24.9384,60.1699&ll=1,2", 60.1699, 24.9384),
            ("https://yandex.com/maps/?rtext=1.5,2.5~60.1699,24.9384&rtt=auto", 60.1699, 24.9384),
        ],
        owns: { link in
            let labels = link.host.split(at: ".")
            return link.scheme == "yandexmaps"
                || link.scheme.isEmpty && (labels.first == "yandex" || labels.dropFirst().first == "yandex")
                    && link.path.begins(with: "/maps")
        },
        point: { link in
            if let way = link["rtext"] { return way.split(at: "~").last.flatMap { NumberPair.point($0) } }
            return link.turnedPoint("pt", "whatshere[point]", "poi[point]") ?? link.point("text")
                ?? link.turnedPoint("ll")
        },
        marks: { link in
            (link["pt"] ?? "").split(at: "~").compactMap { mark in
                let parts = mark.split(at: ",")
                return parts.count >= 2 ? NumberPair.point("\(parts[1]),\(parts[0])") : nil
            }
        })

    static let here = Form(
        name: "HERE WeGo",
        examples: [
            ("https://wego.here.com/?map=60.1699,24.9384,15,normal", 60.1699, 24.9384),
            ("https://share.here.com/l/60.1699,24.9384,Cafe?z=15", 60.1699, 24.9384),
            ("https://wego.here.com/directions/mix//Cafe:60.1699,24.9384?map=1,2,5,normal", 60.1699, 24.9384),
        ],
        owns: { $0.isAt("wego.here.com", "share.here.com", "her.is") },
        point: { link in
            let parts = link.parts
            if parts.first?.isSame(as: "l") == true, let place = parts.dropFirst().first {
                return NumberPair.leading(place)?.point
            }
            if parts.first?.isSame(as: "directions") == true, let end = parts.last?.halves(atLast: ":")?.1 {
                return NumberPair.point(end)
            }
            return link["map"].flatMap { NumberPair.leading($0[...])?.point }
        })

    static let waze = Form(
        name: "Waze",
        examples: [
            ("https://www.waze.com/ul?ll=60.1699%2C24.9384&navigate=yes", 60.1699, 24.9384),
            ("https://waze.com/live-map/directions?to=ll.60.1699%2C24.9384", 60.1699, 24.9384),
            ("https://www.waze.com/live-map/directions?latlng=60.1699%2C24.9384", 60.1699, 24.9384),
            ("waze://?ll=60.1699,24.9384&navigate=yes", 60.1699, 24.9384),
        ],
        owns: { $0.isAt("waze.com") || $0.scheme == "waze" },
        point: { link in
            if let to = link["to"]?.after("ll.") { return NumberPair.point(to) }
            return link.point("ll", "latlng")
        })

    /// "x" is east, "y" north; a place's "id" has east first too.
    static let mapy = Form(
        name: "Mapy.com",
        examples: [
            ("https://mapy.cz/zakladni?x=24.9384&y=60.1699&z=15", 60.1699, 24.9384),
            ("https://mapy.com/en/turisticka?source=coor&id=24.9384%2C60.1699&x=1&y=2&z=15", 60.1699, 24.9384),
        ],
        owns: { $0.isAt("mapy.cz", "mapy.com") },
        point: { link in
            if link["source"] == "coor", let point = link.turnedPoint("id") { return point }
            guard let east = link["x"], let north = link["y"] else { return nil }
            return NumberPair.point("\(north),\(east)")
        })

    /// A point as "ll", or in a code.
    static let organicMaps = Form(
        name: "Organic Maps, MAPS.ME",
        examples: [
            ("om://map?v=1&ll=60.1699,24.9384&n=Cafe", 60.1699, 24.9384),
            ("https://omaps.app/B4srhdHVVt/Some_Name", 64.523_4, 12.123_4),
            ("ge0://B4srhdHVVt/Some_Name", 64.523_4, 12.123_4),
        ],
        owns: { link in
            ["om", "ge0", "mapsme", "mapswithme"].contains(link.scheme) || link.isAt("omaps.app", "ge0.me", "comaps.at")
        },
        point: { link in
            if let point = link.point("ll") { return point }
            return (link.scheme.isEmpty ? link.parts.first : link.name[...]).flatMap { CellCode.organicMaps($0) }
        })

    static let osmAnd = Form(
        name: "OsmAnd",
        examples: [
            ("https://osmand.net/map?pin=60.1699,24.9384#15/1/2", 60.1699, 24.9384),
            ("https://osmand.net/go?lat=60.1699&lon=24.9384&z=15", 60.1699, 24.9384),
            ("https://osmand.net/map/#15/60.1699/24.9384", 60.1699, 24.9384),
        ],
        owns: { $0.isAt("osmand.net") },
        point: { link in
            if let point = link.point("pin", "finish") { return point }
            if let north = link["lat"], let east = link["lon"] { return NumberPair.point("\(north),\(east)") }
            return ViewFragment.point(link.fragment)
        })

    /// What Wikipedia's positions lead to: degrees, minutes and seconds with "_" between them.
    static let geoHack = Form(
        name: "GeoHack",
        examples: [
            (
                "https://geohack.toolforge.org/geohack.php?pagename=X&params=60_10_11.64_N_24_56_18.24_E_type:landmark",
                60.1699, 24.9384
            ),
            ("https://geohack.toolforge.org/geohack.php?params=33.8568_S_151.2153_E", -33.8568, 151.2153),
        ],
        owns: { $0.isAt("geohack.toolforge.org", "tools.wmflabs.org", "geohack.wmflabs.org") },
        point: { link in
            let parts = (link["params"] ?? "").split(at: "_")
            guard let north = parts.firstIndex(where: { $0.isSame(as: "N") || $0.isSame(as: "S") }),
                let east = parts.firstIndex(where: { $0.isSame(as: "E") || $0.isSame(as: "W") }), east > north
            else { return nil }
            return DegreesText.point(parts[...east].joined(separator: " "))
        })
}
