"""What python-pptx leaves to do: our colours, clips that start by themselves, alt text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

#: Which of the clips' colours stands for which of a theme's.
_SCHEME = {
    "dk1": "text", "lt1": "background", "dk2": "muted", "lt2": "panel",
    "accent1": "source", "accent2": "target", "accent3": "high", "accent4": "line",
    "accent5": "muted", "accent6": "grid", "hlink": "source", "folHlink": "target",
}  # fmt: skip
CHINESE = "Microsoft YaHei"  # elsewhere another one stands in for it; Latin stays as it is
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"

#: One click-free sequence: the clip plays when the slide is shown and stays at its last picture.
#: The second part lets a click on the picture play it again.
_TIMING = """
<p:timing xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"><p:tnLst><p:par>
<p:cTn id="1" dur="indefinite" restart="never" nodeType="tmRoot"><p:childTnLst>
<p:seq concurrent="1" nextAc="seek"><p:cTn id="2" dur="indefinite" nodeType="mainSeq"><p:childTnLst>
<p:par><p:cTn id="3" fill="hold"><p:stCondLst><p:cond delay="indefinite"/>
<p:cond evt="onBegin" delay="0"><p:tn val="2"/></p:cond></p:stCondLst><p:childTnLst>
<p:par><p:cTn id="4" fill="hold"><p:stCondLst><p:cond delay="0"/></p:stCondLst><p:childTnLst>
<p:par><p:cTn id="5" presetID="1" presetClass="mediacall" presetSubtype="0" fill="hold"
nodeType="afterEffect"><p:stCondLst><p:cond delay="0"/></p:stCondLst><p:childTnLst>
<p:cmd type="call" cmd="playFrom(0.0)"><p:cBhvr><p:cTn id="6" dur="{milliseconds}" fill="hold"/>
<p:tgtEl><p:spTgt spid="{shape}"/></p:tgtEl></p:cBhvr></p:cmd>
</p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:par>
</p:childTnLst></p:cTn>
<p:prevCondLst><p:cond evt="onPrev" delay="0">
<p:tgtEl><p:sldTgt/></p:tgtEl></p:cond></p:prevCondLst>
<p:nextCondLst><p:cond evt="onNext" delay="0">
<p:tgtEl><p:sldTgt/></p:tgtEl></p:cond></p:nextCondLst>
</p:seq>
<p:video><p:cMediaNode vol="80000"><p:cTn id="7" fill="hold" display="0"><p:stCondLst>
<p:cond delay="indefinite"/></p:stCondLst></p:cTn>
<p:tgtEl><p:spTgt spid="{shape}"/></p:tgtEl></p:cMediaNode></p:video>
</p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>
"""


def blank_deck(width: int, height: int) -> Any:
    """An empty presentation of that size (EMU) whose layouts fit it."""
    from pptx import Presentation

    deck = Presentation()
    scale = width / deck.slide_width, height / deck.slide_height
    for owner in (deck.slide_master, *deck.slide_layouts):
        for frame in owner._element.iter(f"{_A}xfrm"):
            _scale(frame, *scale)
    deck.slide_width, deck.slide_height = width, height
    return deck


def _scale(frame: Any, across: float, down: float) -> None:
    for part, names in ((f"{_A}off", "xy"), (f"{_A}ext", ("cx", "cy"))):
        for element in frame.iter(part):
            for name, factor in zip(names, (across, down), strict=True):
                element.set(name, str(round(int(element.get(name)) * factor)))


def set_theme(deck: Any, ink: Mapping[str, str]) -> None:
    """Gives the deck the clips' colours and a font for Chinese."""
    from lxml import etree
    from pptx.opc.constants import RELATIONSHIP_TYPE

    part = deck.slide_master.part.part_related_by(RELATIONSHIP_TYPE.THEME)
    theme = etree.fromstring(part.blob)
    for name, role in _SCHEME.items():
        (place,) = theme.iter(f"{_A}{name}")
        place[:] = [etree.Element(f"{_A}srgbClr", val=ink[role].lstrip("#"))]
    for family in ("majorFont", "minorFont"):
        (fonts,) = theme.iter(f"{_A}{family}")
        fonts.find(f"{_A}ea").set("typeface", CHINESE)
    part._blob = etree.tostring(theme, xml_declaration=True, encoding="UTF-8", standalone=True)


def add_picture(slide: Any, picture: Path, box: tuple[int, int, int, int]) -> Any:
    return slide.shapes.add_picture(str(picture), *box)


def add_clip(
    slide: Any, film: Path, poster: Path, box: tuple[int, int, int, int], milliseconds: int
) -> Any:
    """A clip that plays when its slide is reached."""
    from lxml import etree

    shape = slide.shapes.add_movie(
        str(film), *box, poster_frame_image=str(poster), mime_type="video/mp4"
    )
    root = slide._element
    for old in root.findall(root.tag.replace("}sld", "}timing")):
        root.remove(old)
    timing = _TIMING.format(milliseconds=milliseconds, shape=shape.shape_id)
    root.append(etree.fromstring(timing))
    return shape


def describe(shape: Any, name: str, alt: str) -> None:
    """A name for the list of objects, and what is told to those who do not see it."""
    properties = shape._element.xpath(".//p:cNvPr")[0]
    properties.set("name", name)
    properties.set("descr", alt)


def hide_title(slide: Any, text: str) -> None:
    """A title above the slide's edge: for the outline and for screen readers."""
    from pptx.util import Pt

    title = slide.shapes.title
    deck = slide.part.package.presentation_part.presentation
    title.left, title.top = 0, -deck.slide_height // 4
    title.width, title.height = deck.slide_width, deck.slide_height // 5
    title.text_frame.text = text
    title.text_frame.paragraphs[0].runs[0].font.size = Pt(16)
