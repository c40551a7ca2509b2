/*
 * Draws the app icon, the tray's shields and the taskbar's badges: `npm run icons`. The glyphs are defined with the standings;
 * the PNGs under resources/ are generated from them. A shield is drawn for 16 px (macOS, Windows) and for 22 px (Linux), each
 * on its own grid, so that edges fall on pixels at 1x and 2x.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Resvg } from '@resvg/resvg-js'
import {
  SHIELD_ROWS,
  SHIELDS,
  type ShieldGlyph,
  type ShieldLevel,
  UNREVIEWED_NOTCH,
} from '../src/core/vocabulary/standing.ts'
import { shieldDrawn } from '../src/core/vocabulary/unreviewed.ts'

interface Grid {
  readonly shield: string
  readonly lineWidth: number
}

const GRIDS: Readonly<Record<16 | 22, Grid>> = {
  22: {
    shield:
      'M11 1 C13.4 2.6 16.4 3.6 20 3.8 V10.4 C20 15.5 16.6 19.2 11 21.2 C5.4 19.2 2 15.5 2 10.4 V3.8 C5.6 3.6 8.6 2.6 11 1 Z',
    lineWidth: 2,
  },
  16: {
    shield:
      'M8 .5 C9.8 1.7 12.2 2.4 15 2.5 V7.4 C15 11.3 12.4 14.1 8 15.6 C3.6 14.1 1 11.3 1 7.4 V2.5 C3.8 2.4 6.2 1.7 8 .5 Z',
    lineWidth: 1.6,
  },
}

function glyphMarkup({ lines = [], areas = [] }: ShieldGlyph[16], width: number, colour: string): string {
  const stroke = `fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"`
  return [
    ...lines.map((path) => `<path d="${path}" ${stroke}/>`),
    ...areas.map((path) => `<path d="${path}" fill="${colour}"/>`),
  ].join('')
}

function svg(size: number, body: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}">${body}</svg>`
}

/** Returns the colored shield. Its rim keeps it legible if the panel is lighter or darker than the system says. */
function colouredShield(
  name: ShieldLevel,
  size: 16 | 22,
  panel: 'light' | 'dark',
  isUnreviewed: boolean,
): string {
  const { shield, lineWidth } = GRIDS[size]
  const { glyph, colours } = SHIELD_ROWS[name]
  const [light, dark] = colours
  const [fill, ink] = panel === 'light' ? [light, '#fff'] : [dark, '#131519']
  const rim = `stroke="${ink}" stroke-opacity=".85" stroke-width="${size / 18}"`
  const notch = isUnreviewed ? notchMarkup(size, panel === 'light' ? '#b42318' : '#f97066', ink) : ''
  return svg(
    size,
    `<path d="${shield}" fill="${fill}" ${rim}/>${glyphMarkup(glyph[size], lineWidth, ink)}${notch}`,
  )
}

/** Returns a disk with ≠, and a rim that sets it off from the shield. */
function notchMarkup(size: 16 | 22, fill: string, ink: string): string {
  const { x, y, radius, sign, lineWidth } = UNREVIEWED_NOTCH[size]
  return (
    `<circle cx="${x}" cy="${y}" r="${radius - 0.6}" fill="${fill}" stroke="${ink}" stroke-width="1.2"/>` +
    `<path d="${sign}" fill="none" stroke="${ink}" stroke-width="${lineWidth}" stroke-linecap="round"/>`
  )
}

/** Returns the shield in black with the glyph cut out; macOS gives it the panel's color. */
function templateShield(name: ShieldLevel, isUnreviewed: boolean): string {
  const { shield, lineWidth } = GRIDS[16]
  const glyph = glyphMarkup(SHIELD_ROWS[name].glyph[16], lineWidth, '#000')
  const { x, y, radius, sign, lineWidth: width } = UNREVIEWED_NOTCH[16]
  const cut = isUnreviewed ? `<circle cx="${x}" cy="${y}" r="${radius + 0.6}" fill="#000"/>` : ''
  const notch = isUnreviewed
    ? `<mask id="n"><rect width="16" height="16" fill="#fff"/><path d="${sign}" fill="none" stroke="#000" stroke-width="${width}" stroke-linecap="round"/></mask><circle cx="${x}" cy="${y}" r="${radius - 0.4}" fill="#000" mask="url(#n)"/>`
    : ''
  return svg(
    16,
    `<mask id="m"><rect width="16" height="16" fill="#fff"/>${glyph}${cut}</mask><path d="${shield}" fill="#000" mask="url(#m)"/>${notch}`,
  )
}

