#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The memory of a picture, freed with this object.
final class PixelMemory: @unchecked Sendable {
    // Safe to share: nothing changes after `init`, and only `deinit` frees the memory. Clients synchronise
    // access to the pixels themselves, with the lock functions of their buffer.

    let address: UnsafeMutableRawPointer
    let layout: PixelLayout

    /// Allocates memory of zeros.
    ///
    /// - Throws: `kCVReturnAllocationFailed`.
    init(_ layout: PixelLayout) throws(PixelBufferError) {
        var memory: UnsafeMutableRawPointer?
        guard posix_memalign(&memory, layout.alignment, layout.byteCount) == 0, let memory else {
            throw PixelBufferError(kCVReturnAllocationFailed)
        }
        // A picture must not show what another part of the program left in memory.
        memset(memory, 0, layout.byteCount)
        address = memory
        self.layout = layout
    }

    deinit { free(address) }

    /// The planes, by address.
    var planes: [CVPlane] {
        layout.planes.map { plane in
            CVPlane(
                address: address + plane.offset, width: plane.width, height: plane.height,
                bytesPerRow: plane.bytesPerRow)
        }
    }
}

/// Memory of a caller, which a callback takes back.
final class BorrowedMemory: @unchecked Sendable {
    // Safe to share: the closure never changes and runs once, in `deinit`. C callbacks cannot capture
    // anything, and their `refcon` belongs to the caller, who must allow any thread as on Apple's platforms.

    private let release: () -> Void

    init(release: @escaping () -> Void) { self.release = release }

    deinit { release() }
}
