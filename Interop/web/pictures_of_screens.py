"""Pictures of all screens for the documentation: phone and desktop, light and dark."""

import os

try:
    from PIL import Image
except ImportError:
    # Without Pillow the files are three times as large.
    Image = None

PHONE, DESKTOP = (390, 844), (1280, 800)
# Name, address, size, theme, whether it is the demo.
SCREENS = (
    ("web-playing-phone-light", "#/playing", PHONE, "light"),
    ("web-playing-phone-dark", "#/playing", PHONE, "dark"),
    ("web-queue-phone-light", "#/queue", PHONE, "light"),
    ("web-queue-phone-dark", "#/queue", PHONE, "dark"),
    ("web-rooms-phone-light", "#/rooms", PHONE, "light"),
    ("web-rooms-phone-dark", "#/rooms", PHONE, "dark"),
    ("web-albums-phone-light", "#/library/albums", PHONE, "light"),
    ("web-albums-phone-dark", "#/library/albums", PHONE, "dark"),
    ("web-playing-desktop-light", "#/playing", DESKTOP, "light"),
    ("web-playing-desktop-dark", "#/playing", DESKTOP, "dark"),
    ("web-albums-desktop-light", "#/library/albums", DESKTOP, "light"),
    ("web-albums-desktop-dark", "#/library/albums", DESKTOP, "dark"),
    ("web-album-desktop-dark", "album", DESKTOP, "dark"),
    ("web-search-desktop-light", "#/library/search?q=light", DESKTOP, "light"),
    ("web-artists-phone-light", "#/library/artists", PHONE, "light"),
    ("web-tracks-desktop-light", "#/library/tracks", DESKTOP, "light"),
    ("web-folders-phone-dark", "#/library/folders", PHONE, "dark"),
    ("web-playlists-phone-light", "#/library/playlists", PHONE, "light"),
    ("web-radio-phone-dark", "#/library/radio", PHONE, "dark"),
)


def take(browser, address, demo_address, folder):
    """Takes all pictures; the demo's only if there is one. Returns the exit status."""
    os.makedirs(folder, exist_ok=True)
    for name, hash_, size, theme in SCREENS:
        page = show(browser, address, "#/library/albums/9" if hash_ == "album" else hash_, size, theme)
        save(page, folder, name)
    if demo_address:
        for name, size, theme in (("web-demo-desktop-light", DESKTOP, "light"), ("web-demo-phone-dark", PHONE, "dark")):
            page = show(browser, demo_address, "#/playing", size, theme)
            plug = page.locator(".plugs button").first
            plug.click()
            page.wait_for_timeout(7000)
            page.mouse.move(1, 1)
            plug.evaluate("button => setTimeout(() => button.click(), 1500)")
            page.wait_for_timeout(500)
            save(page, folder, name, 1500)
    return 0


def show(browser, address, hash_, size, theme):
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=theme)
    page = context.new_page()
    page.goto(f"{address}/{hash_}")
    page.locator(".picture.loaded:visible").first.wait_for()
    page.wait_for_timeout(900)
    return page


def save(page, folder, name, wait=0):
    path = os.path.join(folder, name + ".png")
    page.screenshot(path=path)
    page.wait_for_timeout(wait)
    page.context.close()
    if Image:
        Image.open(path).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
