import { expect, test } from 'vitest'
import { hasTrayPlace } from './tray-place.ts'

const gnome = { XDG_CURRENT_DESKTOP: 'ubuntu:GNOME' }
const owner = (has: boolean) => async () => `method return time=1\n   boolean ${has}\n`

test('GNOME has a place for the shield only with the extension that provides it', async () => {
  expect(await hasTrayPlace('linux', gnome, owner(false))).toBe(false)
  expect(await hasTrayPlace('linux', gnome, owner(true))).toBe(true)
})

test.each([
  ['linux', { XDG_CURRENT_DESKTOP: 'XFCE' }],
  ['linux', { XDG_CURRENT_DESKTOP: 'KDE' }],
  ['linux', {}],
  ['darwin', {}],
  ['win32', {}],
])('on %s with %o does not ask the bus', async (platform, environment) => {
  const ask = () => Promise.reject(new Error('asked'))
  expect(await hasTrayPlace(platform, environment, ask)).toBe(true)
})

test('assumes that there is a place if the bus does not answer', async () => {
  expect(await hasTrayPlace('linux', gnome, () => Promise.reject(new Error('no bus')))).toBe(true)
})
