/// A request about the known controllers, on an encrypted connection: `/pair-add`, `/pair-remove`, `/pair-list`.
///
/// The caller must accept requests only from a controller that has been verified.
///
/// Source: HomeKit Accessory Protocol, pairings.
package enum PairingsRequest: Hashable, Sendable {
    /// Adds a controller, or changes its permissions.
    case add(PairedPeer, isAdmin: Bool)
    /// Removes the controller with this identifier; an unknown controller is no error.
    case remove(identifier: [UInt8])
    /// Lists all controllers.
    case list

    /// Bit 0 of ``TLV8Tag/permissions``.
    private static let adminBit: UInt64 = 1

    /// Decodes the body of a request.
    package init(_ body: [UInt8]) throws(PairingError) {
        let message = try PairingMessage.parse(body)
        try PairingMessage.require(1, in: message)
        let method = try PairingMessage.integer(.method, of: message)
        switch method {
        case UInt64(PairingMethod.addPairing):
            let permissions = try PairingMessage.integer(.permissions, of: message) ?? 0
            self = .add(try PairedPeer(of: message), isAdmin: permissions & Self.adminBit != 0)
        case UInt64(PairingMethod.removePairing):
            self = .remove(identifier: try PairingMessage.value(.identifier, of: message))
        case UInt64(PairingMethod.listPairings):
            self = .list
        default:
            throw .unsupportedProcedure(method: method ?? 0, flags: 0)
        }
    }

    /// The body of the request.
    package var encoded: [UInt8] {
        var message = TLV8([.init(.state, [1])])
        switch self {
        case .add(let peer, let isAdmin):
            message.append(.method, [PairingMethod.addPairing])
            message.append(.identifier, peer.identifier)
            message.append(.publicKey, peer.key.bytes)
            message.append(.permissions, [isAdmin ? 1 : 0])
        case .remove(let identifier):
            message.append(.method, [PairingMethod.removePairing])
            message.append(.identifier, identifier)
        case .list:
            message.append(.method, [PairingMethod.listPairings])
        }
        return message.encoded
    }

    /// The body of a successful answer.
    package static let done = TLV8([.init(.state, [2])]).encoded

    /// Returns the body of a failed answer.
    package static func refusal(because error: PairingError) -> [UInt8] {
        PairingMessage.refusal(state: 2, because: error)
    }

    /// Returns whether the body of an answer is a refusal; `false` for a body of another form.
    package static func isRefusal(_ body: [UInt8]) -> Bool {
        guard let message = try? TLV8(exactly: body) else { return false }
        return message[.error] != nil
    }

    /// Returns the body of the answer to ``list``; every controller is an administrator here.
    ///
    /// - Parameter peers: The controllers, at most 16, so that the answer stays within
    ///   ``TLV8/maximumItemCount``.
    package static func listing(_ peers: [PairedPeer]) -> [UInt8] {
        var message = TLV8([.init(.state, [2])])
        for (index, peer) in peers.enumerated() {
            if index > 0 { message.append(.separator, []) }
            message.append(.identifier, peer.identifier)
            message.append(.publicKey, peer.key.bytes)
            message.append(.permissions, [1])
        }
        return message.encoded
    }
}
