import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readHookCall } from '../../core/session/hook-call.ts'
import type { HookedAgent } from '../../core/vocabulary/session.ts'
import { guardConfig, guardTool } from './guards.ts'
import { type InstallationPlace, installHook, uninstallHook } from './installation.ts'

let root = ''
let place: InstallationPlace
const guarded = () => ({
  ...{ agent: 'claude' as const, place, top: join(root, 'work') },
  projects: ['work', 'work/packages/app'].map((folder) => join(root, folder)),
})

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pulseward-guards-')))
  const home = join(root, 'home')
  for (const folder of ['home', 'work/.claude']) mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, 'hook.js'), '// the hook\n')
  place = {
    ...{ home, environment: {}, dataDirectory: join(home, '.pulseward'), nowMs: Date.now },
    ...{ script: join(root, 'hook.js'), node: { program: process.execPath, env: {} } },
  }
  await installHook(place, 'claude', 'gate')
  symlinkSync(place.dataDirectory, join(root, 'work/alias'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const runs = (command: string) =>
  guardTool({ command: command.replaceAll('DATA', place.dataDirectory), writes: [], cwd: null }, guarded())
const writes = (path: string, content: string) =>
  guardTool(
    {
      ...{ command: null, cwd: join(root, 'work') },
      writes: [{ path: path.replaceAll('DATA', place.dataDirectory), content, replacements: [] }],
    },
    guarded(),
  )

describe('a command of the agent', () => {
  it.each([
    'pulseward hook uninstall claude',
    'pulseward hook uninstall --yes',
    'cd x && pulseward --data-dir DATA hook uninstall',
    'npx pulseward hook install claude --mode shadow --yes',
    '/usr/local/bin/pulseward hook install --mode=shadow --json',
    'FORCE=1 node /opt/pulseward/bin/pulseward.js hook uninstall',
    'sh -c "pulseward hook uninstall"',
    'pulseward session seen',
    'pulseward --workspace w trust --yes',
    'pulseward stop',
    'pulseward acp --mode shadow',
    'pulseward landing land 1-2-ab',
    'pulseward proposals accept p-1',
    'echo {} | pulseward hook prompt --agent claude',
    'echo {} | pulseward hook stop --agent=claude',
    'echo {} | "/usr/bin/node" ~/.pulseward/hooks/hook.js start --agent claude',
    'echo {} > DATA/hooks/hooks.json',
    'echo {} > ~/.pulseward/hooks/hooks.json',
    'cat x >> "$HOME/.pulseward/hook-index.json"',
    'rm -rf DATA',
    'rm -f ~/.claude/settings.json',
    'mv ~/.claude/settings.json /tmp',
    'sed -i s/gate/shadow/ DATA/hooks/hooks.json',
    'cp /tmp/hooks.json DATA/hooks/hooks.json',
    'chmod 000 DATA/hooks',
    'echo \'{"disableAllHooks":true}\' > .claude/settings.json',
  ])('is kept away from the hook: %s', async (command) => {
    expect(await runs(command)).toMatchObject({
      document: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } },
    })
  })

  it.each([
    'grep -rn "pulseward hook uninstall" docs',
    'git commit -m "Document pulseward hook uninstall"',
    'pulseward hook status',
    'node .husky/hooks/hook.js pre-commit',
    'cat ~/.pulseward/hooks/hook.js',
    'pulseward sessions --last 5',
    'pulseward session task fix_add',
    'pulseward check',
    'pulseward landing show 1-2-ab',
    'pulseward proposals',
    'cat DATA/hooks/hooks.json',
    'cp DATA/hooks/hooks.json /tmp/copy.json',
    'rm -rf DATA-cache',
    'echo x > ~/.pulseward-notes',
    'cat ~/.claude/settings.json > /tmp/x',
    'rm -rf node_modules && npm ci',
    'grep -r disableAllHooks docs',
  ])('is allowed: %s', async (command) => {
    expect(await runs(command)).toBeNull()
  })

  /** The longest possible commands; before they were parsed in linear time, one blocked the host for minutes. */
  const LONG = 256 * 1024
  it.each([
    ...[
      'pulseward ',
      'pulseward -x ',
      '\n',
      ' ',
      '(',
      'rm ',
      'sed x ',
      'sed x -n ',
      '> ',
      'DATA',
      'cp DATA/ ',
    ],
    ...['-c ', 'env ', 'a/', 'A=/', "')", '; pulseward '],
  ])('is parsed even when padded with %j', async (piece) => {
    const text = piece.replaceAll('DATA', place.dataDirectory)
    const padding = text.repeat(LONG / text.length)
    expect(await runs(`echo ${padding}x`)).toBeNull()
    expect(await runs(`pulseward hook status ${padding}x`)).toBeNull()
    expect(await runs(`echo ${padding}\npulseward hook uninstall`)).not.toBeNull()
  })
})

