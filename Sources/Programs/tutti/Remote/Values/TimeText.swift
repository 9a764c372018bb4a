/// Times as a person types and reads them.
enum TimeText {
    /// Returns the seconds of `SECONDS`, `M:SS` or `H:MM:SS`; `nil` for other texts.
    static func seconds(_ text: some StringProtocol) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else { return nil }
        var seconds = 0.0
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            guard let number = plainNumber(part, mayHaveFraction: isLast), index == 0 || number < 60 else {
                return nil
            }
            seconds = seconds * 60 + number
        }
        return seconds <= limit ? seconds : nil
    }

    /// Returns the seconds of a duration with units, such as `30m`, `90s` or `1h30m`; `nil` for other texts.
    static func duration(_ text: String) -> Double? {
        var (seconds, rest, smallest) = (0.0, text[...], Double.infinity)
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            guard let number = plainNumber(digits, mayHaveFraction: true),
                let unit = rest.dropFirst(digits.count).first.flatMap({ units[$0] }), unit < smallest
            else { return nil }
            seconds += number * unit
            smallest = unit
            rest = rest.dropFirst(digits.count + 1)
        }
        return smallest.isFinite && seconds <= limit ? seconds : nil
    }

    /// Returns the minutes after midnight of `H:MM`; `nil` for other texts.
    static func minute(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }), let hour = Int(parts[0]),
            let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    /// Returns `H:MM` of minutes after midnight.
    static func ofDay(_ minute: Int) -> String {
        let (hours, rest) = min(max(minute, 0), 1439).quotientAndRemainder(dividingBy: 60)
        return "\(hours):\(padded(rest))"
    }

    /// Returns `M:SS` or `H:MM:SS`.
    static func clock(_ seconds: Double) -> String {
        guard seconds.isFinite else { return "" }
        let whole = Int(min(max(seconds, 0), limit))
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        let tail = padded(rest)
        return hours > 0 ? "\(hours):\(padded(minutes)):\(tail)" : "\(minutes):\(tail)"
    }

    private static let units: [Character: Double] = ["h": 3600, "m": 60, "s": 1]
    /// The longest time in seconds: longer than any track, far from any overflow.
    private static let limit = 1e7

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func plainNumber(_ text: some StringProtocol, mayHaveFraction: Bool) -> Double? {
        guard let first = text.first, first.isNumber,
            text.allSatisfy({ $0.isASCII && ($0.isNumber || mayHaveFraction && $0 == ".") })
        else { return nil }
        return Double(text)
    }
}

/// A position or a distance, as `tutti seek` takes it.
enum SeekText: Equatable {
    case to(Double)
    case by(Double)

    /// Parses `1:23`, `+10` or `-0:30`; `nil` for other texts.
    init?(_ text: String) {
        switch text.first {
        case "+", "-":
            guard let seconds = TimeText.seconds(text.dropFirst()) else { return nil }
            self = .by(text.first == "-" ? -seconds : seconds)
        default:
            guard let seconds = TimeText.seconds(text) else { return nil }
            self = .to(seconds)
        }
    }
}

/// A volume in percent or its change, as `tutti volume` takes it.
enum VolumeText: Equatable {
    case to(Double)
    case by(Double)

    /// Parses `30`, `30%`, `+5` or `-5`; `nil` for other texts and more than 100.
    init?(_ text: String) {
        let sign = text.first.flatMap { "+-".contains($0) ? $0 : nil }
        var digits = text.dropFirst(sign == nil ? 0 : 1)
        if digits.last == "%" { digits = digits.dropLast() }
        guard let first = digits.first, first.isNumber,
            digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
            let number = Double(digits), number <= 100
        else { return nil }
        self = sign == nil ? .to(number) : .by(sign == "-" ? -number : number)
    }

    /// Returns a percentage without a sign, 0 ... 100; `nil` for other texts.
    static func plain(_ text: String) -> Double? {
        guard case .to(let percent) = VolumeText(text) else { return nil }
        return percent
    }

    /// Returns the volume to set, 0 ... 100; `nil` if a change needs the volume now, and none is known.
    func percent(from now: Double?) -> Double? {
        switch self {
        case .to(let percent): percent
        case .by(let change): now.map { min(max($0 + change, 0), 100) }
        }
    }
}

/// The time of a sleep timer, as `tutti sleep` takes it.
enum SleepText: Equatable {
    case after(Double)
    case endOfTrack
    case off

    /// Parses `30m`, `1h30m`, `end` or `off`; `nil` for other texts, also for numbers without a unit: 30
    /// might be seconds or minutes.
    init?(_ text: String) {
        switch text {
        case "end": self = .endOfTrack
        case "off": self = .off
        default:
            guard let seconds = TimeText.duration(text), seconds > 0 else { return nil }
            self = .after(seconds)
        }
    }
}
