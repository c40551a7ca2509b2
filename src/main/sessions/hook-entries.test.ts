import { describe, expect, it } from 'vitest'
import { HOOK_EVENTS, HOOKED_AGENTS, type HookedAgent } from '../../core/vocabulary/session.ts'
import { type HookCommands, installedEvents, withEntries, withoutEntries } from './hook-entries.ts'
import { HOOK_PROGRAMS } from './programs.ts'

const commandsOf = (agent: HookedAgent): HookCommands =>
  Object.fromEntries(
    HOOK_EVENTS.map((event) => [
      event,
      `"/usr/bin/node" "/home/x/.pulseward/hooks/hook.js" ${event} --agent ${agent}`,
    ]),
  ) as HookCommands

const ALREADY = {
  'two spaces': '{\n  "model": "opus",\n  "permissions": { "allow": ["Bash(ls)"] }\n}\n',
  tabs: '{\n\t"a": [1,2],\n\t"b":   {}\n}',
  'one line': '{"a":1,"b":{"c":[true]}}',
  'an empty object': '{}\n',
  'an empty object with air': '{ \n }\n',
  'Windows line ends': '{\r\n    "a": 1\r\n}\r\n',
  comments: '{\n  // mine\n  "a": 1, // the first\n  /* and */ "b": 2 // the last\n}\n',
  'a trailing comma': '{\n  "a": 1,\n}\n',
  'hooks of somebody else':
    '{\n  "hooks": {\n    "Stop": [ { "hooks": [{"type":"command","command":"say done"}] } ],\n    "stop": [{ "command": "say done" }],\n    "AfterAgent": []\n  },\n  "z": 1\n}\n',
} as const

/** Of JSON, in files that hold more than our entries. */
const SHARED = HOOKED_AGENTS.filter((agent) => !HOOK_PROGRAMS[agent].isOwnFile)

/** Whether every character of the first is in the second, in the same order; white space of an empty object aside. */
function isWithin(text: string, whole: string): boolean {
  let at = 0
  for (const character of text.replace(/\{\s+\}/, '{}')) {
    at = whole.indexOf(character, at) + 1
    if (at === 0) return false
  }
  return true
}

describe.each(SHARED)('the settings of %s', (agent) => {
  const program = HOOK_PROGRAMS[agent]
  const install = (text: string): string => withEntries(program, 'settings.json', text, commandsOf(agent))

  it.each(Object.entries(ALREADY))('keep every byte of %s', (_title, text) => {
    const installed = install(text)
    expect(installedEvents(program, installed)).toEqual(
      HOOK_EVENTS.filter((event) => program.events[event] !== undefined),
    )
    expect(isWithin(text, installed)).toBe(true)
  })

  it('are the same when installed twice', () => {
    const once = install(ALREADY['two spaces'])
    expect(install(once)).toBe(once)
  })

  it.each(Object.entries(ALREADY).filter(([title]) => !title.includes('empty')))(
    'are as before once uninstalled: %s',
    (title, text) => {
      const restored = withoutEntries(program, install(text))
      // A frame that the program needs stays: by then it may be somebody else's too. An empty list says nothing.
      if ('version' in program.frame && !title.includes('hooks')) expect(restored).toContain('"version"')
      else expect(restored).toBe(agent === 'gemini' ? text.replace(/,\s*"AfterAgent": \[\]/, '') : text)
    },
  )

  it('keep what the user has added beside the hooks since', () => {
    const changed = install('{\n  "a": 1\n}\n').replace('"a": 1', '"a": 2,\n  "mine": true')
    expect(withoutEntries(program, changed)).toContain('"a": 2,\n  "mine": true')
  })
})

describe('a file that cannot be understood', () => {
  it.each([
    ['broken JSON', '{ "a": '],
    ['a list', '[]'],
    ['hooks that are no object', '{"hooks": true}'],
  ])('is not written: %s', (_title, text) => {
    expect(() => withEntries(HOOK_PROGRAMS.claude, '/x/settings.json', text, commandsOf('claude'))).toThrow(
      /\/x\/settings\.json.*Nothing was written/,
    )
    expect(withoutEntries(HOOK_PROGRAMS.claude, text)).toBe(text)
  })
})

describe('an entry that only looks like ours', () => {
  it('stays', () => {
    const text = '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"echo pulseward"}]}]}}'
    expect(withoutEntries(HOOK_PROGRAMS.claude, text)).toBe(text)
    expect(installedEvents(HOOK_PROGRAMS.claude, text)).toEqual([])
  })
})
