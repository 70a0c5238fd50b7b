import Contracts

/// The HTTP side besides the calls, in OpenAPI.
enum OpenAPIPages {
    static let paths: [String: JSONTree] = [
        "/events": .object(["get": events]), "/pictures/{ticket}": .object(["get": picture]),
        "/maps/{pinId}": .object(["get": map]), "/albums/{pinId}.zip": .object(["get": album]),
        "/session": .object(["post": login, "delete": logout]),
    ]

    private static let events: JSONTree = .object([
        "operationId": .text("events"),
        "description": .text(
            "Watches as Server-Sent Events, all of a client in one stream. The data of an event is "
                + #"{"watch": <index>, "message": …}, or {"watch": …, "error": …}, or {"watch": …, "end": true}."#),
        "parameters": .list([
            .object([
                "name": .text("watch"), "in": .text("query"), "required": .flag(true),
                "description": .text(
                    "<package.Service>/<Method>, with the request as JSON behind a colon. The method's request has "
                        + "from_version, its answer version."),
                "schema": .object([
                    "type": .text("array"), "minItems": .number(1),
                    "maxItems": .number(Int128(EventStreams.watchLimit)),
                    "items": .object(["type": .text("string")]),
                ]), "style": .text("form"), "explode": .flag(true),
            ]),
            .object([
                "name": .text("Last-Event-ID"), "in": .text("header"),
                "description": .text(
                    "The id of the last event; the same watches resume after it. Any other text starts over."),
                "schema": .object(["type": .text("string")]),
            ]),
        ]),
        "responses": responses(OpenAPIErrors.ofEvents, ["200": content("Events.", "text/event-stream")]),
    ])

    private static let picture: JSONTree = .object([
        "operationId": .text("picture"),
        "description": .text(
            """
            A picture, by the relative URL that its photo has; as WebP where that is smaller and Accept names it. It \
            has an ETag; one range of bytes may be asked for.
            """),
        "parameters": .list([
            .object([
                "name": .text("ticket"), "in": .text("path"), "required": .flag(true),
                "description": .text("Of this deployment and not expired; there is nothing at any other one."),
                "schema": .object(["type": .text("string")]),
            ])
        ]),
        "responses": responses(
            OpenAPIErrors.ofPictures,
            [
                "200": content("The picture.", "image/jpeg", "image/webp"),
                "206": content("A part of it.", "image/jpeg", "image/webp"),
                "304": .object(["description": .text("It is still the same."), "headers": OpenAPIErrors.headers]),
            ]),
    ])

    private static let map: JSONTree = .object([
        "operationId": .text("map"),
        "description": .text(
            "The picture of MapService/GetPinMap, for an <img>. It has an ETag; one range of bytes may be asked for."),
        "parameters": .list([
            .object([
                "name": .text("pinId"), "in": .text("path"), "required": .flag(true),
                "schema": .object(["type": .text("string"), "format": .text("uuid")]),
            ]),
            parameter(
                "spanDegrees", "number", .real(GetPinMapRequest.spanDegreesRange.lowerBound),
                .real(GetPinMapRequest.spanDegreesRange.upperBound)),
            parameter("width", GetPinMapRequest.widthRange), parameter("height", GetPinMapRequest.heightRange),
            parameter("scale", GetPinMapRequest.scaleRange),
        ]),
        "responses": responses(
            OpenAPIErrors.ofMaps,
            [
                "200": content("The picture.", "image/png"), "206": content("A part of it.", "image/png"),
                "304": .object(["description": .text("It is still the same."), "headers": OpenAPIErrors.headers]),
            ]),
    ])

    private static let album: JSONTree = .object([
        "operationId": .text("album"),
        "description": .text(
            """
            A pin's album as a ZIP that opens in a browser: the pictures, a page with who made each and under which \
            licence, a manifest. An album of which no picture can be had is refused with failed_precondition. An \
            archive that breaks off is not ended as HTTP ends an answer.
            """),
        "parameters": .list([
            .object([
                "name": .text("pinId"), "in": .text("path"), "required": .flag(true),
                "schema": .object(["type": .text("string"), "format": .text("uuid")]),
            ])
        ]),
        "responses": responses(OpenAPIErrors.ofAlbums, ["200": content("The archive.", "application/zip")]),
    ])

    private static func parameter(_ name: String, _ range: ClosedRange<UInt32>) -> JSONTree {
        parameter(name, "integer", .number(Int128(range.lowerBound)), .number(Int128(range.upperBound)))
    }

    /// One that may be left out of the query.
    private static func parameter(
        _ name: String, _ type: String, _ minimum: JSONTree, _ maximum: JSONTree
    ) -> JSONTree {
        .object([
            "name": .text(name), "in": .text("query"),
            "schema": .object(["type": .text(type), "minimum": minimum, "maximum": maximum]),
        ])
    }

    private static let login: JSONTree = .object([
        "operationId": .text("login"),
        "description": .text(
            "Keeps a token in a cookie that no script can read: a given one, or that of a link that logs in once."),
        "requestBody": .object([
            "required": .flag(true),
            "content": .object([
                "application/json": .object([
                    "schema": .object(["oneOf": .list([proof("token"), proof("link")])])
                ])
            ]),
        ]), "responses": responses(OpenAPIErrors.ofLogin, ["204": changed("The cookie is set.")]),
    ])

    /// A body with one member.
    private static func proof(_ member: String) -> JSONTree {
        .object([
            "type": .text("object"), "required": .list([.text(member)]), "additionalProperties": .flag(false),
            "properties": .object([member: .object(["type": .text("string"), "maxLength": .number(500)])]),
        ])
    }

    private static let logout: JSONTree = .object([
        "operationId": .text("logout"), "description": .text("Removes the cookie, if there is one."),
        "responses": responses(OpenAPIErrors.ofLogout, ["204": changed("The cookie is deleted.")]),
    ])

    // MARK: parameters

    /// By the name that operations refer to.
    static let parameters: [String: JSONTree] = [
        "Timeout": .object([
            "name": .text("Connect-Timeout-Ms"), "in": .text("header"),
            "description": .text(
                "How long the caller waits, in milliseconds; 30,000 when not given. A call that takes longer ends "
                    + "with deadline_exceeded (504)."),
            "schema": .object([
                "type": .text("integer"), "minimum": .number(1), "maximum": .number(Int128(CallTimeout.longest)),
            ]),
        ]),
        "Version": .object([
            "name": .text("Connect-Protocol-Version"), "in": .text("header"),
            "schema": .object(["type": .text("string"), "const": .text("1")]),
        ]),
        "connect": .object([
            "name": .text("connect"), "in": .text("query"), "description": .text("The version of the protocol."),
            "schema": .object(["type": .text("string"), "const": .text("v1")]),
        ]),
        "encoding": .object([
            "name": .text("encoding"), "in": .text("query"),
            "description": .text(
                "How the message is written. With proto it is protobuf in base64, and base64=1 says so; "
                    + "compression=gzip that it is packed."),
            "schema": .object(["type": .text("string"), "const": .text("json")]),
        ]),
    ]

    private static func responses(_ errors: [Int], _ good: [String: JSONTree]) -> JSONTree {
        .object(OpenAPIErrors.references(errors).merging(good) { _, own in own })
    }

    private static func content(_ description: String, _ types: String...) -> JSONTree {
        .object([
            "description": .text(description), "headers": OpenAPIErrors.headers,
            "content": .object(Dictionary(uniqueKeysWithValues: types.map { ($0, .object([:])) })),
        ])
    }

    /// An answer without a body that sets the cookie, or removes it.
    private static func changed(_ description: String) -> JSONTree {
        .object(["description": .text(description), "headers": OpenAPIErrors.headers])
    }
}
