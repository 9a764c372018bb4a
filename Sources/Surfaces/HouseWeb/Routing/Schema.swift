/// A JSON value whose objects keep their order, for generated documents.
indirect enum JSONValue: Sendable, Equatable {
    case string(String)
    case integer(Int)
    case bool(Bool)
    case array([JSONValue])
    case object([(String, JSONValue)])

    static func == (left: JSONValue, right: JSONValue) -> Bool { left.text == right.text }

    /// The JSON text.
    var text: String {
        switch self {
        case .string(let string): Self.quoted(string)
        case .integer(let number): String(number)
        case .bool(let bool): bool ? "true" : "false"
        case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0.0) + ":" + $0.1.text }.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\" + String(scalar)
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

/// The form of a JSON value in a request, as the generated documents show it.
indirect enum Schema: Sendable {
    /// A member of an object.
    struct Field: Sendable {
        let name: String
        let schema: Schema
        let isRequired: Bool

        static func required(_ name: String, _ schema: Schema) -> Field {
            Field(name: name, schema: schema, isRequired: true)
        }

        static func optional(_ name: String, _ schema: Schema) -> Field {
            Field(name: name, schema: schema, isRequired: false)
        }
    }

    case text(String)
    case choice([String])
    case number(String)
    case integer(String)
    case bool(String)
    case list(Schema)
    case object([Field])
    case either([Schema])
    /// The schema, or `null`.
    case orNull(Schema)

    /// The schema in JSON Schema's words.
    var json: JSONValue {
        switch self {
        case .text(let description): Self.simple("string", description)
        case .number(let description): Self.simple("number", description)
        case .integer(let description): Self.simple("integer", description)
        case .bool(let description): Self.simple("boolean", description)
        case .choice(let words):
            .object([("type", .string("string")), ("enum", .array(words.map(JSONValue.string)))])
        case .list(let item): .object([("type", .string("array")), ("items", item.json)])
        case .object(let fields): Self.object(fields)
        case .either(let schemas): .object([("oneOf", .array(schemas.map(\.json)))])
        case .orNull(let schema):
            .object([("oneOf", .array([schema.json, .object([("type", .string("null"))])]))])
        }
    }

    /// The schema in one line for people.
    var summary: String {
        switch self {
        case .text: "text"
        case .number: "number"
        case .integer: "whole number"
        case .bool: "true or false"
        case .choice(let words): words.map { "\"\($0)\"" }.joined(separator: " or ")
        case .list(let item): "[\(item.summary), …]"
        case .either(let schemas): schemas.map(\.summary).joined(separator: " or ")
        case .orNull(let schema): schema.summary + " or null"
        case .object(let fields):
            "{"
                + fields.map { "\"\($0.name)\"\($0.isRequired ? "" : "?"): \($0.schema.summary)" }
                .joined(separator: ", ") + "}"
        }
    }

    private static func simple(_ type: String, _ description: String) -> JSONValue {
        var members: [(String, JSONValue)] = [("type", .string(type))]
        if !description.isEmpty { members.append(("description", .string(description))) }
        return .object(members)
    }

    private static func object(_ fields: [Field]) -> JSONValue {
        var members: [(String, JSONValue)] = [("type", .string("object"))]
        let required = fields.filter(\.isRequired).map { JSONValue.string($0.name) }
        if !required.isEmpty { members.append(("required", .array(required))) }
        members.append(("properties", .object(fields.map { ($0.name, $0.schema.json) })))
        return .object(members)
    }
}
