"""Ciphers, key derivation and SRP of AirPlay's pairing, in Python and numpy: an attacker needs no library of ours.

Nothing here is meant to keep a secret: it is neither constant in time nor careful with memory.
"""

import hashlib
import hmac
import os
import struct

import numpy as np

BLOCK = 1024  # largest plaintext of one frame, bytes


# ChaCha20-Poly1305 (RFC 8439)


def _keystreams(key, nonces, counts):
    """The keystream blocks 0..count-1 of each nonce (8 bytes, little-endian), all at once."""
    total = sum(counts)
    state = np.empty((16, total), dtype=np.uint32)
    state[0:4] = np.frombuffer(b"expand 32-byte k", "<u4")[:, None]
    state[4:12] = np.frombuffer(key, "<u4")[:, None]
    state[12] = np.concatenate([np.arange(count, dtype=np.uint32) for count in counts])
    state[13] = 0
    words = np.array([struct.unpack("<II", nonce) for nonce in nonces], dtype=np.uint32)
    state[14:16] = np.repeat(words, counts, axis=0).T
    a, b, c, d = (state[4 * row : 4 * row + 4].copy() for row in range(4))
    for _ in range(10):
        a, b, c, d = _quarter(a, b, c, d)
        a, b, c, d = _quarter(a, np.roll(b, -1, 0), np.roll(c, -2, 0), np.roll(d, -3, 0))
        b, c, d = np.roll(b, 1, 0), np.roll(c, 2, 0), np.roll(d, 3, 0)
    state += np.concatenate((a, b, c, d))
    whole = np.ascontiguousarray(state.T).astype("<u4").tobytes()
    streams, at = [], 0
    for count in counts:
        streams.append(whole[at : at + 64 * count])
        at += 64 * count
    return streams


def _quarter(a, b, c, d):
    for first, second in ((16, 12), (8, 7)):
        a = a + b
        d = _rotated(d ^ a, first)
        c = c + d
        b = _rotated(b ^ c, second)
    return a, b, c, d


def _rotated(words, by):
    return (words << np.uint32(by)) | (words >> np.uint32(32 - by))


