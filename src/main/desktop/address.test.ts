import { expect, test } from 'vitest'
import {
  linkAddress,
  linkAmong,
  notificationAddress,
  workspaceAddress,
  workspaceOfAddress,
} from './address.ts'

test.each([
  ['pulseward://w/backend', '#/w/backend'],
  ['pulseward://w/backend/timeline/iv-12', '#/w/backend/timeline/iv-12'],
  [
    'pulseward://w/backend/timeline?severity=critical&text=a%26b',
    '#/w/backend/timeline?severity=critical&text=a%26b',
  ],
  ['pulseward://w/b%C3%BCro/blocked/a%2Fb', '#/w/b%C3%BCro/blocked/a%2Fb'],
  ['pulseward://overview', '#/overview'],
  ['pulseward://overview/', '#/overview'],
  ['pulseward://settings/notifications', '#/settings/notifications'],
])('the link %s leads to %s', (link, address) => {
  expect(linkAddress(link)).toBe(address)
})

test.each([
  'https://w/backend',
  'pulseward:w/backend',
  'pulseward://elsewhere/backend',
  'pulseward://user:secret@w/backend',
  'pulseward://w:80/backend',
  'pulseward://w/a/b/c/d',
  'pulseward://w/%E0%A4%A',
  'pulseward://w/a%0Ab',
  'pulseward://w/a\nb',
  'pulseward://w/%E2%80%AEtxt',
  `pulseward://w/${'x'.repeat(2000)}`,
  'pulseward://w/../../etc/passwd/and/more',
  'javascript:alert(1)',
  '',
])('%s leads nowhere', (link) => {
  expect(linkAddress(link)).toBeNull()
})

test('leaves out a query that is not a filter', () => {
  expect(linkAddress('pulseward://w/a/timeline?Type=x&type=%00&type=verdict')).toBe(
    '#/w/a/timeline?type=verdict',
  )
})

test('opens the first link among the arguments', () => {
  expect(linkAmong(['app', '--hidden', 'pulseward://w/a', 'pulseward://w/b'])).toBe('#/w/a')
  expect(linkAmong(['app', '--hidden'])).toBeNull()
})

test('opens the screen that a notification is about', () => {
  expect(notificationAddress('blockedTask', 'a b', 'fix')).toBe('#/w/a%20b/blocked/fix')
  expect(notificationAddress('blockedTask', 'a', undefined)).toBe('#/w/a/blocked')
  expect(notificationAddress('contractWeakened', 'a', undefined)).toBe('#/w/a/timeline')
  expect(notificationAddress('lockdown', 'a', undefined)).toBe('#/w/a/today')
  expect(notificationAddress('trouble', '', undefined)).toBe('#/overview')
})

test('finds the workspace in an address', () => {
  expect(
    workspaceOfAddress(`https://page.invalid/index.html${workspaceAddress('a/b', 'blocked', 'c')}`),
  ).toBe('a/b')
  expect(workspaceOfAddress('https://page.invalid/index.html#/overview')).toBeNull()
})
