import Playback

/// The dialogue of the terminal picker: a value that turns lines into wishes and replies.
struct PickerConversation: Sendable {
    /// The action that a line requests.
    enum Action: Equatable, Sendable {
        /// Print a text and ask again.
        case say(String)
        case select(Set<RouteOption.ID>)
        case setVolumes(Double, of: [RouteOption.ID])
        case leave
    }

    private var routes: [RouteOption]
    /// A stable number per output, so that a number keeps its meaning when outputs come and go.
    private var numbers: [RouteOption.ID: Int] = [:]
    private var nextNumber = 1
    /// The list as last shown to the user.
    private var shown = ""

    init(_ routes: [RouteOption]) {
        self.routes = routes
        number(routes)
    }

    private mutating func number(_ routes: [RouteOption]) {
        for route in routes where numbers[route.id] == nil {
            numbers[route.id] = nextNumber
            nextNumber += 1
        }
    }

    // MARK: Speaking

    static let help = """
        A number plays there, several numbers make a group (2 3); +3 adds an output, -3 removes it;
        v 2 40 sets the volume of one output in percent, v 40 that of all; Enter changes nothing.

        """

    /// Returns the list of outputs with instructions.
    mutating func greeting() -> String {
        shown = list
        return list + Self.help + Self.prompt
    }

    static let prompt = "> "

    /// The outputs, one per line.
    var list: String {
        guard !routes.isEmpty else { return "Looking for outputs; none found yet.\n" }
        let width = String(nextNumber - 1).count
        return routes.map { route in
            let number = numbers[route.id].map(String.init) ?? "?"
            let padding = String(repeating: " ", count: max(0, width - number.count))
            let mark = route.isSelected ? "*" : " "
            return "  \(padding)\(number) \(mark) \(SafeText.text(route.name))\(Self.remarks(on: route))\n"
        }.joined()
    }

    private static func remarks(on route: RouteOption) -> String {
        var remarks: [String] = []
        if route.kind == .bluetooth { remarks.append("Bluetooth") }
        if let volume = route.volume { remarks.append("\(percent(volume))") }
        if route.needsPassword { remarks.append("asks for a password") }
        return remarks.isEmpty ? "" : " (\(remarks.joined(separator: ", ")))"
    }

    private static func percent(_ value: Double) -> String {
        "\(Int(max(0, min(value, 100)).rounded())) %"
    }

    /// Updates the outputs.
    mutating func update(_ routes: [RouteOption]) {
        self.routes = routes
        number(routes)
    }

    /// Returns the new list if it differs from the one shown; `nil` otherwise.
    mutating func announcement() -> String? {
        guard list != shown else { return nil }
        shown = list
        return "\n" + list + Self.prompt
    }

    /// Returns the message after a successful move.
    func confirmation(of ids: Set<RouteOption.ID>) -> String {
        let names = routes.filter { ids.contains($0.id) }.map { SafeText.text($0.name) }
        return "The sound goes to \(names.joined(separator: " and ")).\n"
    }

    // MARK: Understanding

    func action(for line: String) -> Action {
        let words = line.split { $0.isWhitespace || $0 == "," }
        guard let first = words.first else { return .leave }
        switch first.lowercased() {
        case "q", "quit", "exit": return .leave
        case "?", "h", "help": return .say(list + Self.help)
        case "v", "volume": return volumes(words.dropFirst())
        default: return selection(words)
        }
    }

    private func selection(_ words: [Substring]) -> Action {
        var absolute: Set<RouteOption.ID> = []
        var relative = Set(routes.filter(\.isSelected).map(\.id))
        var isRelative = false
        for word in words {
            let sign = word.first.flatMap { "+-".contains($0) ? $0 : nil }
            guard let number = Int(sign == nil ? word : word.dropFirst()) else {
                return .say("\"\(SafeText.text(word, limit: 40))\" is not a command; ? lists the commands.\n")
            }
            guard let route = route(number) else { return .say("There is no output \(number).\n") }
            isRelative = isRelative || sign != nil
            absolute.insert(route.id)
            if sign == "-" { relative.remove(route.id) } else { relative.insert(route.id) }
        }
        let wanted = isRelative ? relative : absolute
        guard !wanted.isEmpty else { return .say("At least one output must stay selected.\n") }
        return .select(wanted)
    }

    private func volumes(_ words: ArraySlice<Substring>) -> Action {
        guard let last = words.last, let percent = Double(last.last == "%" ? last.dropLast() : last),
            (0...100).contains(percent)
        else { return .say("A volume must be a number from 0 to 100, as in v 2 40.\n") }
        var concerned: [RouteOption] = []
        for word in words.dropLast() {
            guard let found = Int(word).flatMap(route) else {
                return .say("There is no output \"\(SafeText.text(word, limit: 40))\".\n")
            }
            concerned.append(found)
        }
        if words.count == 1 { concerned = routes.filter(\.isSelected) }
        let fixed = concerned.filter { $0.volume == nil }
        if let route = fixed.first {
            return .say("The volume of \(SafeText.text(route.name)) cannot be set here.\n")
        }
        guard !concerned.isEmpty else { return .say("Nothing is selected.\n") }
        return .setVolumes(percent, of: concerned.map(\.id))
    }

    private func route(_ number: Int) -> RouteOption? { routes.first { numbers[$0.id] == number } }
}
