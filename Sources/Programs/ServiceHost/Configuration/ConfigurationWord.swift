/// A value without quotes: a number or a boolean.
enum ConfigurationWord {
    /// The reason why a word is no value.
    struct Mistake: Error {
        let message: String
    }

    /// Returns the value of a word.
    static func value(of word: String) throws(Mistake) -> ConfigurationValue {
        switch word {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "True", "TRUE", "yes", "on": throw Mistake(message: "write true instead of \(word)")
        case "False", "FALSE", "no", "off": throw Mistake(message: "write false instead of \(word)")
        default: break
        }
        guard !word.isEmpty else { throw Mistake(message: "a value is expected here") }
        let digits = word.drop { $0 == "+" || $0 == "-" }
        if digits == "inf" || digits == "nan" { throw Mistake(message: "numbers must be finite") }
        guard digits.first?.isASCII == true, digits.first?.isNumber == true else {
            let shown = word.prefix(40)
            throw Mistake(message: "'\(shown)' is no value; write strings in quotes: \"\(shown)\"")
        }
        return try number(of: word, digits: digits)
    }

    private static func number(of word: String, digits: Substring) throws(Mistake) -> ConfigurationValue {
        if isDateOrTime(digits) { throw Mistake(message: "dates are not supported; write a string") }
        if digits.hasPrefix("0x") || digits.hasPrefix("0o") || digits.hasPrefix("0b") {
            throw Mistake(message: "only decimal numbers are supported")
        }
        guard hasGoodUnderscores(digits), word.count - digits.count <= 1 else { throw notANumber(word) }
        let plain = word.filter { $0 != "_" }
        let whole = digits.filter { $0 != "_" }.prefix { $0.isASCII && $0.isNumber }
        if whole.count > 1, whole.first == "0" { throw Mistake(message: "a number must not begin with 0") }
        if whole.count == digits.filter({ $0 != "_" }).count {
            guard let number = Int(plain) else { throw Mistake(message: "this number is too large") }
            return .integer(number)
        }
        guard isFloat(digits.filter { $0 != "_" }), let number = Double(plain) else { throw notANumber(word) }
        guard number.isFinite else { throw Mistake(message: "this number is too large") }
        return .float(number)
    }

    private static func notANumber(_ word: String) -> Mistake {
        Mistake(message: "'\(word.prefix(40))' is no number; write text in quotes")
    }

    private static func isDateOrTime(_ digits: Substring) -> Bool {
        let parts = digits.split(separator: "-", omittingEmptySubsequences: false)
        let areNumbers = parts.allSatisfy { $0.first?.isNumber == true }
        let isDate = parts.count >= 3 && parts[0].count == 4 && areNumbers
        let times = digits.prefix(5).split(separator: ":")
        let isTime = digits.dropFirst(2).first == ":" && times.allSatisfy { $0.allSatisfy(\.isNumber) }
        return isDate || isTime
    }

    /// Underscores stand between two digits.
    private static func hasGoodUnderscores(_ digits: Substring) -> Bool {
        let parts = digits.split(separator: "_", omittingEmptySubsequences: false)
        return parts.count == 1
            || zip(parts, parts.dropFirst()).allSatisfy {
                $0.last?.isNumber == true && $1.first?.isNumber == true
            }
    }

    /// Digits, then a fraction, an exponent, or both, each with at least one digit.
    private static func isFloat(_ digits: String) -> Bool {
        let parts = digits.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        let mantissa = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let exponent = parts.count > 1 ? parts[1] : "0"
        let sign = exponent.hasPrefix("+") || exponent.hasPrefix("-") ? 1 : 0
        return (mantissa + [exponent.dropFirst(sign)]).allSatisfy {
            !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber }
        }
    }
}