describe('a file that the agent writes', () => {
  it.each([
    ['.claude/settings.json', '{"disableAllHooks":true}'],
    ['packages/app/.claude/settings.json', '{"disableAllHooks":true}'],
    ['.claude/settings.local.json', '{"env":{"PULSEWARD_SUPERVISOR":"x"}}'],
    ['~/.claude/settings.json', '{}'],
    ['~/.claude/settings.json', '{"hooks":'],
    ['DATA/hooks/hooks.json', '{"agents":{"claude":{"mode":"shadow","installed":null}}}'],
    ['DATA/hooks/hook.js', ''],
    ['alias/hooks/hooks.json', '{}'],
    ['../home/.pulseward/new.json', '{}'],
  ])('is refused: %s with %s', async (path, content) => {
    expect(await writes(path, content)).toMatchObject({
      document: { hookSpecificOutput: { permissionDecision: 'deny' } },
    })
  })

  it.each([
    ['.claude/settings.json', '{"permissions":{}}'],
    ['packages/other/.claude/settings.json', '{"disableAllHooks":true}'],
    ['notes.json', '{"disableAllHooks":true}'],
    ['~/.pulseward-notes', 'x'],
  ])('is allowed: %s with %s', async (path, content) => {
    expect(await writes(path, content)).toBeNull()
  })

  it('may be the settings themselves if our entry stays', async () => {
    const text = readFileSync(join(place.home, '.claude/settings.json'), 'utf8')
    expect(await writes('~/.claude/settings.json', text.replace('{', '{"model":"opus",'))).toBeNull()
    expect(await writes('~/.claude/settings.json', text.replace('{', '{"model":opus,'))).toMatchObject({
      reason: `invalid JSON in ${join(place.home, '.claude/settings.json')}.`,
    })
  })
})

/** Each tool call in the form that its program reports. */
const call = (agent: HookedAgent, tool_input: object) => {
  const read = readHookCall(agent, 'tool', JSON.stringify({ cwd: join(root, 'work'), tool_input }))
  if (read === null) throw new Error('unreadable')
  return guardTool(read, { ...guarded(), agent })
}
const patch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')

