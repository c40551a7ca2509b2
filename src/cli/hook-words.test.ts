import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { HOOK_EVENTS } from '../core/vocabulary/hook-event.ts'
import { OPTIONS, readHookWords } from './hook-words.ts'

it.each([
  'hook stop --agent claude',
  '--data-dir /d hook stop --agent claude',
  '--data-dir=/d --json hook stop --agent=claude',
  '--workspace hook hook stop --agent claude --timeout 5',
  'hook --agent claude stop',
])('reads %j as an agent program’s hook call', (line) => {
  const named = line.includes('/d') ? '/d' : undefined
  const timeout = line.includes('5') ? '5' : undefined
  const expected = { event: 'stop', agent: 'claude', dataDirectory: named, timeout }
  expect(readHookWords(line.split(' '))).toEqual(expected)
})

it.each([
  '',
  'acp -- tool hook start --agent x',
  'acp tool hook start --agent x',
  'acp --mode gate -- hook stop --agent x',
  'hook -- stop --agent x',
  'hook stop -- --agent x',
  'hook stop',
  'hook stop --agent',
  'hook install claude --agent x',
  '--workspace hook stop --agent x',
  'session task hook stop --agent x',
])('leaves %j to the full program', (line) => {
  expect(readHookWords(line.split(' '))).toBeNull()
})

it('accepts the same events and options as bin/pulseward', () => {
  const program = readFileSync(join(import.meta.dirname, '../../bin/pulseward'), 'utf8')
  expect(program).toContain(`[${HOOK_EVENTS.map((event) => `'${event}'`).join(', ')}]`)
  const [, named = ''] = /const options = \{ (.*) \}/.exec(program) ?? []
  const names = named.split(', ').map((option) => option.replace(/^'|'?: value$/g, ''))
  expect(names.toSorted()).toEqual(Object.keys(OPTIONS).toSorted())
})
