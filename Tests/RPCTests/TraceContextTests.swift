import RPC
import Testing

@Suite("W3C trace context")
struct TraceContextTests {
    private static let good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test("is read and written as it is")
    func roundTrip() throws {
        let context = try #require(TraceContext(Self.good))
        #expect(context.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(context.spanID == "00f067aa0ba902b7")
        #expect(context.isSampled)
        #expect(context.traceparent == Self.good)
    }

    @Test("keeps the zeros that ids begin with")
    func zeros() throws {
        let text = "00-00000000000000000000000000000001-0000000000000002-00"
        #expect(try #require(TraceContext(text)).traceparent == text)
    }

    @Test("the next hop has the same trace and the same flag, and a span of its own")
    func next() throws {
        let context = try #require(TraceContext(Self.good))
        let next = context.next
        #expect(next.trace == context.trace)
        #expect(next.isSampled)
        #expect(next.span != context.span)
        #expect(next.span != context.next.span)
    }

    @Test("of flags only the known one is passed on")
    func flags() throws {
        #expect(try #require(TraceContext(Self.good.dropLast(2) + "ff")).traceparent.hasSuffix("-01"))
        #expect(try #require(TraceContext(Self.good.dropLast(2) + "fe")).traceparent.hasSuffix("-00"))
    }

    @Test(
        "is read of a later version, whatever that has more of",
        arguments: ["cc\(good.dropFirst(2))", "cc\(good.dropFirst(2))-what-the-future-will-be-like"])
    func later(text: String) throws {
        #expect(try #require(TraceContext(text)).traceparent == Self.good)
    }

    @Test(
        "is none when malformed",
        arguments: [
            "", "00", String(good.dropLast()), good + "1", good + "-", good + "-00", good.uppercased(),
            "ff\(good.dropFirst(2))", "0g\(good.dropFirst(2))", "cc\(good.dropFirst(2))00",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7_01",
            "00-4bf92f3577b34da6a3ce929d0e0e473-600f067aa0ba902b7-01", "00-aa-bb-01",
            "00-é\(good.dropFirst(5))",
        ])
    func malformed(text: String) { #expect(TraceContext(text) == nil) }

    @Test("new ones are all different, and can be read")
    func new() {
        let made = (0..<10_000).map { _ in TraceContext.new() }
        #expect(Set(made.map(\.trace)).count == made.count)
        #expect(Set(made.map(\.span)).count == made.count)
        #expect(made.allSatisfy { TraceContext($0.traceparent) == $0 })
    }
}
