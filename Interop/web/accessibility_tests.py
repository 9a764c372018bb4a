"""Accessibility: axe-core where it is installed, and rules of our own, on each screen in both themes."""

import os

from stage import Skipped, expect, test, wait_for

SCREENS = ("#/playing", "#/queue", "#/rooms", "#/library/albums", "#/library/artists", "#/library/tracks", "#/library/folders",
           "#/library/playlists", "#/library/radio", "#/library/search?q=a", "#/alarms")
SIZES = ((390, 844), (1280, 800))
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

OWN_RULES = """() => {
    const faults = [];
    const visible = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && e.getClientRects().length;
    const name = (e) => (e.getAttribute('aria-label') || (e.getAttribute('aria-labelledby') || '').split(' ').map(id => document.getElementById(id)?.textContent ?? '').join('')
        || [...(e.labels ?? [])].map(l => l.textContent).join('') || e.textContent || e.title || '').trim();
    const tell = (rule, e) => faults.push(`${rule}: ${e.tagName.toLowerCase()}.${e.className?.baseVal ?? e.className} “${name(e).slice(0, 40)}”`);
    for (const e of document.querySelectorAll('button, a[href], input, select, [role=slider], [role=meter]')) {
        if (!visible(e)) continue;
        if (!name(e)) tell('no name', e);
        const box = e.getBoundingClientRect();
        const isTarget = e.getAttribute('role') !== 'meter' && !e.closest('p');
        if (isTarget && (box.width < 24 || box.height < 24) && e.type !== 'checkbox') tell(`target of ${Math.round(box.width)}x${Math.round(box.height)}`, e);
    }
    const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
    for (const id of new Set(ids.filter((id, i) => ids.indexOf(id) !== i))) faults.push(`id twice: ${id}`);
    for (const e of document.querySelectorAll('[aria-labelledby], [aria-controls], [aria-describedby]'))
        for (const attribute of ['aria-labelledby', 'aria-controls', 'aria-describedby'])
            for (const id of (e.getAttribute(attribute) ?? '').split(' ').filter(Boolean)) if (!document.getElementById(id)) faults.push(`${attribute} leads nowhere: ${id}`);
    for (const e of document.querySelectorAll('img:not([alt])')) tell('picture without alt', e);
    for (const e of document.querySelectorAll('[tabindex]')) if (e.tabIndex > 0) tell('tabindex above 0', e);
    if (![...document.querySelectorAll('h1')].some(visible) && !document.querySelector('h2')) faults.push('no heading');
    return faults;
}"""

# Contrast of texts against the colour behind them, mixed from all backgrounds that are one colour.
CONTRAST = """() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
    const context = canvas.getContext('2d', { willReadFrequently: true });
    const paint = (colours) => {
        context.clearRect(0, 0, 1, 1);
        for (const colour of colours) { context.fillStyle = colour; context.fillRect(0, 0, 1, 1); }
        return [...context.getImageData(0, 0, 1, 1).data];
    };
    const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const faults = [];
    let worst = 21;
    for (const e of document.querySelectorAll('body *')) {
        const hasText = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
        if (!hasText || !e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || e.closest('.hidden, .skip, :disabled, svg, option, noscript')) continue;
        const backgrounds = [];
        for (let p = e; p; p = p.parentElement) backgrounds.unshift(getComputedStyle(p).backgroundColor);
        const tint = getComputedStyle(document.documentElement).getPropertyValue('--tint');
        const style = getComputedStyle(e);
        for (const ground of [backgrounds, [backgrounds[0], backgrounds[1], tint, ...backgrounds.slice(2)]]) {
            const a = light(paint(ground)), b = light(paint([...ground, style.color]));
            const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            const size = parseFloat(style.fontSize), isLarge = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
            worst = Math.min(worst, ratio);
            if (ratio < (isLarge ? 3 : 4.5)) faults.push(`contrast ${ratio.toFixed(2)}: .${e.className} “${e.textContent.trim().slice(0, 30)}”`);
        }
    }
    return { faults: [...new Set(faults)], worst };
}"""


def axe_script():
    try:
        import axe_playwright_python
    except ImportError:
        return None
    folder = os.path.dirname(axe_playwright_python.__file__)
    for base, _, names in os.walk(folder):
        if "axe.min.js" in names:
            with open(os.path.join(base, "axe.min.js"), encoding="utf-8") as file:
                return file.read()
    return None


def screens(stage):
    """Opens each screen once in each size and theme."""
    stage.fill(6, plays=True)
    for theme in ("light", "dark"):
        for width, height in SIZES:
            page = stage.open("#/playing", width, height, theme)
            for hash_ in SCREENS:
                page.evaluate("hash => location.hash = hash", hash_)
                page.wait_for_timeout(350)
                yield f"{hash_} {theme} {width}", page


