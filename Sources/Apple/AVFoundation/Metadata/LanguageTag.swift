import Foundation

/// Conversion of the language codes in files and in user preferences.
enum LanguageTag {
    /// The code of an undetermined language.
    static let undetermined = "und"

    /// Returns the short code, `de` for `deu`; `nil` for an empty or undetermined code.
    static func tag(_ code: String?) -> String? {
        guard let code = code?.lowercased(), !code.isEmpty, code != undetermined else { return nil }
        return Locale.LanguageCode(code).identifier(.alpha2) ?? code
    }

    /// Returns the short code of the language alone: `de` for `de-AT` and `de_AT`.
    static func language(of identifier: String) -> String? {
        guard let first = identifier.split(whereSeparator: { $0 == "-" || $0 == "_" || $0 == "@" }).first
        else { return nil }
        return first.lowercased() == undetermined ? undetermined : tag(String(first))
    }
}
