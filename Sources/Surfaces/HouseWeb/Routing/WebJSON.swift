import Foundation
import TuttiHTTPService

/// JSON of the interface.
enum WebJSON {
    /// Encodes a value. Numbers that JSON lacks become text, so that no state is unspeakable.
    static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        // Cannot fail: the types are ours and hold no other values that JSON lacks.
        return Array((try? encoder.encode(value)) ?? Data("{}".utf8))
    }
}

extension HTTPResponse {
    /// Answers with a value as JSON.
    static func json(_ value: some Encodable) -> HTTPResponse { .json(bytes: WebJSON.encode(value)) }

    /// Answers with JSON.
    static func json(bytes: [UInt8]) -> HTTPResponse {
        var response = HTTPResponse(type: "application/json; charset=utf-8", body: bytes)
        response.headers["Cache-Control"] = "no-store"
        return response
    }

    /// Answers that it was done.
    static var done: HTTPResponse { .json(bytes: Array("{}".utf8)) }
}

/// The body of a request.
protocol RequestBody: Decodable, Sendable {
    /// The form for the generated documents.
    static var schema: Schema { get }
}

/// Decoding of bodies, with sentences that name the wrong field.
enum BodyDecoding {
    /// Decodes a body; unknown fields are ignored.
    static func decode<Body: RequestBody>(_ type: Body.Type, from bytes: [UInt8]) throws(Problem) -> Body {
        guard !bytes.isEmpty else {
            throw .invalid("The body is missing. It must be \(Body.schema.summary).")
        }
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let problem as Problem {
            throw problem
        } catch let error as DecodingError {
            throw .invalid(sentence(error))
        } catch {
            throw .invalid("The body is not JSON.")
        }
    }

    private static func sentence(_ error: DecodingError) -> String {
        switch error {
        case .typeMismatch(let type, let context):
            "\(field(context.codingPath)) must be \(word(for: type))."
        case .valueNotFound(let type, let context):
            "\(field(context.codingPath)) must be \(word(for: type)), not null."
        case .keyNotFound(let key, let context):
            "\(field(context.codingPath + [key])) is missing."
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            "\(field(context.codingPath)) has a value that is not allowed. \(context.debugDescription)"
        case .dataCorrupted(let context): "The body cannot be read. \(context.debugDescription)"
        default: "The body is not JSON."
        }
    }

    private static func field(_ path: [any CodingKey]) -> String {
        guard !path.isEmpty else { return "The body" }
        let text = path.reduce("") { text, key in
            if let index = key.intValue {
                text + "[\(index)]"
            } else {
                text + (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
        return "“\(text.prefix(80))”"
    }

    private static func word(for type: any Any.Type) -> String {
        switch type {
        case is String.Type: "text"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is any ExpressibleByDictionaryLiteral.Type: "an object"
        case is any Sequence.Type: "a list"
        default: "an object"
        }
    }
}
