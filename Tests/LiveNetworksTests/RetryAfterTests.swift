import HTTPClient
import LiveNetworks
import Testing

@Suite("P14 How long a network asks to be left alone")
struct RetryAfterTests {
    /// 2024-07-03T09:46:40Z
    private static let now: Int64 = 1_720_000_000_000

    @Test("a wait that is asked for is at most a day, and never negative")
    func waits() {
        func wait(_ headers: [String: String]) -> Int64? {
            RetryAfter.milliseconds(HTTPClientResponse(status: 429, headers: headers), at: Self.now)
        }
        #expect(wait(["retry-after": "99999999999"]) == 86_400_000)
        #expect(wait(["retry-after": "-5"]) == 0)
        #expect(wait(["retry-after": "Wed, 03 Jul 2024 09:47:10 GMT"]) == 30_000)
        #expect(wait(["retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"]) == 86_400_000)
        #expect(wait(["retry-after": "Wed, 03 Jul 2024 09:46:10 GMT"]) == 0)
        #expect(wait(["retry-after": "later", "x-ratelimit-reset": "60"]) == 60_000)
        #expect(wait(["retry-after": "later"]) == nil)
        #expect(wait(["x-ratelimit-reset": "60"]) == 60_000)
        #expect(wait(["x-ratelimit-reset": "1000000001"]) == 0)
        #expect(wait([:]) == nil)
    }
}
