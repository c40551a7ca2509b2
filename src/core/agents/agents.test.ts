import { describe, expect, it } from 'vitest'
import { parsePermissionRule } from '../activity/permission-rule.ts'
import { composeCommand, resumeCommand } from './compose-command.ts'
import type { PresetId } from './programs.ts'

function granted(preset: PresetId, allow: string[], deny: string[] = []) {
  const base = composeCommand(preset, {
    mode: 'print',
    model: null,
    arguments: [],
    allow: [],
    deny: [],
  }).command
  const { command, env, notes } = composeCommand(preset, {
    mode: 'print',
    model: null,
    arguments: [],
    allow,
    deny,
  })
  const added = command.filter((word) => !base.includes(word))
  return { added, env, notes }
}

describe('permissions in the syntax of each program', () => {
  it.each<[PresetId, string[], string[], string[]]>([
    ['claude', ['edit'], [], ['--permission-mode', 'acceptEdits', '--allowedTools=Edit,Write,NotebookEdit']],
    ['claude', ['edit:src/**', 'execute:npm test'], [], ['--allowedTools=Edit(src/**),Bash(npm test)']],
    [
      'claude',
      ['execute:git *'],
      ['execute:git push'],
      ['--allowedTools=Bash(git:*)', '--disallowedTools=Bash(git push),Bash(git push:*)'],
    ],
    ['claude', ['fetch:example.org'], [], ['--allowedTools=WebFetch(domain:example.org)']],
    ['codex', ['edit'], [], ['workspace-write']],
    [
      'codex',
      ['edit', 'fetch'],
      [],
      ['workspace-write', '-c', 'sandbox_workspace_write.network_access=true'],
    ],
    ['codex', ['edit'], ['edit'], []],
    [
      'copilot',
      ['edit', 'execute:git *'],
      ['fetch'],
      ['--allow-tool=write', '--allow-tool=shell(git:*)', '--deny-tool=url'],
    ],
    [
      'copilot',
      ['execute:git *'],
      ['execute:git push *'],
      ['--allow-tool=shell(git:*)', '--deny-tool=shell(git push)', '--deny-tool=shell(git push:*)'],
    ],
    ['gemini', ['edit', 'execute:npm *'], [], ['auto_edit', '--allowed-tools=run_shell_command(npm)']],
    ['gemini', ['edit'], ['edit'], []],
  ])('%s: %j without %j', (preset, allow, deny, added) => {
    const found = granted(preset, allow, deny)
    expect(found.added).toEqual(added)
    expect(found.notes).toEqual([])
  })

  it('passes permissions to opencode in its environment, denials last', () => {
    const { env } = granted('opencode', ['edit', 'execute:git *'], ['execute:git push'])
    expect(env.OPENCODE_PERMISSION).toBe(
      '{"edit":{"*":"allow"},"bash":{"*":"deny","git *":"allow","git push":"deny","git push *":"deny"},"webfetch":{"*":"deny"},"external_directory":"deny"}',
    )
  })

  it('makes opencode ask for edits that are not granted, so that the denial is visible', () => {
    expect(granted('opencode', []).env.OPENCODE_PERMISSION).toContain('"edit":{"*":"ask"}')
    expect(granted('opencode', ['edit'], ['edit:infra']).env.OPENCODE_PERMISSION).toContain(
      '"edit":{"*":"allow","infra":"deny","infra/*":"deny"}',
    )
  })

  it.each<[PresetId, string[], string[], RegExp]>([
    [
      'codex',
      ['edit:src/**'],
      [],
      /codex grants permissions by sandbox and cannot limit itself to `edit:src\/\*\*`/,
    ],
    ['codex', ['edit'], ['execute:rm *'], /codex cannot deny `execute:rm \*`/],
    ['gemini', ['edit:src/**'], [], /gemini cannot limit itself to `edit:src\/\*\*`/],
    ['gemini', ['execute:npm test'], [], /command prefix/],
    ['gemini', ['edit'], ['execute:rm *'], /cannot deny `execute:rm \*`/],
    ['claude', ['delete'], [], /`edit` covers it/],
    ['copilot', ['other'], [], /has no permission for `other`/],
  ])('%s says what it cannot do with %j and %j', (preset, allow, deny, note) => {
    expect(granted(preset, allow, deny).notes).toEqual([expect.stringMatching(note)])
  })
})

describe('an entry of allow or deny', () => {
  it.each([
    ['edit', { tool: 'edit', pattern: null }],
    ['execute: npm test ', { tool: 'execute', pattern: 'npm test' }],
    ['fetch:https://example.org', { tool: 'fetch', pattern: 'https://example.org' }],
    ['edit:', null],
    ['nothing', null],
    ['edit:a\u0000b', null],
  ])('%j', (entry, rule) => {
    expect(parsePermissionRule(entry)).toEqual(rule)
  })
})

describe('resuming a session', () => {
  const id = '01a1f8af-c32c-75c0-87be-8248b549813c'

  it.each([
    ['claude', ['claude', '-p'], ['claude', '-p', '--resume', id]],
    ['codex', ['codex', 'exec', '--json', '-'], ['codex', 'exec', '--json', 'resume', id, '-']],
    ['codex', ['codex', 'exec', '--json'], ['codex', 'exec', '--json', 'resume', id]],
    ['copilot', ['copilot'], ['copilot', `--resume=${id}`]],
    ['gemini', ['gemini'], ['gemini', '--resume', id]],
    ['opencode', ['opencode', 'run'], ['opencode', 'run', '-s', id]],
  ] as const)('%s: %j', (program, command, resumed) => {
    expect(resumeCommand(program, command, id)).toEqual(resumed)
  })

  it.each(['', '--yolo', 'a b', 'a\nb', 'x'.repeat(201), '$(id)'])('rejects the id %j', (hostile) => {
    expect(resumeCommand('claude', ['claude'], hostile)).toBeNull()
  })
})
