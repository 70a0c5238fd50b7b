/// Does the same for each element, a few at once, and gives what came of it in the order in which it came. For filling
/// a server, which refuses what would have to wait for too long.
package func concurrently<Element: Sendable, Value: Sendable>(
    _ elements: some Sequence<Element>, atMost width: Int = 16,
    _ work: @escaping @Sendable (Element) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: Value.self) { group in
        var values: [Value] = []
        for (number, element) in elements.enumerated() {
            if number >= width, let value = try await group.next() { values.append(value) }
            group.addTask { try await work(element) }
        }
        for try await value in group { values.append(value) }
        return values
    }
}