def _tag(key, aad, sealed):
    def padded(data):
        return data + b"\0" * (-len(data) % 16)

    data = padded(aad) + padded(sealed) + struct.pack("<QQ", len(aad), len(sealed))
    r = int.from_bytes(key[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    prime, sum_ = (1 << 130) - 5, 0
    for at in range(0, len(data), 16):
        sum_ = (sum_ + int.from_bytes(data[at : at + 16], "little") + (1 << 128)) * r % prime
    return ((sum_ + int.from_bytes(key[16:32], "little")) & ((1 << 128) - 1)).to_bytes(16, "little")


def _xor(data, stream):
    return (np.frombuffer(data, np.uint8) ^ np.frombuffer(stream, np.uint8)[: len(data)]).tobytes()


def seal_all(key, messages):
    """Seals (nonce of 8 bytes, additional data, plaintext) each: ciphertext and tag."""
    counts = [1 + (len(plain) + 63) // 64 for _, _, plain in messages]
    streams = _keystreams(key, [nonce for nonce, _, _ in messages], counts)
    sealed = []
    for (_, aad, plain), stream in zip(messages, streams):
        data = _xor(plain, stream[64:]) if plain else b""
        sealed.append(data + _tag(stream[:32], aad, data))
    return sealed


def open_one(key, nonce, aad, sealed):
    """The plaintext, or None for a wrong tag."""
    data, tag = sealed[:-16], sealed[-16:]
    stream = _keystreams(key, [nonce], [1 + (len(data) + 63) // 64])[0]
    if not hmac.compare_digest(_tag(stream[:32], aad, data), tag):
        return None
    return _xor(data, stream[64:]) if data else b""


def hkdf(secret, salt, info, length=32):
    """HKDF with SHA-512 (RFC 5869)."""
    key, last, out = hmac.new(salt, secret, hashlib.sha512).digest(), b"", b""
    for count in range(1, (length + 63) // 64 + 1):
        last = hmac.new(key, last + info + bytes([count]), hashlib.sha512).digest()
        out += last
    return out[:length]


class Channel:
    """One end of an encrypted connection: blocks of at most 1024 bytes, a nonce for each."""

    def __init__(self, write_key, read_key):
        self.write_key, self.read_key = write_key, read_key
        self.written, self.read, self.buffer = 0, 0, b""

    @classmethod
    def control(cls, secret, is_sender):
        keys = [hkdf(secret, b"Control-Salt", b"Control-%s-Encryption-Key" % word) for word in (b"Write", b"Read")]
        return cls(*(keys if is_sender else keys[::-1]))

    @classmethod
    def events(cls, secret, is_sender):
        # The speaker sends the requests here, so its direction is the one called "Write".
        keys = [hkdf(secret, b"Events-Salt", b"Events-%s-Encryption-Key" % word) for word in (b"Write", b"Read")]
        return cls(*(keys[::-1] if is_sender else keys))

    def seal(self, data):
        messages = []
        for at in range(0, len(data), BLOCK):
            piece = data[at : at + BLOCK]
            messages.append((struct.pack("<Q", self.written), struct.pack("<H", len(piece)), piece))
            self.written += 1
        return b"".join(head + body for (_, head, _), body in zip(messages, seal_all(self.write_key, messages)))

    def open(self, data):
        """The plaintext of all complete blocks; raises ValueError for an invalid one."""
        self.buffer += data
        plain = b""
        while len(self.buffer) >= 2:
            length = struct.unpack_from("<H", self.buffer)[0]
            if len(self.buffer) < length + 18:
                break
            piece = open_one(self.read_key, struct.pack("<Q", self.read), self.buffer[:2], self.buffer[2 : length + 18])
            if piece is None:
                raise ValueError("a frame with a wrong tag")
            self.read += 1
            plain += piece
            self.buffer = self.buffer[length + 18 :]
        return plain


# SRP-6a with SHA-512 and the group of 3072 bits (RFC 5054), whose prime is that of RFC 3526


def _prime():
    def arctan_of_inverse(number, bits):  # times 2^bits
        term = sum_ = (1 << bits) // number
        square, count, sign = number * number, 3, -1
        while term:
            term //= square
            sum_ += sign * (term // count)
            count, sign = count + 2, -sign
        return sum_

    bits = 2942 + 64
    pi = 4 * (4 * arctan_of_inverse(5, bits) - arctan_of_inverse(239, bits)) >> 64
    return (1 << 3072) - (1 << 3008) - 1 + ((pi + 1690314) << 64)


N, G = _prime(), 5
USER, PASSWORD = b"Pair-Setup", b"3939"


def _bytes(number):
    return number.to_bytes((number.bit_length() + 7) // 8 or 1, "big")


def _padded(number):
    return number.to_bytes(384, "big")


def _hash(*parts):
    return hashlib.sha512(b"".join(parts)).digest()


def _number(data):
    return int.from_bytes(data, "big")


K_MULTIPLIER = _number(_hash(_padded(N), _padded(G)))


def _proof(salt, a, b, key):
    mixed = bytes(x ^ y for x, y in zip(_hash(_bytes(N)), _hash(_bytes(G))))
    return _hash(mixed, _hash(USER), salt, _bytes(a), _bytes(b), key)


def srp_client(salt, b_bytes, password=PASSWORD):
    """A sender's reply to M2: its public key, its proof, the session key."""
    b, secret = _number(b_bytes), _number(os.urandom(32))
    a = pow(G, secret, N)
    x = _number(_hash(salt, _hash(USER, b":", password)))
    u = _number(_hash(_padded(a), _padded(b)))
    shared = pow((b - K_MULTIPLIER * pow(G, x, N)) % N, secret + u * x, N)
    key = _hash(_bytes(shared))
    return _bytes(a), _proof(salt, a, b, key), key


class SRPServer:
    """The receiver's end."""

    def __init__(self, password=PASSWORD):
        self.salt = os.urandom(16)
        self.verifier = pow(G, _number(_hash(self.salt, _hash(USER, b":", password))), N)
        self.secret = _number(os.urandom(32))
        self.b = (K_MULTIPLIER * self.verifier + pow(G, self.secret, N)) % N

    def answer(self, a_bytes):
        """The proof for the sender, and the session key."""
        a = _number(a_bytes)
        u = _number(_hash(_padded(a), _padded(self.b)))
        key = _hash(_bytes(pow(a * pow(self.verifier, u, N), self.secret, N)))
        return _hash(_bytes(a), _proof(self.salt, a, self.b, key), key), key