def with_dialogs(page):
    """Opens menus and questions one after the other."""
    page.goto(page.url.split("#")[0] + "#/queue")
    for opener in ("#zone-button", "#queue .panel-head .icon-button", "#queue .queue-row:not([hidden]) .row-more"):
        page.locator(opener).first.click()
        page.locator("dialog").wait_for()
        page.wait_for_timeout(100)
        yield opener
        page.keyboard.press("Escape")
        wait_for(lambda: page.locator("dialog").count() == 0, "Escape does not close")
    page.evaluate("location.hash = '#/library/radio'")
    page.get_by_role("button", name="Add a station").click()
    page.locator("dialog").wait_for()
    yield "question"
    page.keyboard.press("Escape")
    wait_for(lambda: page.locator("dialog").count() == 0, "Escape does not close")
    page.keyboard.press("?")
    page.locator("dialog").wait_for()
    yield "help"
    page.keyboard.press("Escape")
    wait_for(lambda: page.locator("dialog").count() == 0, "Escape does not close")
    yield from with_sheets(page)


def with_sheets(page):
    """Opens the sheets of sound, announcements and alarms."""
    page.evaluate("location.hash = '#/rooms'")
    page.locator(".room .room-head .icon-button").first.click()
    yield "room settings"
    for name, role in (("Equaliser of", "button"), ("Announcement", "button"), ("Alarms", "link"), ("New alarm", "button")):
        page.get_by_role(role, name=name).locator("visible=true").first.click()
        if name == "Alarms":
            continue
        page.locator("dialog").wait_for()
        page.wait_for_timeout(150)
        yield name
        page.keyboard.press("Escape")
        wait_for(lambda: page.locator("dialog").count() == 0, "Escape does not close")
    page.evaluate("location.hash = '#/playing'")
    page.locator("#playing").get_by_role("button", name="Sound").click()
    page.locator("dialog").wait_for()
    yield "sound of a zone"
    page.keyboard.press("Escape")


@test("axe-core finds no violation on any screen, in light and dark")
def axe(stage):
    script = axe_script()
    if not script:
        raise Skipped("axe-playwright-python is not installed; the rules of our own run all the same")
    checked, faults = 0, []

    def check(name, page):
        # The policy of the page forbids other scripts; the debugger may run them.
        if not page.evaluate("Boolean(window.axe)"):
            page.evaluate(script)
        found = page.evaluate("tags => axe.run(document, { runOnly: tags, resultTypes: ['violations'] }).then(r => r.violations)", AXE_TAGS)
        faults.extend(f"{name}: {v['id']}: {v['nodes'][0]['html'][:110]} ({len(v['nodes'])})" for v in found)

    for name, page in screens(stage):
        check(name, page)
        checked += 1
    for name in with_dialogs(page):
        check(name, page)
        checked += 1
    stage.note(f"{checked} screens")
    expect(not faults, f"{len(faults)} violations: " + " || ".join(faults[:6]))


@test("our own rules hold on every screen: names, targets, references, contrast")
def own_rules(stage):
    faults, worst, checked = [], 21, 0
    for name, page in screens(stage):
        contrast = page.evaluate(CONTRAST)
        worst = min(worst, contrast["worst"])
        faults += [f"{name}: {fault}" for fault in page.evaluate(OWN_RULES) + contrast["faults"]]
        checked += 1
    for name in with_dialogs(page):
        faults += [f"{name}: {fault}" for fault in page.evaluate(OWN_RULES) + page.evaluate(CONTRAST)["faults"]]
        checked += 1
    stage.note(f"{checked} screens, least contrast {worst:.2f}")
    expect(not faults, f"{len(faults)} faults: " + " || ".join(faults[:8]))


@test("the tab key reaches everything in order, and is caught nowhere")
def no_trap(stage):
    stage.fill(3)
    page = stage.open()
    seen = []
    for _ in range(200):
        page.keyboard.press("Tab")
        here = page.evaluate("(() => { const e = document.activeElement; return e === document.body ? null : (e.id || e.className) + '|' + (e.getAttribute('aria-label') ?? e.textContent).slice(0, 30); })()")
        if here is None:
            break
        seen.append(here)
    expect(here is None or here == seen[0], "the tab key does not come out of the page")
    text = " ".join(seen)
    for part in ("skip", "zone-button", "search-field", "seek", "Play", "Shuffle", "room-join", "grip", "row-main"):
        expect(part in text, f"the tab key does not reach {part}")
    expect(seen[0].startswith("skip"), "the first stop is not the way to the content")


@test("the page works at 200 % zoom, on 320 pixels, and with forced colours")
def zoom(stage):
    stage.fill(4, plays=True)
    for width, height in ((640, 400), (320, 568)):
        page = stage.open("#/playing", width, height)
        for view in ("playing", "queue", "rooms", "library/albums"):
            page.evaluate("hash => location.hash = hash", "#/" + view)
            page.wait_for_timeout(200)
            expect(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{view} is wider than {width} pixels")
        page.evaluate("location.hash = '#/playing'")
        page.locator("#playing .play").click()
        page.locator("#playing .chip").first.scroll_into_view_if_needed()
        expect(page.locator("#playing .chip").first.is_visible(), "the last control cannot be reached")
    page.emulate_media(forced_colors="active")
    expect(page.locator("#playing .play").is_visible(), "the play button is gone with forced colours")


@test("reduced motion ends all transitions at once")
def reduced_motion(stage):
    stage.fill(2)
    page = stage.open()
    page.emulate_media(reduced_motion="reduce")
    slow = page.evaluate("[...document.querySelectorAll('*')].filter(e => getComputedStyle(e).transitionDuration.split(',').some(t => parseFloat(t) > 0.01)).length")
    expect(slow == 0, f"{slow} elements still move")
