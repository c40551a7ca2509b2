import { describe, expect, it } from 'vitest'
import { HOOK_EVENTS } from '../../core/vocabulary/hook-event.ts'
import { HOOKED_AGENTS, type HookedAgent } from '../../core/vocabulary/session.ts'
import {
  installedEvents as eventsIn,
  type HookCommands,
  withoutEntries as strip,
  withEntries,
} from './hook-entries.ts'
import { HOOK_PROGRAMS, type HookProgram } from './programs.ts'

const SCRIPT = '"/home/x/.pulseward/hooks/hook.js"'
const commandsOf = (agent: HookedAgent): HookCommands =>
  Object.fromEntries(
    HOOK_EVENTS.map((event) => [
      event,
      `"/usr/bin/node" ${SCRIPT} ${event} --agent ${agent} --data-dir "/home/x/.pulseward"`,
    ]),
  ) as HookCommands
const installedEvents = (program: HookProgram, text: string) => eventsIn(program, text, SCRIPT)
const withoutEntries = (program: HookProgram, text: string) => strip(program, text, SCRIPT)

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

/** JSON in files that contain more than our entries. */
const SHARED = HOOKED_AGENTS.filter((agent) => !HOOK_PROGRAMS[agent].isOwnFile)

/** Whether every character of the first is in the second, in the same order, ignoring white space in an empty object. */
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
  const install = (text: string): string =>
    withEntries(program, 'settings.json', text, { commands: commandsOf(agent), script: SCRIPT })

  it.each(Object.entries(ALREADY))('keep every byte of %s', (_title, text) => {
    const installed = install(text)
    expect(installedEvents(program, installed)).toEqual(
      HOOK_EVENTS.filter((event) => program.events[event] !== undefined),
    )
    expect(isWithin(text, installed)).toBe(true)
  })

  it('do not change when installed twice', () => {
    const once = install(ALREADY['two spaces'])
    expect(install(once)).toBe(once)
  })

  it.each(Object.entries(ALREADY).filter(([title]) => !title.includes('empty')))(
    'are as they were after uninstalling: %s',
    (title, text) => {
      const restored = withoutEntries(program, install(text))
      // The surrounding object stays, because other entries may have been added to it. An empty list is removed.
      if ('version' in program.frame && !title.includes('hooks')) expect(restored).toContain('"version"')
      else expect(restored).toBe(agent === 'gemini' ? text.replace(/,\s*"AfterAgent": \[\]/, '') : text)
    },
  )

  it('keep what the user has since added next to the hooks', () => {
    const changed = install('{\n  "a": 1\n}\n').replace('"a": 1', '"a": 2,\n  "mine": true')
    expect(withoutEntries(program, changed)).toContain('"a": 2,\n  "mine": true')
  })
})

const installClaude = (text: string): string =>
  withEntries(HOOK_PROGRAMS.claude, '/x/settings.json', text, {
    commands: commandsOf('claude'),
    script: SCRIPT,
  })

describe("other programs' hooks next to ours", () => {
  const others = '{"type":"command","command":"say done"}'
  const ours = JSON.stringify({ type: 'command', command: commandsOf('claude').stop })
  const stop = (group: string): string => `{"hooks":{"Stop":[${group}]}}`

  it.each([
    ['before', `{"matcher":"","hooks":[${others}, ${ours}]}`],
    ['after', `{"matcher":"","hooks":[${ours}, ${others}]}`],
  ])('stay in a group that they share: %s', (_title, group) => {
    const left = stop(`{"matcher":"","hooks":[${others}]}`)
    expect(withoutEntries(HOOK_PROGRAMS.claude, stop(group))).toBe(left)
    expect(withoutEntries(HOOK_PROGRAMS.claude, installClaude(stop(group)))).toBe(left)
  })

  it('of another installation of Pulseward stay', () => {
    const another = stop(
      JSON.stringify({ hooks: [{ command: '"node" "/y/hooks/hook.js" stop --agent claude' }] }),
    )
    expect(installedEvents(HOOK_PROGRAMS.claude, another)).toEqual([])
    expect(withoutEntries(HOOK_PROGRAMS.claude, installClaude(another))).toBe(another)
  })

  it.each([
    ['before ours', `// mine\n    `, ''],
    ['after ours', '', `, // mine\n    {"hooks":[${others}]}`],
    ['only around ours', '/* a */ ', ' // b\n'],
  ])('keep their comments: %s', (_title, before, after) => {
    const text = `{"a": 1, "hooks": {"Stop": [${before}{"hooks":[${ours}]}${after}]}}`
    const left = withoutEntries(HOOK_PROGRAMS.claude, text)
    const comments = text.match(/\/\/ \w+|\/\* \w+ \*\//g) ?? []
    expect(comments.filter((comment) => !left.includes(comment))).toEqual([])
    expect(comments).not.toEqual([])
    expect(installedEvents(HOOK_PROGRAMS.claude, left)).toEqual([])
  })
})

describe('a file that cannot be understood', () => {
  it.each([
    ['broken JSON', '{ "a": '],
    ['a list', '[]'],
    ['hooks that are not an object', '{"hooks": true}'],
    ['an event that is not a list', '{"hooks": {"Stop": {"hooks": []}}}'],
    ['an event that is a string', '{"hooks": {"PreToolUse": "x"}}'],
    ['duplicate hooks', '{"hooks": {"Stop": []}, "hooks": {"Stop": []}}'],
    ['a duplicate event', '{"hooks": {"Stop": [], "Stop": [{"hooks": []}]}}'],
  ])('is not overwritten: %s', (_title, text) => {
    expect(() => installClaude(text)).toThrow(/\/x\/settings\.json.*Nothing was written/)
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
