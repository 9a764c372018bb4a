"""A connection to an X server, through libxcb: windows by their titles, and pixels of the screen.

libxcb reports a lost server; Xlib would end the process.
"""

import ctypes
from ctypes import POINTER, Structure, byref, c_int, c_int16, c_uint8, c_uint16, c_uint32, c_void_p

import numpy as np

Z_PIXMAP, ALL_PLANES = 2, 0xFFFFFFFF
VIEWABLE = 2


class Lost(Exception):
    """The connection is lost: the server has ended."""


class Cookie(Structure):
    _fields_ = [("sequence", c_uint32)]


def reply(*fields):
    begin = [("type", c_uint8), ("detail", c_uint8), ("sequence", c_uint16), ("length", c_uint32)]
    return type("Reply", (Structure,), {"_fields_": [*begin, *fields]})


class Screen(Structure):
    _fields_ = [(name, c_uint32) for name in ("root", "colours", "white", "black", "masks")]
    _fields_ += [(name, c_uint16) for name in ("width", "height", "width_mm", "height_mm", "least", "most")]
    _fields_ += [("visual", c_uint32), ("stores", c_uint8), ("unders", c_uint8), ("depth", c_uint8), ("depths", c_uint8)]


class Screens(Structure):
    _fields_ = [("data", POINTER(Screen)), ("rem", c_int), ("index", c_int)]


ATOM = reply(("atom", c_uint32))
TREE = reply(("root", c_uint32), ("parent", c_uint32), ("count", c_uint16))
PROPERTY = reply(("kind", c_uint32), ("after", c_uint32), ("count", c_uint32))
GEOMETRY = reply(("root", c_uint32), ("x", c_int16), ("y", c_int16), ("width", c_uint16), ("height", c_uint16))
PLACE = reply(("child", c_uint32), ("x", c_int16), ("y", c_int16))
ATTRIBUTES = reply(
    ("visual", c_uint32), ("kind", c_uint16), ("gravities", c_uint16), ("planes", c_uint32), ("pixel", c_uint32), ("under", c_uint8),
    ("installed", c_uint8), ("state", c_uint8),
)  # fmt: skip
IMAGE = reply(("visual", c_uint32))


class Display:
    def __init__(self, name):
        self.xcb, self.libc = ctypes.CDLL("libxcb.so.1"), ctypes.CDLL(None)
        self.xcb.xcb_connect.restype = c_void_p
        self.xcb.xcb_get_setup.restype = c_void_p
        self.xcb.xcb_setup_roots_iterator.restype = Screens
        self.libc.free.argtypes = [c_void_p]
        self.connection = c_void_p(self.xcb.xcb_connect(name.encode(), None))
        self.expect_alive()
        setup = c_void_p(self.xcb.xcb_get_setup(self.connection))
        self.screen = self.xcb.xcb_setup_roots_iterator(setup).data.contents
        self.root, self.width, self.height = self.screen.root, self.screen.width, self.screen.height
        self.atoms = {}

    def close(self):
        if self.connection:
            self.xcb.xcb_disconnect(self.connection)
            self.connection = None

    def expect_alive(self):
        if self.xcb.xcb_connection_has_error(self.connection):
            raise Lost

    def new_id(self):
        self.xcb.xcb_generate_id.restype = c_uint32
        return self.xcb.xcb_generate_id(self.connection)

    def ask(self, request, kind, *arguments):
        """A request's answer, or None where the server refuses, as for a window that is gone; call `release` with it."""
        call, answer = getattr(self.xcb, f"xcb_{request}"), getattr(self.xcb, f"xcb_{request}_reply")
        call.restype, answer.restype = Cookie, POINTER(kind)
        error = c_void_p()
        found = answer(self.connection, call(self.connection, *arguments), byref(error))
        if not found:
            self.expect_alive()
            self.libc.free(error)
            return None
        return found

    def release(self, found):
        self.libc.free(ctypes.cast(found, c_void_p))

    def value(self, request, kind, *arguments):
        """The fields of an answer of fixed size, or None."""
        found = self.ask(request, kind, *arguments)
        if not found:
            return None
        copy = kind.from_buffer_copy(ctypes.string_at(found, ctypes.sizeof(kind)))
        self.release(found)
        return copy

    # Windows

    def atom(self, name):
        if name not in self.atoms:
            self.atoms[name] = self.value("intern_atom", ATOM, c_uint8(0), c_uint16(len(name)), name.encode()).atom
        return self.atoms[name]

    def children(self, window):
        found = self.ask("query_tree", TREE, c_uint32(window))
        if not found:
            return []
        self.xcb.xcb_query_tree_children.restype = POINTER(c_uint32)
        windows = self.xcb.xcb_query_tree_children(found)[: found.contents.count]
        self.release(found)
        return windows

    def title(self, window):
        for name in ("_NET_WM_NAME", "WM_NAME"):
            words = (c_uint8(0), c_uint32(window), c_uint32(self.atom(name)), c_uint32(0), c_uint32(0), c_uint32(256))
            found = self.ask("get_property", PROPERTY, *words)
            if not found:
                continue
            self.xcb.xcb_get_property_value.restype = c_void_p
            text = ctypes.string_at(self.xcb.xcb_get_property_value(found), found.contents.count) if found.contents.count else b""
            self.release(found)
            if text:
                return text.decode(errors="replace")
        return ""

    def find(self, title, window=None, depth=4):
        """The visible window whose title begins so, or None."""
        for child in self.children(window or self.root):
            if self.title(child).startswith(title) and self.is_visible(child):
                return child
            if depth > 1 and (found := self.find(title, child, depth - 1)):
                return found
        return None

    def is_visible(self, window):
        found = self.value("get_window_attributes", ATTRIBUTES, c_uint32(window))
        return found is not None and found.state == VIEWABLE

    def rectangle(self, window):
        """x, y, width and height on the screen; None if the window is gone or hidden."""
        size = self.value("get_geometry", GEOMETRY, c_uint32(window))
        words = (c_uint32(window), c_uint32(self.root), c_int16(0), c_int16(0))
        place = self.value("translate_coordinates", PLACE, *words) if size and self.is_visible(window) else None
        return (place.x, place.y, size.width, size.height) if place else None

    # Pixels

    def raw(self, x, y, width, height):
        """The screen's pixels as bytes: blue, green, red and one more each. The rectangle must be on the screen."""
        place = (c_int16(x), c_int16(y), c_uint16(width), c_uint16(height))
        found = self.ask("get_image", IMAGE, c_uint8(Z_PIXMAP), c_uint32(self.root), *place, c_uint32(ALL_PLANES))
        if not found:
            return None
        self.xcb.xcb_get_image_data.restype = c_void_p
        pixels = ctypes.string_at(self.xcb.xcb_get_image_data(found), 4 * width * height)
        self.release(found)
        return pixels

    def picture(self, x, y, width, height):
        """The part of the rectangle that is on the screen: (height, width, 3), red, green, blue; None if there is none."""
        left, top = max(0, x), max(0, y)
        right, bottom = min(self.width, x + width), min(self.height, y + height)
        raw = self.raw(left, top, right - left, bottom - top) if right > left and bottom > top else None
        return np.frombuffer(raw, np.uint8).reshape(bottom - top, right - left, 4)[:, :, 2::-1] if raw else None
