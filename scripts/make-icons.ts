/*
 * Draws the app icon and the tray's shields: `npm run icons`. The drawings are here, the PNGs under resources/ are made from
 * them. Tray shields are filled in a middle tone with a white glyph, so that they stand out on light and dark panels alike.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Resvg } from '@resvg/resvg-js'

const SHIELD = 'M11 1.2 L19.6 4.1 V10.4 C19.6 15.4 16.2 19 11 20.9 C5.8 19 2.4 15.4 2.4 10.4 V4.1 Z'

const stroke = (path: string): string =>
  `<path d="${path}" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>`
const fill = (path: string): string => `<path d="${path}" fill="#fff"/>`

/** Colour and glyph of each standing; look.md's table, the light colours. */
const shields: Readonly<Record<string, readonly [colour: string, glyph: string]>> = {
  lockdown: ['#B42318', `${stroke('M8.5 10 V8 a2.5 2.5 0 0 1 5 0 V10')}${fill('M7 10 h8 v6 h-8 z')}`],
  escalated: ['#D92D20', `${stroke('M7.2 6.6 L11 10 L14.8 6.6')}${stroke('M7.2 11.6 L11 15 L14.8 11.6')}`],
  tightened: ['#B54708', stroke('M7 9 L11 13 L15 9')],
  warning: [
    '#A15C07',
    `${stroke('M11 5.8 V11')}${fill('M9.7 14.6 a1.3 1.3 0 1 0 2.6 0 a1.3 1.3 0 1 0 -2.6 0 z')}`,
  ],
  none: ['#667085', ''],
  good: ['#107569', stroke('M7 10.8 L10 13.8 L15 7.8')],
  excellent: ['#087443', `${stroke('M7.2 8 L10 10.6 L14.8 5.6')}${stroke('M7.2 13 L10 15.6 L14.8 10.6')}`],
  outstanding: [
    '#05603A',
    fill('M11 4.8 L12.8 8.6 L17 9.1 L13.9 12 L14.7 16.1 L11 14 L7.3 16.1 L8.1 12 L5 9.1 L9.2 8.6 Z'),
  ],
  suspended: [
    '#667085',
    fill(
      'M6.6 11.9 V7.6 a.8 .8 0 0 1 1.6 0 V10.4 h.6 V5.9 a.8 .8 0 0 1 1.6 0 V10.2 h.6 V5.2 a.8 .8 0 0 1 1.6 0 V10.2 h.6 V6.3 a.8 .8 0 0 1 1.6 0 V12.6 c0 2.7 -1.7 4.3 -4.1 4.3 c-2.2 0 -3.2 -1 -4.2 -2.6 l-1.9 -3 a.85 .85 0 0 1 1.3 -1.1 z',
    ),
  ],
  paused: ['#667085', `${stroke('M8.8 7.2 V13.8')}${stroke('M13.2 7.2 V13.8')}`],
}

function draw(svg: string, file: string, width: number): void {
  writeFileSync(file, new Resvg(svg, { fitTo: { mode: 'width', value: width } }).render().asPng())
}

const resources = join(import.meta.dirname, '../resources')
mkdirSync(join(resources, 'tray'), { recursive: true })
for (const [name, [colour, glyph]] of Object.entries(shields)) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 22 22"><path d="${SHIELD}" fill="${colour}" stroke="#fff" stroke-opacity=".55" stroke-width=".8"/>${glyph}</svg>`
  draw(svg, join(resources, 'tray', `${name}.png`), 22)
  draw(svg, join(resources, 'tray', `${name}@2x.png`), 44)
}
draw(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-5 -5 32 32"><rect x="-5" y="-5" width="32" height="32" rx="7" fill="#12151c"/><path d="${SHIELD}" fill="#2ED3B7"/><path d="M5.6 11.4 H8.4 L10 7.4 L12.4 14.6 L13.8 11.4 H16.4" fill="none" stroke="#12151c" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"/></svg>`,
  join(resources, 'icon.png'),
  512,
)
