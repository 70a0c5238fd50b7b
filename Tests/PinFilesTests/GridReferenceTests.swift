import FeatureFiles
import Geo
import TestTools
import Testing

@Suite("P57 Points by squares of metres")
struct GridReferenceTests {
    /// As PROJ and GeoTrans write these points, in all bands and halves, at the edges of zones and in the wider ones of
    /// Norway.
    private static let points: [(mgrs: String, utm: String, latitude: Double, longitude: Double)] = [
        ("35VLG8561172118", "35V 385611.32 6672118.38", 60.1699, 24.9384),
        ("17TPJ3008433438", "17T 630084.30 4833438.59", 43.642567, -79.387139),
        ("56HLH3490052288", "56H 334900.57 6252288.75", -33.8568, 151.2153),
        ("36NSF8831655331", "36N 188316.99 55331.54", 0.5, 30.2),
        ("17MQV7826544681", "17M 778265.78 9944681.96", -0.5, -78.5),
        ("33XWG1427883355", "33X 514278.72 8683355.47", 78.2232, 15.6267),
        ("32VKN9735300648", "32V 297353.93 6700648.35", 60.3913, 5.3221),
        ("19FEV4480527029", "19F 544805.10 3927029.88", -54.8019, -68.303),
        ("04QFJ1841756542", "04Q 618417.09 2356542.46", 21.3069, -157.8583),
        ("30UYC0821307235", "30U 708213.49 5707235.66", 51.4779, -0.0015),
        ("27WVM5413813689", "27W 454138.38 7113689.87", 64.1466, -21.9426),
        ("60HUE0057819598", "60H 300578.74 5919598.79", -36.8485, 174.7633),
        ("48NUG6870049479", "48N 368700.27 149479.87", 1.3521, 103.8198),
    ]

    @Test("are where PROJ has them, to a metre of the square and to a centimetre of UTM")
    func places() throws {
        for (mgrs, utm, latitude, longitude) in Self.points {
            for (text, tolerance) in [(mgrs, 3e-5), (mgrs.lowercased(), 3e-5), (utm, 2e-7)] {
                let point = try #require(WrittenPoint.point(text), "\(text)")
                #expect(
                    abs(point.latitude - latitude) < tolerance && abs(point.longitude - longitude) < tolerance * 4,
                    "\(text): \(point)")
            }
        }
    }

    @Test(
        "are understood as people space and label them",
        arguments: [
            "35V LG 85611 72118", "35VLG 8561172118", "35 V LG 8561 7211", "UTM 35V 385611 6672118",
            "35V 385611mE 6672118mN", "Zone 35 N, E: 385611 m, N: 6672118 m", "35N 6672118N 385611E",
            "35v 385611 6672118",
        ])
    func spaced(text: String) throws {
        let point = try #require(WrittenPoint.point(text))
        #expect(abs(point.latitude - 60.1699) < 2e-4 && abs(point.longitude - 24.9384) < 2e-4, "\(point)")
    }

    @Test("a shorter reference names the middle of a larger square")
    func coarse() throws {
        let point = try #require(WrittenPoint.point("35VLG8572"))
        #expect(abs(point.latitude - 60.173_293) < 1e-6 && abs(point.longitude - 24.936_180) < 1e-6, "\(point)")
    }

    @Test(
        "what may be another place, or none, is none",
        arguments: [
            // The southern half, or the band around Tokyo.
            "54S 386437 3946808", "35VLG", "35VLG8", "35VLG856", "61VLG8561172118", "35ILG8561172118",
            "35VAG8561172118",
            "35CLG8561172118", "35V 385611", "35V 6672118 385611", "35V 385611 6672118 5", "35T 385611 6672118",
            "0V 1 2",
            "35V 385611E 6672118E", "35V nan inf", "35V 99 6672118", "12 Main Street 1234 5678", "1012 AB 12 34",
        ])
    func doubts(text: String) { #expect(WrittenPoint.point(text) == nil) }
}
