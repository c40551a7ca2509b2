import { defaultFilter } from 'cmdk'
import { expect, test } from 'vitest'
import type { Command } from './command.ts'
import { rankCommands } from './rank.ts'

const command = (label: string, ...keywords: string[]): Command => ({
  id: label,
  label,
  hint: '',
  group: 'Screens',
  keywords,
  act: { kind: 'keys' },
})
const all = [
  command('sample', '/src/sample', 'sample-agent'),
  command('Agent', 'profile'),
  command('Timeline', 'history'),
  command('Set up a folder', 'first run', 'template'),
  command('Pause until tomorrow', 'snooze'),
  command('Pause until I resume', 'snooze'),
  { ...command('Run now', 'heartbeat', 'inbox'), hint: 'inbox', id: 'run inbox' },
  { ...command('Pause for an hour', 'snooze', 'backend'), hint: 'backend', id: 'pause backend' },
  { ...command('mobile', '/src/mobile'), hint: 'Lockdown' },
]
const found = (search: string, recent: string[] = []) =>
  rankCommands(all, search, recent, defaultFilter).map(({ label }) => label)

test('ranks a matching name above a matching keyword', () => {
  expect(found('agent')).toEqual(['Agent', 'sample'])
})

test('matches letters in order in a name, but not scattered over keywords', () => {
  expect(found('tmln')[0]).toBe('Timeline')
  expect(found('timel')).toEqual(['Timeline'])
  expect(found('templ')).toEqual(['Set up a folder'])
})

test('prefers a recently chosen one among equals', () => {
  expect(found('pause until')[0]).toBe('Pause until tomorrow')
  expect(found('pause until', ['Pause until I resume'])[0]).toBe('Pause until I resume')
})

test('ranks an action that opens a form above a page of the same name', () => {
  const both = [command('Verify a change…'), command('Verify a change')]
  expect(rankCommands(both, 'verify a change', [], defaultFilter)[0]?.label).toBe('Verify a change…')
})

test('finds nothing for a text that does not match', () => {
  expect(found('zzzz')).toEqual([])
})

test.each([
  ['run inbox', 'Run now'],
  ['inbox run', 'Run now'],
  ['pause back', 'Pause for an hour'],
  ['lockdown', 'mobile'],
  ['mobile lockdown', 'mobile'],
])('finds every word of %j in title, workspace or standing', (search, label) => {
  expect(found(search)[0]).toBe(label)
})

test('finds nothing if a word occurs nowhere', () => {
  expect(found('run backend')).toEqual([])
})
