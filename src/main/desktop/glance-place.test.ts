import { expect, test } from 'vitest'
import { glanceAnchor, glancePlace, hasGlance } from './glance-place.ts'

const SIZE = { width: 380, height: 520 }
/** Work areas of a display of 1920 by 1080 with a panel of 40 pixels at one of its sides. */
const belowPanel = { x: 0, y: 40, width: 1920, height: 1040 }
const abovePanel = { x: 0, y: 0, width: 1920, height: 1040 }
const besidePanel = { x: 40, y: 0, width: 1880, height: 1080 }
const NOWHERE = { x: 0, y: 0, width: 0, height: 0 }

test('opens centered below a shield at the top', () => {
  const shield = { x: 1000, y: 8, width: 24, height: 24 }
  expect(glancePlace(SIZE, shield, belowPanel)).toEqual({ x: 822, y: 48, ...SIZE })
})

test('opens above a shield at the bottom, without crossing the edge of the display', () => {
  const shield = { x: 1880, y: 1048, width: 24, height: 24 }
  expect(glancePlace(SIZE, shield, abovePanel)).toEqual({ x: 1532, y: 512, ...SIZE })
})

test('opens beside a panel at the side', () => {
  const shield = { x: 8, y: 1040, width: 24, height: 24 }
  expect(glancePlace(SIZE, shield, besidePanel)).toEqual({ x: 48, y: 512, ...SIZE })
})

test('opens on a display left of the first one, which has negative coordinates', () => {
  const shield = { x: -40, y: 2, width: 24, height: 24 }
  const left = { x: -1280, y: 28, width: 1280, height: 996 }
  expect(glancePlace(SIZE, shield, left)).toEqual({ x: -388, y: 36, ...SIZE })
})

test('is smaller on a small display with text at three times its size', () => {
  const large = { width: 1140, height: 1560 }
  const area = { x: 0, y: 24, width: 1024, height: 576 }
  const { x, y, width, height } = glancePlace(large, { x: 900, y: 0, width: 24, height: 24 }, area)
  expect({ x, y, width, height }).toEqual({ x: 8, y: 32, width: 1008, height: 560 })
})

test('opens at the pointer if the system does not say where the shield is', () => {
  const anchor = glanceAnchor(NOWHERE, { x: 1800, y: 12 })
  expect(anchor).toEqual({ x: 1800, y: 12, width: 1, height: 1 })
  expect(glancePlace(SIZE, anchor, belowPanel)).toEqual({ x: 1532, y: 48, ...SIZE })
  const shield = { x: 1, y: 2, width: 24, height: 24 }
  expect(glanceAnchor(shield, { x: 1800, y: 12 })).toEqual(shield)
})

test.each([
  ['darwin', {}, true],
  ['win32', {}, true],
  ['linux', {}, true],
  ['linux', { XDG_SESSION_TYPE: 'x11' }, true],
  ['linux', { XDG_SESSION_TYPE: 'wayland' }, false],
])('on %s with %o: %s', (platform, environment, has) => {
  expect(hasGlance(platform, environment)).toBe(has)
})
