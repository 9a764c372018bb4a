import TuttiCryptography

/// The constants of pair-setup.
package enum PairSetup {
    /// The password of transient pairing with a receiver that has none of its own (*observed*).
    package static let transientPassword = "3939"

    static let group = SRPGroup.rfc5054Bits3072
    static let userName = Array("Pair-Setup".utf8)

    /// The number of each message.
    enum State {
        static let startRequest: UInt8 = 1
        static let startReply: UInt8 = 2
        static let proofRequest: UInt8 = 3
        static let proofReply: UInt8 = 4
        static let introductionRequest: UInt8 = 5
        static let introductionReply: UInt8 = 6
    }
}
