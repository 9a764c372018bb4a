import Glibc
import TuttiSystemIO

/// A listening socket of a virtual machine.
final class VirtualListener: ListeningSocket, @unchecked Sendable {
    // Safe to share: see `VirtualWorld`.
    let address: SocketAddress
    let options: TCPOptions
    private var waiting: [VirtualStream] = []
    private var readers = VirtualReadinessList()
    private let onClose: () -> Void

    init(
        _ machine: VirtualMachine, at address: SocketAddress, options: TCPOptions,
        onClose: @escaping () -> Void
    ) {
        (self.address, self.options, self.onClose) = (address, options, onClose)
    }

    func add(_ stream: VirtualStream) {
        waiting.append(stream)
        readers.look()
    }

    func accept() throws(SystemError) -> (any StreamSocket)? {
        guard !waiting.isEmpty else { throw SystemError(operation: "accept", code: EAGAIN) }
        return waiting.removeFirst()
    }

    func close() {
        onClose()
        waiting = []
    }

    func readiness(on queue: SerialQueue, _ handler: @escaping @Sendable () -> Void) -> any Readiness {
        let readiness = VirtualReadiness(
            on: queue, while: { [weak self] in self?.waiting.isEmpty == false }, handler)
        readers.add(readiness)
        return readiness
    }
}
