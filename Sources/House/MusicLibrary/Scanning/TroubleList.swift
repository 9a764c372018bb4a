/// The troubles of a library, each about one thing.
struct TroubleList {
    /// The kinds of troubles, in the order in which they are told.
    enum Kind: String, CaseIterable {
        case database
        case diskFull
        case setAside
        case folderMissing
        case watchLimit
        case unreadable
    }

    /// The most troubles that are told.
    private static let countLimit = 20

    private var messages: [Kind: [String: String]] = [:]
    private let earlier: [LibraryTrouble]

    /// - Parameter earlier: Troubles that stay.
    init(earlier: [LibraryTrouble] = []) { self.earlier = earlier }

    /// Sets the trouble of a thing; `nil` for none.
    mutating func set(_ kind: Kind, about thing: String = "", _ message: String?) {
        messages[kind, default: [:]][thing] = message
    }

    mutating func clear(_ kind: Kind) { messages[kind] = nil }

    /// Clears the troubles about some things.
    mutating func clear(_ kind: Kind, about isCleared: (String) -> Bool) {
        messages[kind] = messages[kind]?.filter { !isCleared($0.key) }
    }

    /// The first troubles.
    var all: [LibraryTrouble] {
        let own = Kind.allCases.flatMap { kind in
            (messages[kind] ?? [:]).sorted { $0.key < $1.key }.map {
                LibraryTrouble(code: kind.rawValue, message: $0.value)
            }
        }
        return Array((earlier + own).prefix(Self.countLimit))
    }
}
