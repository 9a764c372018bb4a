import CoreMedia

/// Sound that was enqueued at a route and is not packed yet.
///
/// A buffer first travels to the codec queue and then waits there. Callers count the first part and the codec
/// queue alone counts the second, so neither overwrites the other's count.
struct UnpackedSound: Sendable {
    struct Amount: Equatable, Sendable {
        var seconds = 0.0
        var bytes = 0

        static func += (sum: inout Amount, amount: Amount) {
            (sum.seconds, sum.bytes) = (sum.seconds + amount.seconds, sum.bytes + amount.bytes)
        }
    }

    /// Sound on the way to the codec queue.
    private(set) var arriving = Arriving()
    /// Sound in the codec queue's backlog.
    var waiting = Amount()

    struct Arriving: Sendable {
        fileprivate(set) var count = 0
        fileprivate(set) var amount = Amount()

        var isNothing: Bool { count == 0 }
    }

    var total: Amount {
        var total = waiting
        total += arriving.amount
        return total
    }

    mutating func enqueue(_ amount: Amount) {
        arriving.count += 1
        arriving.amount += amount
    }

    /// Moves sound to the backlog; the call must belong to the generation of its ``enqueue(_:)``.
    mutating func arrive(_ amount: Amount) {
        waiting += amount
        arriving.count -= 1
        arriving.amount.bytes -= amount.bytes
        // Removes the rounding error once nothing is on the way.
        arriving.amount.seconds = arriving.isNothing ? 0 : max(0, arriving.amount.seconds - amount.seconds)
    }
}

extension UnpackedSound.Amount {
    init(of buffer: CMSampleBuffer) {
        let seconds = buffer.outputDuration.seconds
        self.init(seconds: seconds.isFinite ? max(0, seconds) : 0, bytes: buffer.totalSampleSize)
    }
}