describe('a tool of another program', () => {
  const denied: readonly (readonly [HookedAgent, object, object])[] = [
    [
      'codex',
      { command: patch('*** Add File: .codex/config.toml', '+[features]', '+hooks = false') },
      { hookSpecificOutput: { permissionDecision: 'deny' } },
    ],
    [
      'codex',
      {
        command: patch(
          '*** Update File: .codex/there.toml',
          '@@',
          ' x = 1',
          '*** Delete File: HOME/.codex/hooks.json',
        ),
      },
      { hookSpecificOutput: { permissionDecision: 'deny' } },
    ],
    [
      'codex',
      { command: "printf '[features]\nhooks = false' > .codex/config.toml" },
      { hookSpecificOutput: { permissionDecision: 'deny' } },
    ],
    [
      'gemini',
      { file_path: '.gemini/settings.json', content: '{"hooksConfig":{"enabled":false}}' },
      { decision: 'deny' },
    ],
    [
      'gemini',
      { command: 'echo \'{"hooksConfig":{"enabled":false}}\' > .gemini/settings.json' },
      { decision: 'deny' },
    ],
    [
      'copilot',
      { path: '.claude/settings.json', file_text: '{"disableAllHooks":true}' },
      { permissionDecision: 'deny' },
    ],
    ['cursor', { command: 'rm ~/.cursor/hooks.json' }, { permission: 'deny' }],
    [
      'qwen',
      { file_path: '.qwen/settings.json', content: '{"disableAllHooks":true}' },
      { hookSpecificOutput: { permissionDecision: 'deny' } },
    ],
    ['opencode', { filePath: 'alias/hooks/hooks.json', content: '{}' }, { decision: 'deny' }],
    ['opencode', { command: 'pulseward hook uninstall opencode' }, { decision: 'deny' }],
  ]
  it.each(denied)('of %s is refused in its form: %j', async (agent, input, document) => {
    const text = JSON.stringify(input).replaceAll('HOME', place.home)
    expect(await call(agent, JSON.parse(text) as object)).toMatchObject({ document })
  })

  it.each<readonly [HookedAgent, object]>([
    ['codex', { command: patch('*** Add File: .codex/config.toml', '+model = "x"') }],
    ['codex', { command: patch('*** Add File: notes.toml', '+[features]', '+hooks = false') }],
    ['codex', { command: 'grep -rn "hooks = false" docs > found.txt' }],
    ['gemini', { file_path: '.gemini/settings.json', content: '{"hooksConfig":{"enabled":true}}' }],
    ['gemini', { command: 'sed -i s/enableHooks/useHooks/ src/app.ts' }],
    ['copilot', { path: 'src/app.ts', file_text: 'disableAllHooks()' }],
    ['cursor', { command: 'rm src/hooks.json' }],
    ['qwen', { file_path: '.qwen/settings.json', old_string: 'a', new_string: 'b' }],
    ['opencode', { filePath: 'src/app.ts', content: '{}' }],
  ])('of %s is allowed: %j', async (agent, input) => {
    expect(await call(agent, input)).toBeNull()
  })

  it('judges the text that results from a patch, not the lines it removes', async () => {
    const path = join(root, 'work/.codex/config.toml')
    mkdirSync(join(root, 'work/.codex'), { recursive: true })
    writeFileSync(path, 'a = 1\n[features]\nhooks = true\n')
    const update = (from: string, to: string) =>
      call('codex', { command: patch('*** Update File: .codex/config.toml', '@@', ' [features]', from, to) })
    expect(await update('-hooks = true', '+hooks = false')).not.toBeNull()
    writeFileSync(path, 'a = 1\n[features]\nhooks = false\n')
    expect(await update('-hooks = false', '+hooks = true')).toBeNull()
    rmSync(join(root, 'work/.codex'), { recursive: true })
  })
})

describe('a settings change', () => {
  it('that removes the entry is blocked, unless the operator is uninstalling it', async () => {
    const path = join(place.home, '.claude/settings.json')
    const text = readFileSync(path, 'utf8')
    expect(await guardConfig({ configPath: path }, guarded())).toBeNull()
    writeFileSync(path, '{}')
    expect(await guardConfig({ configPath: path }, guarded())).toMatchObject({
      document: { decision: 'block' },
    })
    writeFileSync(path, text)
    const own = join(root, 'work/packages/app/.claude')
    mkdirSync(own, { recursive: true })
    writeFileSync(join(own, 'settings.json'), '{"disableAllHooks":true}')
    expect(await guardConfig({ configPath: join(own, 'settings.json') }, guarded())).toMatchObject({
      document: { decision: 'block' },
    })
    rmSync(own, { recursive: true })
    await uninstallHook(place, 'claude')
    expect(await guardConfig({ configPath: path }, guarded())).toBeNull()
  })
})
