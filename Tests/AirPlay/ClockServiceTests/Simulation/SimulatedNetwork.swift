import TuttiClockService
import TuttiMediaTime
import TuttiPTP
import TuttiSystemIO
import TuttiTestSupport

/// An event at a follower or of the server.
struct SentMessage {
    var time: HostTime
    var destination: IPAddress
    var port: ClockPort
    var source: IPAddress?
    var message: PTPMessage
}

/// A simulated receiver. Host time is the true time; the receiver has its own clock.
protocol SimulatedFollower {
    /// Handles a message; answers leave at once.
    mutating func receive(_ message: PTPMessage, on port: ClockPort, at now: HostTime)
    /// The next time at which it sends by itself.
    var nextQuestion: HostTime? { get }
    mutating func ask(at now: HostTime) -> PTPMessage?
}

/// A link with a constant delay each way, jitter on top, and loss.
struct SimulatedLink {
    var there: Duration = .zero
    var back: Duration = .zero
    /// Mean of the additional, exponentially distributed delay.
    var jitter: Duration = .zero
    var loss = 0.0
}

/// A clock server, its peers and the links between them, in virtual time.
struct SimulatedNetwork {
    var server: ClockServer
    var now: HostTime
    var followers: [IPAddress: any SimulatedFollower] = [:]
    var links: [IPAddress: SimulatedLink] = [:]
    /// Time between the server's decision and the departure of the first datagram; later ones follow every 5 µs.
    var dispatchLatency = Duration.microseconds(20)
    var sent: [SentMessage] = []
    var changes: [(time: HostTime, change: PeerStateChange)] = []
    private var generator = SeededGenerator(seed: 42)
    private var inFlight: [Delivery] = []

    private struct Delivery {
        var time: HostTime
        var isToServer: Bool
        var address: IPAddress
        var port: ClockPort
        var bytes: [UInt8]
    }

    init(
        identity: ClockIdentity = ClockIdentity(rawValue: 0x1234_5678_9ABC_DEF0),
        start: HostTime = HostTime(nanoseconds: 1_000_000_000_000)
    ) {
        server = ClockServer(configuration: .init(identity: identity))
        now = start
    }

    mutating func run(for duration: Duration) { run(until: now.advanced(by: duration)) }

    mutating func run(until end: HostTime) {
        drain()
        while let next = nextTime(), next <= end {
            now = max(now, next)
            step()
        }
        now = max(now, end)
        server.handleTimeout(at: now)
        drain()
    }

    /// Sends bytes to the server as if from `address`.
    mutating func inject(_ bytes: [UInt8], from address: IPAddress, on port: ClockPort = .event) {
        server.receive(bytes[...], from: address, on: port, at: now)
        drain()
    }

    func messages(to address: IPAddress, since time: HostTime? = nil) -> [SentMessage] {
        sent.filter { $0.destination == address && $0.time >= time ?? HostTime(nanoseconds: .min) }
    }

    private func nextTime() -> HostTime? {
        let candidates =
            [server.nextDeadline, inFlight.map(\.time).min()] + followers.values.map(\.nextQuestion)
        return candidates.compactMap(\.self).min()
    }

    private mutating func step() {
        let asking = followers.filter { $0.value.nextQuestion.map { $0 <= now } ?? false }
        for address in asking.keys.sorted(by: { $0.description < $1.description }) {
            guard var follower = followers[address] else { continue }
            if let question = follower.ask(at: now) {
                carry(question.encoded, .event, of: address, isToServer: true, at: now)
            }
            followers[address] = follower
        }
        let due = inFlight.filter { $0.time <= now }.sorted { $0.time < $1.time }
        inFlight.removeAll { $0.time <= now }
        for delivery in due { deliver(delivery) }
        server.handleTimeout(at: now)
        drain()
    }

    private mutating func deliver(_ delivery: Delivery) {
        if delivery.isToServer {
            server.receive(
                delivery.bytes[...], from: delivery.address, on: delivery.port, at: delivery.time)
        } else if let message = try? PTPMessage(datagram: delivery.bytes) {
            followers[delivery.address]?.receive(message, on: delivery.port, at: delivery.time)
        }
    }

    private mutating func drain() {
        var datagram = ClockDatagram()
        var departure = now.advanced(by: dispatchLatency)
        while server.nextDatagram(into: &datagram, at: now) {
            datagram.stamp(at: server.timescale.networkTime(at: departure))
            if let message = try? PTPMessage(datagram: datagram.bytes) {
                sent.append(
                    SentMessage(
                        time: departure, destination: datagram.destination, port: datagram.port,
                        source: datagram.source, message: message))
            }
            carry(
                datagram.bytes, datagram.port, of: datagram.destination, isToServer: false, at: departure)
            departure = departure.advanced(by: .microseconds(5))
        }
        while let change = server.nextEvent() { changes.append((now, change)) }
    }

    private mutating func carry(
        _ bytes: [UInt8], _ port: ClockPort, of address: IPAddress, isToServer: Bool, at departure: HostTime
    ) {
        let link = links[address] ?? SimulatedLink()
        if link.loss > 0, Double.random(in: 0..<1, using: &generator) < link.loss { return }
        var delay = isToServer ? link.back : link.there
        if link.jitter > .zero {
            delay += link.jitter * -_log(Double.random(in: 0.0001..<1, using: &generator))
        }
        inFlight.append(
            Delivery(
                time: departure.advanced(by: delay), isToServer: isToServer, address: address, port: port,
                bytes: bytes))
    }
}

/// Computes the natural logarithm by halving, so that the tests need no C library.
func _log(_ value: Double) -> Double {
    // ln(x) = 2 artanh((x − 1) ⁄ (x + 1)) on the significand, plus the exponent.
    let x = value.significand
    let z = (x - 1) / (x + 1)
    var term = z
    var sum = 0.0
    for k in stride(from: 1.0, to: 40, by: 2) {
        sum += term / k
        term *= z * z
    }
    return 2 * sum + Double(value.exponent) * 0.693_147_180_559_945_3
}
