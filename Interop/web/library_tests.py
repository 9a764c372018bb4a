"""Search and browsing."""

from stage import expect, test, wait_for


@test("search finds while one types, and a result is added to the end")
def search(stage):
    stage.fill(3)
    track = stage.tracks(8)[7]
    page = stage.open()
    page.locator("body").press("/")
    field = page.locator("#search-field")
    wait_for(lambda: page.evaluate("document.activeElement.id") == "search-field", "the key / does not go to the field")
    field.press_sequentially(track["title"], delay=20)
    more = page.locator("#library .row").filter(has_text=track["title"]).get_by_role("button", name=f"More for {track['title']}", exact=True).first
    more.click()
    page.get_by_role("menuitem", name="Add to the end").click()
    wait_for(lambda: stage.titles()[-1:] == [track["title"]], f"the house has {stage.titles()}")
    field.fill("zzzzqqqq")
    page.get_by_text("Nothing was found.").wait_for()
    field.fill("")
    page.locator("#library .card").first.wait_for()


@test("the albums' grid loads pictures as they come into sight")
def grid(stage):
    page = stage.open("#/library/albums")
    page.locator("#library .card .picture.loaded").first.wait_for()
    total = stage.api.get("/library/albums?count=1")["total"]
    shown = page.locator("#library .card:not([hidden])").count()
    expect(0 < shown <= max(60, total), f"{shown} cards are in the page")
    lefts = page.locator("#library .card:not([hidden])").evaluate_all("cards => new Set(cards.map(c => Math.round(c.getBoundingClientRect().left))).size")
    expect(total < 2 or lefts >= 2, "the cards stand in one column")


@test("an album is played, an artist's page leads to it")
def album(stage):
    track = stage.tracks(1)[0]
    album = stage.api.get(f"/library/albums/{track['albumID']}")
    page = stage.open(f"#/library/artists/{album['artistID']}")
    page.locator("#library .card-link").filter(has_text=album["title"]).first.click()
    wait_for(lambda: page.locator("#library-heading").text_content() == album["title"], "the album is not shown")
    page.get_by_role("button", name="Replace", exact=True).click()
    wait_for(lambda: stage.titles() == [t["title"] for t in album["tracks"]], f"the house has {stage.titles()}")


@test("all sections of the library open, without an error")
def sections(stage):
    page = stage.open("#/library/albums")
    for name in ("Artists", "Tracks", "Folders", "Playlists", "Radio", "Albums"):
        page.locator(".sections").get_by_role("link", name=name).click()
        wait_for(lambda name=name: page.locator("#library-heading").text_content() == name, f"{name} is not shown")
        page.locator("#library .scroller :is(.row, .card, .empty-note)").first.wait_for()
        expect(not page.get_by_text("cannot be shown").is_visible(), f"{name} shows an error")


@test("folders open and close")
def folders(stage):
    page = stage.open("#/library/folders")
    first = page.locator("#library .row a.row-main").first
    first.wait_for()
    name = first.locator(".row-title").text_content()
    first.click()
    wait_for(lambda: page.locator("#library-heading").text_content() == name, "the folder does not open")
    page.locator(".library-tools a").click()
    wait_for(lambda: page.locator("#library-heading").text_content() != name, "the folder does not close")


@test("a station is added, changed, played and removed")
def stations(stage):
    page = stage.open("#/library/radio")
    page.get_by_role("button", name="Add a station").click()
    page.get_by_label("Name", exact=True).fill("Web station")
    page.get_by_label("Address of the stream").fill("http://127.0.0.1:9/a.mp3")
    page.get_by_role("button", name="Add", exact=True).click()

    def stored(name):
        return [s for s in stage.api.get("/library/stations")["items"] if s["name"] == name]

    station = wait_for(lambda: stored("Web station"), "the station was not added")[0]["id"]
    try:
        page.get_by_role("button", name="More for Web station").click()
        page.get_by_role("menuitem", name="Change…").click()
        page.get_by_label("Name", exact=True).fill("Web station two")
        page.get_by_role("button", name="Save").click()
        wait_for(lambda: stored("Web station two"), "the station was not changed")
        page.get_by_role("button", name="More for Web station two").click()
        page.get_by_role("menuitem", name="Play next").click()
        wait_for(lambda: stage.titles() == ["Web station two"], "the station is not in the queue")
        page.get_by_role("button", name="More for Web station two").first.click()
        page.get_by_role("menuitem", name="Remove").click()
        wait_for(lambda: not stored("Web station two"), "the station was not removed")
    finally:
        if stored("Web station") or stored("Web station two"):
            stage.api.delete(f"/library/stations/{station}")


@test("an empty library fills itself after a scan")
def filled_by_scan(stage):
    page = stage.open("#/library/radio")
    page.route("**/library/albums?*", lambda route: route.fulfill(content_type="application/json", body='{"total":0,"start":0,"items":[]}'))
    page.evaluate("location.hash = '#/library/albums'")
    page.get_by_text("The library is empty.").wait_for()
    # Events of the library so far have been followed by then.
    page.wait_for_timeout(600)
    page.unroute_all(behavior="wait")
    stage.api.post("/library/scan")
    page.locator("#library .card").first.wait_for()
