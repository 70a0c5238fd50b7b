package import ProtoSchema
package import Wire

/// Converts JSON to packed messages and back, by the canonical JSON mapping of proto3
/// (https://protobuf.dev/programming-guides/json/), driven by descriptors alone.
///
/// The parts of the message are read from and written into protobuf-c's C structs, and protobuf-c packs and unpacks.
package struct WireJSON: Sendable {
    private let plans: MessagePlans

    /// For the messages of `schema` that are compiled into this program.
    /// - Parameter layout: finds protobuf-c's table of a message type by its full name.
    package init(
        _ schema: Schema = .embedded, layout: (String) -> MessageLayout? = { WireDescriptors.layout($0) }
    ) {
        plans = MessagePlans(schema, layout: layout)
    }

    /// The packed bytes of the message that `json` says.
    /// - Parameters:
    ///   - name: full name of the message type: "waymark.places.v1.NearbyRequest".
    ///   - budget: bytes of memory that the message may take while it is made.
    ///   - limit: bytes that it may pack into; more would fit into no frame.
    package func pack(
        json: [UInt8], as name: String, budget: Int = Wire.defaultBudget, limit: Int = Wire.maximumFrameBytes
    ) throws(WireJSONError) -> [UInt8] {
        let use = Arena.ofThread.begin(budget: budget)
        defer { use.end() }
        let reader = JSONReader(plans: plans, arena: use.arena, root: try plans.plan(name))
        let message = unsafe PackedMessage(try reader.message(json))
        guard message.byteCount <= limit else {
            throw WireJSONError(
                .overBudget, "the message packs into \(message.byteCount) bytes; \(limit) are allowed")
        }
        return message.bytes(in: .ofThread)
    }

    /// The JSON of a packed message.
    /// - Parameters:
    ///   - name: full name of the message type.
    ///   - budget: bytes of memory that the message may take while it is read.
    package func json(
        packed: [UInt8], of name: String, options: WireJSONOptions = [], budget: Int = Wire.defaultBudget
    ) throws(WireJSONError) -> [UInt8] {
        let use = Arena.ofThread.begin(budget: budget)
        defer { use.end() }
        let plan = try plans.plan(name)
        let root: UnsafeRawPointer
        do throws(WireError) {
            unsafe root = try use.arena.unpack(plan.layout, packed[...])
        } catch {
            throw WireJSONError(error)
        }
        let writer = JSONWriter(plans: plans, arena: use.arena, isSorted: options.contains(.sorted))
        return try unsafe writer.json(plan, root, isPretty: options.contains(.pretty))
    }
}

/// How JSON is laid out.
package struct WireJSONOptions: OptionSet, Sendable {
    /// The options as bits.
    package let rawValue: Int

    /// Options from their bits.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// On many lines, indented.
    package static let pretty = WireJSONOptions(rawValue: 1)
    /// The members of each object by name; otherwise in the order of the .proto.
    package static let sorted = WireJSONOptions(rawValue: 2)
}