function draw(markup: string, file: string, width: number): void {
  writeFileSync(file, new Resvg(markup, { fitTo: { mode: 'width', value: width } }).render().asPng())
}

function drawBoth(markup: string, path: string, size: number): void {
  draw(markup, `${path}.png`, size)
  draw(markup, `${path}@2x.png`, size * 2)
}

const resources = join(import.meta.dirname, '../resources')
const tray = join(resources, 'tray')
rmSync(tray, { recursive: true, force: true })
mkdirSync(tray, { recursive: true })
for (const name of SHIELDS) {
  drawShield(name, false)
  // Shields that are never drawn with the notch use another's picture.
  if (shieldDrawn(name, 1) === name) drawShield(name, true)
}

function drawShield(shield: ShieldLevel, isUnreviewed: boolean): void {
  const name = isUnreviewed ? `${shield}-unreviewed` : shield
  drawBoth(templateShield(shield, isUnreviewed), join(tray, `${name}Template`), 16)
  for (const size of [16, 22] as const) {
    for (const panel of ['light', 'dark'] as const) {
      drawBoth(
        colouredShield(shield, size, panel, isUnreviewed),
        join(tray, `${name}-${size}-${panel}`),
        size,
      )
    }
  }
}

/** Strokes of the digits on a grid of 4 by 6, so that no font is needed. */
const DIGITS: Readonly<Record<string, string>> = {
  1: 'M1 1.2 L2.4 0 V6',
  2: 'M0 1.4 C.4 -.4 4 -.6 4 1.7 C4 3.4 1 4.4 0 6 H4',
  3: 'M0 .6 C1.6 -.5 3.9 0 3.8 1.5 C3.7 2.6 2.6 2.8 1.6 2.8 C2.8 2.8 4 3.2 4 4.4 C4 6.2 1.4 6.5 0 5.4',
  4: 'M3 6 V0 L0 4.3 H4',
  5: 'M3.8 0 H.6 L.3 2.7 C2 2 4 2.4 4 4.1 C4 6.2 1.4 6.5 0 5.4',
  6: 'M3.4 0 C1 .8 0 2.6 0 4.2 C0 6.6 4 6.6 4 4.2 C4 2.2 .8 2 0 3.9',
  7: 'M0 0 H4 L1.4 6',
  8: 'M2 2.8 C-.4 2.8 -.2 0 2 0 C4.2 0 4.4 2.8 2 2.8 C-.7 2.8 -.7 6 2 6 C4.7 6 4.7 2.8 2 2.8',
  9: 'M.6 6 C3 5.2 4 3.4 4 1.8 C4 -.6 0 -.6 0 1.8 C0 3.8 3.2 4 4 2.1',
  more: 'M-1.4 6 C.6 5.2 1.6 3.4 1.6 1.8 C1.6 -.3 -1.9 -.3 -1.9 1.8 C-1.9 3.6 .9 3.8 1.6 2.1 M3.4 3 H6 M4.7 1.7 V4.3',
}
const badges = join(resources, 'badge')
mkdirSync(badges, { recursive: true })
for (const [name, path] of Object.entries(DIGITS)) {
  const digit = `<path transform="translate(6 5)" d="${path}" fill="none" stroke="#fff" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"/>`
  drawBoth(svg(16, `<circle cx="8" cy="8" r="8" fill="#B42318"/>${digit}`), join(badges, name), 16)
}

/** What desktops expect: a folder with each of these sizes, and the drawing itself. */
const ICON_SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024]
const { shield } = GRIDS[22]
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-5 -5 32 32"><title>Pulseward</title><rect x="-5" y="-5" width="32" height="32" rx="7" fill="#12151c"/><path d="${shield}" fill="#2ED3B7"/><path d="M5.6 11.4 H8.4 L10 7.4 L12.4 14.6 L13.8 11.4 H16.4" fill="none" stroke="#12151c" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"/></svg>`
draw(icon, join(resources, 'icon.png'), 512)
const icons = join(import.meta.dirname, '../packaging/icons')
mkdirSync(icons, { recursive: true })
writeFileSync(join(icons, 'icon.svg'), `${icon}\n`)
for (const size of ICON_SIZES) draw(icon, join(icons, `${size}x${size}.png`), size)
