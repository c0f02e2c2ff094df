"use strict";
// The page works without any of this, in its first language, as films with the browser's controls.
{
  const root = document.documentElement;
  const asked = new URLSearchParams(location.search);
  const all = (selector, where = document) => [...where.querySelectorAll(selector)];
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const dark = matchMedia("(prefers-color-scheme: dark)");

  // What a visitor chose is remembered where the browser allows it.
  const remembered = (name) => {
    try { return localStorage.getItem(`lookback-${name}`); } catch { return null; }
  };
  const remember = (name, value) => {
    try { localStorage.setItem(`lookback-${name}`, value); } catch { /* not here */ }
  };

  // Language and look

  const ATTRIBUTES = ["aria-label", "alt", "label"];

  function speak(lang) {
    root.lang = root.dataset.lang = lang;
    for (const name of ATTRIBUTES)
      for (const one of all(`[data-${name}-${lang}]`))
        one.setAttribute(name, one.getAttribute(`data-${name}-${lang}`));
  }

  function paint(theme) { root.dataset.theme = theme; }

  // Stations

  class Station {
    constructor(article) {
      this.article = article;
      this.film = article.querySelector("video");
      this.beats = all(".beats button", article);
      this.stills = all(".stills li", article);
      this.current = -1;
      this.show(0);
      if (!this.film) return;
      for (const event of ["timeupdate", "seeked"])
        this.film.addEventListener(event, () => this.show(this.beatAt(this.film.currentTime)));
      // The browser's own menu may switch captions as well.
      this.film.textTracks.addEventListener("change", () => this.tellCaptions());
      this.captions(this.spoken());
    }

    start(number) { return Number(this.beats[number].dataset.start); }

    beatAt(time) {
      const after = this.beats.findIndex((_, number) => this.start(number) > time + 0.02);
      return (after < 0 ? this.beats.length : after) - 1;
    }

    show(number) {
      number = Math.max(0, number);
      if (number === this.current || !this.beats.length) return;
      this.current = number;
      for (const list of [this.beats, this.stills])
        list.forEach((one, at) => {
          if (at === number) one.setAttribute("aria-current", "true");
          else one.removeAttribute("aria-current");
        });
      this.article.querySelector("output").value = number + 1;
      const button = this.beats[number], panel = button.closest("ol");
      panel.scrollTop = button.offsetTop - (panel.clientHeight - button.offsetHeight) / 2;
    }

    step(by) {
      const time = this.film ? this.film.currentTime : 0;
      const into = this.film && !this.isStill ? time - this.start(this.current) : 0;
      // Back means to the start of this beat first, as in every player.
      const number = this.current + (by < 0 && into > 1 ? 0 : by);
      this.go(Math.min(Math.max(number, 0), this.beats.length - 1));
    }

    go(number) {
      // A little into the beat: its first frame, never the last one of the beat before.
      if (this.film) this.film.currentTime = this.start(number) + 0.01;
      this.show(number);
      if (this.isStill) this.stills[number].scrollIntoView({ block: "nearest" });
    }

    get isStill() { return this.article.dataset.form === "stills"; }

    form(name) {
      this.article.dataset.form = name;
      if (this.film && name === "stills") this.film.pause();
      for (const button of all("[data-do=form]", this.article))
        button.setAttribute("aria-pressed", String(button.dataset.form === name));
    }

    // The clip itself carries captions in its first language: only another one is added unasked.
    spoken() {
      const tracks = all("track", this.article).map((track) => track.srclang);
      return tracks.length && root.lang !== tracks[0] && tracks.includes(root.lang) ? root.lang : "";
    }

    captions(lang) {
      if (!this.film) return;
      for (const track of this.film.textTracks)
        track.mode = track.language === lang ? "showing" : "disabled";
      this.tellCaptions();
    }

    tellCaptions() {
      const shown = [...this.film.textTracks].find((track) => track.mode === "showing");
      this.article.querySelector("[data-do=captions]").value = shown ? shown.language : "";
    }

    /** How much of it is on screen, in pixels. */
    get visible() {
      const box = this.article.getBoundingClientRect();
      return Math.min(box.bottom, innerHeight) - Math.max(box.top, 0);
    }
  }

  const stations = all(".station").map((article) => new Station(article));
  const stationOf = (node) => stations.find((station) => station.article.contains(node));

  /** The station that a key is meant for. */
  function addressed() {
    const playing = stations.find((station) => station.film && !station.film.paused);
    const seen = [...stations].sort((one, other) => other.visible - one.visible)[0];
    return stationOf(document.activeElement) || playing || seen;
  }

  // Alignment grids

  function read(cell) {
    const grid = cell.closest("svg"), figure = cell.closest("figure");
    for (const old of all(".here, .pointed", grid)) old.classList.remove("here", "pointed");
    cell.classList.add("here");
    grid.querySelector(`[role=columnheader][data-column="${cell.dataset.column}"]`).classList.add("pointed");
    cell.parentNode.querySelector("[role=rowheader]").classList.add("pointed");
    figure.querySelector(".readout").textContent = cell.getAttribute("aria-label");
  }

  function moved(cell, key) {
    const rows = all("[role=row]", cell.closest("svg")).map((row) => all("[role=gridcell]", row)).slice(1);
    const y = rows.findIndex((row) => row.includes(cell)), x = rows[y].indexOf(cell);
    const to = {
      ArrowLeft: [y, x - 1], ArrowRight: [y, x + 1], ArrowUp: [y - 1, x], ArrowDown: [y + 1, x],
      Home: [y, 0], End: [y, rows[y].length - 1],
    }[key];
    return to && rows[to[0]] && rows[to[0]][to[1]];
  }

  function enter(cell) {
    for (const other of all("[role=gridcell]", cell.closest("svg"))) other.setAttribute("tabindex", "-1");
    cell.setAttribute("tabindex", "0");
    cell.focus();
  }

  for (const event of ["pointerover", "focusin"])
    document.addEventListener(event, ({ target }) => {
      const cell = target.closest && target.closest("[role=gridcell]");
      if (cell) read(cell);
    });

  // Keys

  const KEYS = "ArrowLeft ArrowRight ArrowUp ArrowDown Home End".split(" ");

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!KEYS.includes(event.key)) return;
    const cell = event.target.closest("[role=gridcell]");
    if (cell) {
      event.preventDefault();
      const next = moved(cell, event.key);
      if (next) enter(next);
      return;
    }
    // Lists to choose from and wide tables keep their arrow keys.
    if (event.target.closest("select, input, textarea, .scroll, pre")) return;
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const station = addressed();
    if (!station) return;
    event.preventDefault();
    station.step(event.key === "ArrowLeft" ? -1 : 1);
  }, true);

  // Buttons and lists

  async function copy(button) {
    const snippet = button.closest(".snippet"), code = snippet.querySelector("code");
    let done = true;
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      // In a frame, or from a file: the old way; at worst it is selected.
      getSelection().selectAllChildren(code);
      done = document.execCommand("copy");
    }
    snippet.querySelector(".done").hidden = !done;
    snippet.querySelector(".by-hand").hidden = done;
  }

  const ACTIONS = {
    language() {
      const lang = root.lang === "zh" ? "en" : "zh";
      speak(lang);
      remember("lang", lang);
      for (const station of stations) station.captions(station.spoken());
    },
    theme() {
      paint(root.dataset.theme === "dark" ? "light" : "dark");
      remember("theme", root.dataset.theme);
    },
    previous(button) { stationOf(button).step(-1); },
    next(button) { stationOf(button).step(1); },
    form(button) { stationOf(button).form(button.dataset.form); },
    copy,
  };

  document.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    const station = stationOf(button);
    if (button.dataset.do) ACTIONS[button.dataset.do](button);
    else if (station) station.go(station.beats.indexOf(button));
  });

  document.addEventListener("change", ({ target }) => {
    const station = stationOf(target);
    if (target.dataset.do === "speed") station.film.playbackRate = Number(target.value);
    if (target.dataset.do === "captions") station.captions(target.value);
  });

  // On paper everything lies open.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = all("details:not([open]):not(.embed)");
    for (const one of closed) one.open = true;
    for (const picture of all(".stills img")) picture.loading = "eager";
  });
  addEventListener("afterprint", () => { for (const one of closed) one.open = false; });

  // How it begins

  const lang = asked.get("lang") || remembered("lang");
  if (["zh", "en"].includes(lang)) speak(lang);
  const theme = asked.get("theme") || remembered("theme");
  paint(["light", "dark"].includes(theme) ? theme : dark.matches ? "dark" : "light");
  for (const station of stations) {
    station.captions(station.spoken());
    if (still.matches) station.form("stills");
  }
  const one = stations.find((station) => station.article.dataset.stem === asked.get("station"));
  if (one) {
    root.classList.add("alone");
    for (const other of stations) other.article.hidden = other !== one;
  }
}
