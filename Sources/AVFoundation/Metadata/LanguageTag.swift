import Foundation

/// Names of languages, as files have them and as users choose them.
enum LanguageTag {
    /// Stands for a language that nobody names.
    static let undetermined = "und"

    /// The short code, `de` of `deu`; `nil` of an empty code, and of the one for no language.
    static func tag(_ code: String?) -> String? {
        guard let code = code?.lowercased(), !code.isEmpty, code != undetermined else { return nil }
        return Locale.LanguageCode(code).identifier(.alpha2) ?? code
    }

    /// The short code of the language alone: `de` of `de-AT` and of `de_AT`.
    static func language(of identifier: String) -> String? {
        guard let first = identifier.split(whereSeparator: { $0 == "-" || $0 == "_" || $0 == "@" }).first
        else { return nil }
        return first.lowercased() == undetermined ? undetermined : tag(String(first))
    }
}
