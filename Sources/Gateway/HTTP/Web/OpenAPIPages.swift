import RPC

/// The HTTP side besides the calls, in OpenAPI.
enum OpenAPIPages {
    static let paths: [String: JSONTree] = [
        "/events": .object([
            "get": .object([
                "operationId": .text("events"),
                "description": .text(
                    "Watches as Server-Sent Events, all of a client in one stream. The data of an event is "
                        + #"{"watch": <index>, "message": …}, or {"watch": …, "error": …}, or {"watch": …, "end": true}."#
                ),
                "parameters": .list([
                    .object([
                        "name": .text("watch"), "in": .text("query"), "required": .flag(true),
                        "description": .text(
                            "<package.Service>/<Method>, with the request as JSON behind a colon; up to 32 times. The "
                                + "method's request has from_version, its answer version."),
                        "schema": .object(["type": .text("array"), "items": .object(["type": .text("string")])]),
                        "style": .text("form"), "explode": .flag(true),
                    ]),
                    .object([
                        "name": .text("Last-Event-ID"), "in": .text("header"),
                        "description": .text("The id of the last event; the same watches resume after it."),
                        "schema": .object(["type": .text("string")]),
                    ]),
                ]),
                "responses": .object([
                    "200": response("Events.", "text/event-stream"),
                    "default": .object(["$ref": .text("#/components/responses/Error")]),
                ]),
            ])
        ]),
        "/pictures/{ticket}": .object([
            "get": .object([
                "operationId": .text("picture"),
                "description": .text("A picture, by the relative URL that its photo has. ETag, ranges, 304."),
                "parameters": .list([
                    .object([
                        "name": .text("ticket"), "in": .text("path"), "required": .flag(true),
                        "schema": .object(["type": .text("string")]),
                    ])
                ]),
                "responses": .object([
                    "200": response("The picture.", "image/jpeg"), "206": response("A part of it.", "image/jpeg"),
                    "304": .object(["description": .text("It is still the same.")]),
                    "404": .object(["description": .text("The ticket is not of this deployment, or has expired.")]),
                ]),
            ])
        ]),
        "/session": .object([
            "post": .object([
                "operationId": .text("login"),
                "description": .text(
                    "Keeps a token in a cookie that no script can read: a given one, or that of a link that logs in once."
                ),
                "requestBody": .object([
                    "required": .flag(true),
                    "content": .object([
                        "application/json": .object([
                            "schema": .object([
                                "oneOf": .list([login("token"), login("link")])
                            ])
                        ])
                    ]),
                ]),
                "responses": .object([
                    "204": .object(["description": .text("The cookie is set.")]),
                    "401": .object(["description": .text("The token is not known, or the link is spent or too old.")]),
                ]),
            ]),
            "delete": .object([
                "operationId": .text("logout"),
                "responses": .object(["204": .object(["description": .text("The cookie is deleted.")])]),
            ]),
        ]),
    ]

    /// A body with one member.
    private static func login(_ member: String) -> JSONTree {
        .object([
            "type": .text("object"), "required": .list([.text(member)]),
            "properties": .object([member: .object(["type": .text("string")])]),
        ])
    }

    static let timeout: JSONTree = .object([
        "name": .text("Connect-Timeout-Ms"), "in": .text("header"),
        "description": .text("How long the caller waits, in milliseconds; 30,000 when not given."),
        "schema": .object(["type": .text("integer"), "minimum": .number(1), "maximum": .number(9_999_999_999)]),
    ])

    static let error: JSONTree = .object([
        "description": .text("The call failed; the status of HTTP follows from the code."),
        "content": .object(["application/json": .object(["schema": OpenAPI.reference("ConnectError")])]),
    ])

    static let connectError: JSONTree = .object([
        "type": .text("object"),
        "properties": .object([
            "code": .object([
                "type": .text("string"),
                "enum": .list(RPCCode.allCases.filter { $0 != .ok }.map { .text($0.connectName) }),
            ]),
            "message": .object(["type": .text("string")]),
            "details": .object([
                "type": .text("array"),
                "items": .object([
                    "type": .text("object"),
                    "properties": .object([
                        "type": .object(["type": .text("string")]),
                        "value": .object(["type": .text("string"), "contentEncoding": .text("base64")]),
                        "debug": .object(["type": .text("object")]),
                    ]),
                ]),
            ]),
        ]),
    ])

    private static func response(_ description: String, _ type: String) -> JSONTree {
        .object(["description": .text(description), "content": .object([type: .object([:])])])
    }
}
