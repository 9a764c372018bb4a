"""Album pictures drawn by a seed, as SVG: no files, no network."""

import random

PALETTES = (
    ("#14213d", "#fca311", "#e5e5e5"),
    ("#2d3142", "#ef8354", "#bfc0c0"),
    ("#0b3954", "#bfd7ea", "#ff6663"),
    ("#264653", "#e9c46a", "#e76f51"),
    ("#3d405b", "#81b29a", "#f2cc8f"),
    ("#1b1b3a", "#693668", "#f8b195"),
    ("#102a2c", "#5fa8a3", "#f4e9cd"),
    ("#4a1942", "#eaafaf", "#ee6c4d"),
    ("#22223b", "#9a8c98", "#f2e9e4"),
    ("#073b4c", "#06d6a0", "#ffd166"),
    ("#3a2618", "#d98e4a", "#f6e7cb"),
    ("#1d2d44", "#748cab", "#f0ebd8"),
)


def draw(seed):
    """Returns an SVG picture of 600 by 600."""
    dice = random.Random(seed)
    ground, first, second = dice.choice(PALETTES)
    shapes = dice.choice((sun, waves, arcs, blocks, rings, hills))(dice, first, second)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 600" width="600" height="600">'
        f'<defs><linearGradient id="g" x1="0" y1="0" x2="{dice.random():.2f}" y2="1"><stop stop-color="{ground}"/>'
        f'<stop offset="1" stop-color="{first}" stop-opacity=".55"/></linearGradient></defs>'
        f'<rect width="600" height="600" fill="{ground}"/><rect width="600" height="600" fill="url(#g)"/>{shapes}</svg>'
    )


def sun(dice, first, second):
    x, y, radius = dice.randint(180, 420), dice.randint(180, 320), dice.randint(90, 160)
    lines = "".join(
        f'<rect x="0" y="{y + 40 + 34 * i}" width="600" height="{6 + 3 * i}" fill="{first}" opacity=".8"/>' for i in range(8)
    )
    return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{second}"/>{lines}'


def waves(dice, first, second):
    parts = []
    for i in range(9):
        y, lift = 90 + i * 58, dice.randint(-90, 90)
        colour = second if i % 3 == 1 else first
        parts.append(
            f'<path d="M-20 {y} C 150 {y - lift}, 450 {y + lift}, 620 {y}" stroke="{colour}" stroke-width="{10 + 2 * i}"'
            f' fill="none" opacity="{0.35 + i * 0.07:.2f}"/>'
        )
    return "".join(parts)


def arcs(dice, first, second):
    x, y = dice.choice(((0, 600), (600, 600), (300, 600), (0, 0)))
    return "".join(
        f'<circle cx="{x}" cy="{y}" r="{r}" fill="none" stroke="{second if i % 2 else first}" stroke-width="34" opacity=".85"/>'
        for i, r in enumerate(range(90, 620, 82))
    )


def blocks(dice, first, second):
    parts = []
    for column in range(4):
        for line in range(4):
            colour = dice.choice((first, second, "none", first))
            x, y = column * 150, line * 150
            form = dice.choice(
                (
                    f'<rect x="{x}" y="{y}" width="150" height="150" fill="{colour}"/>',
                    f'<path d="M{x} {y}h150a150 150 0 0 1 -150 150z" fill="{colour}"/>',
                    f'<path d="M{x + 150} {y + 150}h-150a150 150 0 0 1 150 -150z" fill="{colour}"/>',
                    f'<circle cx="{x + 75}" cy="{y + 75}" r="75" fill="{colour}"/>',
                )
            )
            parts.append(form)
    return f'<g opacity=".9">{"".join(parts)}</g>'


def rings(dice, first, second):
    x, y = dice.randint(220, 380), dice.randint(220, 380)
    return "".join(
        f'<ellipse cx="{x}" cy="{y}" rx="{40 + 30 * i}" ry="{28 + 26 * i}" fill="none" stroke="{first if i % 4 else second}"'
        f' stroke-width="7" transform="rotate({dice.randint(-6, 6) + i * 4} {x} {y})"/>'
        for i in range(9)
    )


def hills(dice, first, second):
    parts = [f'<circle cx="{dice.randint(120, 480)}" cy="150" r="62" fill="{second}"/>']
    for i in range(4):
        y = 270 + i * 85
        a, b = dice.randint(-110, 60), dice.randint(-110, 60)
        parts.append(
            f'<path d="M0 {y} C 150 {y + a}, 260 {y + a}, 340 {y} S 520 {y + b}, 600 {y} V600 H0z" fill="{first}" opacity="{0.35 + i * 0.2:.2f}"/>'
        )
    return "".join(parts)
