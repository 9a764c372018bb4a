import TuttiHouse
import TuttiHTTPService
import TuttiMusicLibrary

extension Problem {
    static func invalid(_ detail: String) -> Problem { Problem(status: 400, code: "invalid", detail: detail) }
    static func notFound(_ detail: String) -> Problem {
        Problem(status: 404, code: "notFound", detail: detail)
    }

    /// The problem of any error of a handler.
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as HouseError: self.init(error)
        case let error as LibraryError: self.init(error)
        default:
            self.init(status: 500, code: "internal", detail: "The service failed: \(error)")
        }
    }

    private init(_ error: HouseError) {
        self.init(status: error.kind.status, code: error.kind.rawValue, detail: error.description)
    }

    private init(_ error: LibraryError) {
        let kind: HouseError.Kind =
            switch error.kind {
            case .notFound: .notFound
            case .invalid: .invalid
            case .limit: .limit
            case .unavailable: .unavailable
            }
        self.init(HouseError(kind, error.description))
    }
}

extension HouseError.Kind {
    /// The status of an answer.
    var status: Int {
        switch self {
        case .notFound: 404
        case .invalid: 400
        case .conflict, .limit: 409
        case .unavailable: 503
        }
    }
}
