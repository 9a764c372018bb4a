"""Texts that want to do harm."""

import urllib.parse

from stage import expect, shown_titles, test, wait_for

TEXTS = (
    "<script>window.hacked = 1</script>",
    '<img src=x onerror="window.hacked = 2">',
    '"><svg onload="window.hacked = 3">',
    "مرحبا بالعالم — أغنية طويلة جدا",
    "\u202egnirts desrever a\u202c",
    "🎷🎺🥁" * 12,
    "Supercalifragilistic" * 10,
    "javascript:window.hacked=4",
    "&lt;b&gt;&amp;amp;",
    "{{7*7}} ${7*7} `x`",
)


def is_unharmed(page):
    expect(page.evaluate("window.hacked === undefined"), "a text was executed")
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth || document.body.scrollWidth > innerWidth")
    expect(not wide, "a text makes the page wider than the screen")


def check_titles(page):
    """Expects the texts as they are, but for white space, from the top of the queue."""
    expected = [" ".join(text.split()) for text in TEXTS]

    def agree():
        shown = [" ".join(title.split()) for title in shown_titles(page)]
        return shown and shown == expected[:len(shown)]

    wait_for(agree, "the titles differ")


@test("hostile names of stations, zones and playlists are shown as text, on all screens")
def hostile(stage):
    stations, playlists = [], []
    try:
        for i, text in enumerate(TEXTS):
            stations.append(stage.api.post("/library/stations", {"name": text, "address": f"http://127.0.0.1:9/{i}"})["station"])
            playlists.append(stage.api.post("/library/playlists", {"name": text, "tracks": []})["playlist"])
        stage.api.post(f"/zones/{stage.zone}/queue", {"items": [{"station": s} for s in stations], "place": "end"})
        stage.api.send("PATCH", f"/api/v1/zones/{stage.zone}", {"name": TEXTS[0]})
        for width, height in ((360, 740), (1280, 800)):
            page = stage.open("#/queue", width, height)
            check_titles(page)
            expect(page.locator("#zone-button .zone-name").text_content() == TEXTS[0], "the name of the zone differs")
            is_unharmed(page)
            for view in ("#/playing", "#/rooms", "#/library/radio", "#/library/playlists", "#/library/search?" + urllib.parse.urlencode({"q": TEXTS[1]})):
                page.goto(f"{stage.address}/{view}")
                page.wait_for_timeout(250)
                is_unharmed(page)
            page.locator("#zone-button").click()
            page.locator("dialog.menu").wait_for()
            is_unharmed(page)
            page.keyboard.press("Escape")
    finally:
        for station in stations:
            stage.api.delete(f"/library/stations/{station}")
        for playlist in playlists:
            stage.api.delete(f"/library/playlists/{playlist}")


@test("hostile tags are shown as text", needs_mock=True)
def hostile_tags(stage):
    found = stage.api.get("/library/search?q=zzz")["albums"][0]
    stage.api.post(f"/zones/{stage.zone}/queue", {"items": [{"album": found["id"]}], "place": "end"})
    page = stage.open(f"#/library/albums/{found['id']}", 360, 740)
    wait_for(lambda: page.locator("#library-heading").text_content() == found["title"], "the title differs")
    is_unharmed(page)
    for view in ("#/queue", "#/playing", "#/library/artists", "#/library/tracks"):
        page.goto(f"{stage.address}/{view}")
        page.wait_for_timeout(250)
        is_unharmed(page)


@test("hostile addresses of the page itself do no harm")
def hostile_addresses(stage):
    for hash_ in ("#/library/%", "#/library/albums/%3Cscript%3E", "#/nowhere/__proto__", "#/library/constructor", "#/library/search?q=%3Cimg%20src%3Dx%20onerror%3Dwindow.hacked%3D1%3E"):
        page = stage.open(hash_)
        page.wait_for_timeout(200)
        is_unharmed(page)
    # The server refuses an album that does not exist, and the browser notes that.
    stage.allow_errors()
