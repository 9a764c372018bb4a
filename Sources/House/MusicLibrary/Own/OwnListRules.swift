import Foundation

/// The limits of what users make.
enum OwnListRules {
    /// The most own playlists, and the most stations.
    static let listLimit = 2000
    private static let nameLimit = 200

    /// Returns a name without what a list cannot show.
    static func name(_ name: String) throws(LibraryError) -> String {
        let name = String(name.filter { !$0.isNewline }).trimmingCharacters(in: .whitespaces)
        guard !name.isEmpty, name.count <= Self.nameLimit else {
            throw LibraryError(.invalid, "A name must have 1 to \(Self.nameLimit) characters.")
        }
        return name
    }
}
