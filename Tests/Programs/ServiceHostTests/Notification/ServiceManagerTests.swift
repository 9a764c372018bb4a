import Glibc
import Synchronization
import Testing
import TuttiMediaTime
import TuttiTestSupport

@testable import TuttiServiceHost

@Suite("Messages to the service manager")
struct ServiceManagerTests {
    static let notices: [(ServiceNotice, String)] = [
        (.ready, "READY=1"),
        (.reloading(at: HostTime(nanoseconds: 1_234_567_891)), "RELOADING=1\nMONOTONIC_USEC=1234567"),
        (.stopping, "STOPPING=1"),
        (.watchdog, "WATCHDOG=1"),
        (.status("2 zones play"), "STATUS=2 zones play"),
        (.status("a\nREADY=1"), "STATUS=a READY=1"),
        (.status(String(repeating: "x", count: 500)), "STATUS=" + String(repeating: "x", count: 400)),
    ]

    @Test("a notice has the manager's spelling, in lines of its own", arguments: notices)
    func spelling(notice: ServiceNotice, text: String) {
        #expect(notice.text == text)
    }

    @Test("a message arrives at a socket with a path, and at an abstract one")
    func arrive() throws {
        let folder = try MusicFolder()
        for address in ["\(folder.path)/notify", "@tutti-test-\(getpid())"] {
            let receiver = try ManagerSocket(address)
            let manager = ServiceManager(ServiceEnvironment(["NOTIFY_SOCKET": address]))
            #expect(manager.send(.ready, .status("No zone plays")))
            #expect(manager.send(.stopping))
            #expect(receiver.messages() == ["READY=1\nSTATUS=No zone plays", "STOPPING=1"])
        }
    }

    @Test("a message is dropped without a manager, and never waits for one that does not read")
    func neverBlocks() throws {
        #expect(!ServiceManager(ServiceEnvironment([:])).send(.ready))
        #expect(!ServiceManager(ServiceEnvironment(["NOTIFY_SOCKET": "/nowhere/at/all"])).send(.ready))
        let address = "@tutti-full-\(getpid())"
        let receiver = try ManagerSocket(address)
        let manager = ServiceManager(ServiceEnvironment(["NOTIFY_SOCKET": address]))
        var sent = 0
        while sent < 100_000, manager.send(.watchdog) { sent += 1 }
        #expect(sent < 100_000)
        #expect(receiver.messages().count == sent)
        #expect(manager.send(.watchdog))
    }

    @Test("a healthy service is told of twice in the watchdog's limit, an unhealthy one is not")
    func watchdog() async throws {
        let address = "@tutti-watchdog-\(getpid())"
        let receiver = try ManagerSocket(address)
        let manager = ServiceManager(
            ServiceEnvironment(["NOTIFY_SOCKET": address, "WATCHDOG_USEC": "30000000"]))
        let health = Mutex([true, true, false, true])
        let sleeps = Mutex<[Duration]>([])
        await manager.keepWatchdog(
            sleep: { time in
                sleeps.withLock { $0.append(time) }
                if health.withLock(\.isEmpty) { throw CancellationError() }
            },
            isHealthy: { health.withLock { $0.removeFirst() } })
        #expect(receiver.messages() == ["WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1"])
        #expect(sleeps.withLock(\.self) == Array(repeating: .seconds(15), count: 4))
    }

    @Test("without a watchdog nobody is asked for health")
    func noWatchdog() async {
        let manager = ServiceManager(ServiceEnvironment([:]))
        await manager.keepWatchdog(isHealthy: {
            Issue.record("asked")
            return true
        })
    }
}

/// The manager's end of the protocol: a datagram socket.
private final class ManagerSocket {
    private let descriptor: Int32

    init(_ address: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var target = sockaddr_un()
        target.sun_family = sa_family_t(AF_UNIX)
        let isAbstract = address.hasPrefix("@")
        let bytes = isAbstract ? [0] + Array(address.utf8.dropFirst()) : Array(address.utf8)
        withUnsafeMutableBytes(of: &target.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(2 + bytes.count + (isAbstract ? 0 : 1))
        let result = withUnsafePointer(to: target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        try #require(result == 0)
    }

    deinit { close(descriptor) }

    /// Takes all messages that have arrived.
    func messages() -> [String] {
        var messages: [String] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count >= 0 else { return messages }
            messages.append(String(decoding: buffer.prefix(count), as: UTF8.self))
        }
    }
}
