"use strict";
// Without this the deck is a plain page: every beat's picture and words, one below the other.
{
  const root = document.documentElement;
  const asked = new URLSearchParams(location.search);
  const all = (selector, where = document) => [...where.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);
  const slides = all(".slide");
  const films = new Map(all(".film").map((film) => [film.dataset.clip, film]));
  const stillness = matchMedia("(prefers-reduced-motion: reduce)");

  const remembered = (name) => {
    try { return localStorage.getItem(`lookback-${name}`); } catch { return null; }
  };
  const remember = (name, value) => {
    try { localStorage.setItem(`lookback-${name}`, value); } catch { /* not here */ }
  };

  let at = 0; // the number of the slide
  let still = stillness.matches;
  let watched = 0; // the animation frame that waits for the end of the beat

  const here = () => slides[at];
  const isBeat = (slide) => slide.classList.contains("beat");
  const film = () => (isBeat(here()) ? films.get(here().dataset.clip) : undefined);
  const start = () => Number(here().dataset.start);
  const end = () => Number(here().dataset.end);
  // The middle of the last frame: never a picture of the beat that follows.
  const last = () => Math.max(start(), end() - 0.5 / Number(here().dataset.rate));

  // Playing

  function stop() {
    cancelAnimationFrame(watched);
    for (const other of films.values()) other.pause();
  }

  /** Shows the beat's last picture and waits. */
  function rest() {
    stop();
    if (film()) film().currentTime = last();
    root.dataset.state = "waiting";
  }

  function watch() {
    const playing = film();
    if (!playing || playing.paused) return;
    if (playing.ended || playing.currentTime >= last() - 0.005) rest();
    else watched = requestAnimationFrame(watch);
  }

  /** Plays the beat from its start; from where it is, if it is there already. */
  function play() {
    stop();
    const playing = film();
    if (!playing || still) return rest();
    // The first frame of the beat; going on from the beat before needs no jump.
    if (Math.abs(playing.currentTime - start()) > 0.1) playing.currentTime = start() + 0.01;
    resume();
  }

  function resume() {
    root.dataset.state = "playing";
    film().play().then(watch, rest);
  }

  // Frames are not drawn in a window that nobody sees: the clock of the film watches then.
  for (const each of films.values()) each.addEventListener("timeupdate", () => each === film() && watch());

  // Slides

  function go(number, moving = true) {
    number = Math.min(Math.max(number, 0), slides.length - 1);
    stop();
    here().classList.remove("here");
    at = number;
    here().classList.add("here");
    show();
    if (moving && isBeat(here())) play(); else rest();
    // An address that leads back here, where the browser allows it to be written.
    try { history.replaceState(null, "", `#${at + 1}`); } catch { /* not here */ }
  }

  function show() {
    const slide = here();
    const drawn = slide.querySelector(".still") || !films.has(slide.dataset.clip);
    slide.classList.toggle("still", isBeat(slide) && still && Boolean(drawn));
    for (const [clip, each] of films) {
      each.hidden = !isBeat(slide) || clip !== slide.dataset.clip || slide.classList.contains("still");
      // The clip of this slide and the next one are made ready, the others wait.
      each.preload = Math.abs(Number(clip) - Number(slide.dataset.clip)) <= 1 ? "auto" : "metadata";
    }
    for (const picture of all("img", slide)) picture.loading = "eager";
    one("output").value = at + 1;
    tell();
  }

  function tell() {
    const slide = here(), caption = slide.querySelector(".caption") || slide.querySelector("h2");
    const opening = slides.find((other) => other.dataset.clip === slide.dataset.clip);
    const spoken = (node) => (node.querySelector(`.${root.lang}`) || node).textContent;
    one(".named").textContent = spoken(opening.querySelector("h2"));
    one("#told").textContent = spoken(caption);
    all("#contents [data-to]").forEach((button, number) => {
      if (number === at) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
  }

  // Choices

  const mark = (name, on) => {
    const button = one(`.more [data-do=${name}]`);
    button.setAttribute("aria-pressed", String(on));
  };

  // The clip carries its captions in the language it was drawn in: another one is added.
  const drawnIn = root.lang;
  const captionsBegin = () => captions(root.lang !== drawnIn);

  function captions(on) {
    root.classList.toggle("said", on);
    mark("captions", on);
  }

  function speak(lang) {
    root.lang = root.dataset.lang = lang;
    for (const name of ["aria-label", "alt"])
      for (const each of all(`[data-${name}-${lang}]`))
        each.setAttribute(name, each.getAttribute(`data-${name}-${lang}`));
    captionsBegin();
  }

  function stills(on) {
    still = on;
    mark("stills", on);
    show();
    if (isBeat(here())) { if (on) rest(); else play(); }
  }

  const ACTIONS = {
    next() { go(at + 1); },
    back() { go(at - 1); },
    first() { go(0); },
    last() { go(slides.length - 1); },
    again() { if (film()) { film().currentTime = start() + 0.01; play(); } },
    pause() {
      if (!film() || still) return;
      if (film().paused) { if (film().currentTime < last() - 0.02) resume(); else ACTIONS.again(); }
      else { stop(); root.dataset.state = "paused"; }
    },
    notes() { mark("notes", root.classList.toggle("noted")); },
    stills() { stills(!still); },
    captions() { captions(!root.classList.contains("said")); },
    language() {
      const lang = root.lang === "zh" ? "en" : "zh";
      speak(lang);
      remember("lang", lang);
      tell();
    },
    theme() { root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark"; },
    full() {
      if (document.fullscreenElement) document.exitFullscreen();
      else if (root.requestFullscreen) root.requestFullscreen().catch(() => {});
    },
    help() { one("#help").showModal(); },
    contents() {
      one("#contents").showModal();
      const current = one("#contents [aria-current]");
      if (current) { current.scrollIntoView({ block: "center" }); current.focus(); }
    },
  };

  const KEYS = {
    ArrowRight: "next", ArrowDown: "next", PageDown: "next", " ": "next", Enter: "next",
    ArrowLeft: "back", ArrowUp: "back", PageUp: "back", Home: "first", End: "last",
    r: "again", p: "pause", n: "notes", s: "stills", c: "captions", l: "language", t: "theme",
    f: "full", o: "contents", "?": "help", h: "help",
  };

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || one("dialog[open]")) return;
    const pressed = event.key === " " || event.key === "Enter";
    if (pressed && event.target.closest("button")) return; // it is clicked by that
    if (event.target.closest(".notes") && /^(Arrow(Up|Down)|Page)/.test(event.key)) return; // it scrolls
    const action = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    ACTIONS[action]();
  });

  document.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (button && button.dataset.to) {
      const first = slides.findIndex((slide) => slide.id === button.dataset.to);
      button.closest("dialog").close();
      go(first + Number(button.dataset.plus));
    } else if (button && button.dataset.do) ACTIONS[button.dataset.do]();
    else if (!button && target.closest("main") && !target.closest(".notes")) ACTIONS.next();
  });

  addEventListener("hashchange", () => {
    const number = Number(location.hash.slice(1));
    if (number >= 1 && number - 1 !== at) go(number - 1);
  });
  addEventListener("beforeprint", () => { for (const picture of all("img")) picture.loading = "eager"; });

  // How it begins

  root.classList.add("live");
  const lang = asked.get("lang") || remembered("lang");
  if (["zh", "en"].includes(lang)) speak(lang);
  const theme = asked.get("theme");
  if (["light", "dark"].includes(theme)) root.dataset.theme = theme;
  mark("stills", still);
  captionsBegin();
  go((Number(location.hash.slice(1)) || 1) - 1, false);
}
