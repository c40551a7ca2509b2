import { spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HOOKED_AGENTS, type HookedAgent } from '../../core/vocabulary/session.ts'
import { projectsOfWorkspace } from './hook-index.ts'
import {
  commandsThere,
  hookStatus,
  type InstallationPlace,
  installHook,
  modeOf,
  uninstallHook,
} from './installation.ts'
import { HOOK_PROGRAMS } from './programs.ts'

let root = ''
let place: InstallationPlace

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pulseward-installation-')))
  const home = join(root, 'home')
  mkdirSync(home)
  writeFileSync(join(root, 'hook.js'), '// the hook\n')
  place = {
    ...{
      home,
      environment: {},
      dataDirectory: join(home, '.pulseward'),
    },
    ...{ script: join(root, 'hook.js'), node: { program: process.execPath, env: {} }, nowMs: Date.now },
  }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const pathOf = (agent: HookedAgent): string => HOOK_PROGRAMS[agent].path(place)
const stateOf = async (agent: HookedAgent, tops: readonly string[] = []) =>
  (await hookStatus(place, tops)).find((one) => one.agent === agent)

describe.each(HOOKED_AGENTS)('the hook of %s', (agent) => {
  it('is removed together with the file and folders created for it', async () => {
    await installHook(place, agent, undefined)
    expect(await stateOf(agent)).toMatchObject({ installed: true, mode: 'shadow', lastCallAt: null })
    await uninstallHook(place, agent)
    expect(existsSync(pathOf(agent))).toBe(false)
    expect(readdirSync(place.home)).toEqual(['.pulseward'])
    expect(await stateOf(agent)).toMatchObject({ installed: false, state: 'absent' })
  })

  it.skipIf(HOOK_PROGRAMS[agent].isOwnFile)(
    'restores the original bytes, even after two installations',
    async () => {
      const before = '{\n\t"mine" : [ 1,2 ]\r\n}'
      mkdirSync(dirname(pathOf(agent)), { recursive: true })
      writeFileSync(pathOf(agent), before, { mode: 0o640 })
      await installHook(place, agent, 'gate')
      await installHook(place, agent, undefined)
      expect(await modeOf(place.dataDirectory, agent)).toBe('gate')
      expect(readFileSync(pathOf(agent), 'utf8')).toContain('"mine" : [ 1,2 ]')
      await uninstallHook(place, agent)
      expect(readFileSync(pathOf(agent), 'utf8')).toBe(before)
    },
  )
})

describe('a file created for a hook', () => {
  const reformat = (agent: HookedAgent, more: object = {}): void => {
    const settings = JSON.parse(readFileSync(pathOf(agent), 'utf8')) as object
    writeFileSync(pathOf(agent), JSON.stringify({ ...settings, ...more }))
  }

  it.each(['claude', 'cursor', 'gemini'] as const)(
    'is removed even if %s has formatted it differently since',
    async (agent) => {
      await installHook(place, agent, undefined)
      reformat(agent)
      await installHook(place, agent, 'gate')
      reformat(agent)
      await uninstallHook(place, agent)
      expect(readdirSync(place.home)).toEqual(['.pulseward'])
    },
  )

  it('stays if it has other settings by then, or was empty before', async () => {
    await installHook(place, 'claude', undefined)
    reformat('claude', { model: 'x' })
    await uninstallHook(place, 'claude')
    expect(readFileSync(pathOf('claude'), 'utf8')).toBe('{"model":"x"}')
    writeFileSync(pathOf('claude'), '{}')
    await installHook(place, 'claude', undefined)
    reformat('claude')
    await uninstallHook(place, 'claude')
    expect(readFileSync(pathOf('claude'), 'utf8')).toBe('{}')
  })
})

describe('the state of a hook', () => {
  it('is silenced by a project switch, and by a user switch', async () => {
    await installHook(place, 'claude', undefined)
    expect(await stateOf('claude')).toMatchObject({ state: 'guarded' })
    mkdirSync(join(root, 'project/.claude'), { recursive: true })
    writeFileSync(join(root, 'project/.claude/settings.json'), '{"disableAllHooks":true}')
    expect(await stateOf('claude', [join(root, 'project')])).toMatchObject({ state: 'silenced' })
    expect(await stateOf('claude')).toMatchObject({ state: 'guarded' })
    mkdirSync(join(root, 'project/.git'))
    mkdirSync(join(root, 'project/app'))
    const projects = projectsOfWorkspace(join(root, 'project/app'))
    expect(await stateOf('claude', projects)).toMatchObject({ state: 'silenced' })
  })

  it('is not guarded if its entry is from a version that had no guard', async () => {
    const { path } = await installHook(place, 'codex', undefined)
    const { hooks } = JSON.parse(readFileSync(path, 'utf8')) as { hooks: Record<string, unknown> }
    delete hooks.PreToolUse
    writeFileSync(path, JSON.stringify({ hooks }))
    expect(await stateOf('codex')).toMatchObject({ state: 'present' })
    await installHook(place, 'codex', undefined)
    expect(await stateOf('codex')).toMatchObject({ state: 'guarded' })
  })

  // Measured with the real programs: a session with such a file never called the hook.
  it.each(['gemini', 'qwen'] as const)('is silenced by the environment file of %s', async (agent) => {
    await installHook(place, agent, undefined)
    const project = join(root, 'project')
    const stateWith = async (text: string) => {
      writeFileSync(join(project, '.env'), text)
      return (await stateOf(agent, [project]))?.state
    }
    mkdirSync(project)
    expect(await stateWith('PORT=80\nPULSEWARD_SUPERVISOR=x\n')).toBe('silenced')
    expect(await stateWith('PORT=80\n')).toBe('guarded')
    rmSync(join(project, '.env'))
    mkdirSync(join(project, '.env/bin'), { recursive: true })
    expect(await stateOf(agent, [project])).toMatchObject({ state: 'guarded' })
  })

  // Measured with Claude Code, Gemini CLI and Qwen Code: their hooks have what a project's settings or `.env` say.
  it.runIf(process.platform === 'linux').each([
    ['code that Node.js loads first', { NODE_OPTIONS: '--require ./silent.cjs' }],
    ['an option that Node.js refuses', { NODE_OPTIONS: '--none-such' }],
    ['a channel of a parent', { NODE_CHANNEL_FD: '0' }],
    ['a cache that cannot be made', { NODE_COMPILE_CACHE: '/proc/none' }],
    ['settings of OpenSSL that cannot be loaded', { OPENSSL_CONF: './openssl.cnf' }],
    [
      'what a project honestly sets',
      { NODE_OPTIONS: '--max-old-space-size=4096', PULSEWARD_SUPERVISOR: 'x' },
    ],
  ])('does not depend on variables of its program: %s', async (_title, variables) => {
    writeFileSync(join(root, 'silent.cjs'), 'process.exit(0)\n')
    writeFileSync(
      join(root, 'openssl.cnf'),
      'nodejs_conf = a\n[a]\nengines = b\n[b]\nx = c\n[c]\ndynamic_path = /none.so\nload = 1\n',
    )
    writeFileSync(join(root, 'hook.js'), 'console.log(process.argv[2], process.env.PULSEWARD_SUPERVISOR)\n')
    await installHook(place, 'claude', undefined)
    const { stop = '' } = await commandsThere(place, 'claude')
    const { PULSEWARD_SUPERVISOR: _, ...inherited } = process.env
    const { stdout } = spawnSync('sh', ['-c', stop], {
      ...{ cwd: root, env: { ...inherited, ...variables }, timeout: 20_000, encoding: 'utf8' },
    })
    expect(stdout).toBe(`stop ${'PULSEWARD_SUPERVISOR' in variables ? 'x' : 'undefined'}\n`)
  })

  it('is silenced by Codex’s own switch', async () => {
    await installHook(place, 'codex', undefined)
    expect(await stateOf('codex')).toMatchObject({ state: 'guarded' })
    writeFileSync(join(place.home, '.codex/config.toml'), 'model = "x"\n[features]\nhooks = false\n[other]\n')
    expect(await stateOf('codex')).toMatchObject({ state: 'silenced' })
  })

  // Measured with the real programs: in a session with such settings the hook was called, or not.
  it.each<readonly [HookedAgent, readonly [comment: boolean, comma: boolean, mark: boolean]]>([
    ['claude', [false, false, true]],
    ['codex', [false, false, false]],
    ['copilot', [false, false, false]],
    ['gemini', [true, false, false]],
    ['qwen', [true, false, false]],
    ['cursor', [true, true, true]],
  ])('is silenced by what %s cannot read in its settings', async (agent, reads) => {
    const { path } = await installHook(place, agent, undefined)
    const text = readFileSync(path, 'utf8')
    const [comment, comma, mark] = reads
    for (const [changed, isRead] of [
      [text.replace('{', '{ // mine\n'), comment],
      [text.replace(/\}\s*$/, ',}\n'), comma],
      [`\uFEFF${text}`, mark],
      [text.replace('{', '{ "model": opus,'), false],
    ] as const) {
      writeFileSync(path, changed)
      const because = isRead ? null : `invalid JSON in ${path}`
      expect(await stateOf(agent), changed).toMatchObject({ state: isRead ? 'guarded' : 'silenced', because })
    }
  })

  it('does not write settings that it cannot read', async () => {
    mkdirSync(join(place.home, '.claude'))
    writeFileSync(pathOf('claude'), '{ broken')
    await expect(installHook(place, 'claude', undefined)).rejects.toThrow(
      /not valid JSON.*Nothing was written/,
    )
    expect(readFileSync(pathOf('claude'), 'utf8')).toBe('{ broken')
  })

  it.each([
    ['that exists', true],
    ['that does not exist yet', false],
  ])('is written through a link to a file %s', async (_title, isThere) => {
    const kept = join(root, 'dotfiles-settings.json')
    if (isThere) writeFileSync(kept, '{"a": 1}\n')
    mkdirSync(join(place.home, '.claude'))
    symlinkSync(kept, pathOf('claude'))
    await installHook(place, 'claude', undefined)
    expect(readFileSync(kept, 'utf8')).toContain('hook.js')
    expect(lstatSync(pathOf('claude')).isSymbolicLink()).toBe(true)
    await uninstallHook(place, 'claude')
    expect(lstatSync(pathOf('claude')).isSymbolicLink()).toBe(true)
    expect(existsSync(kept) ? readFileSync(kept, 'utf8') : null).toBe(isThere ? '{"a": 1}\n' : null)
  })

  it('is silenced by settings that perhaps only the program can read', async () => {
    await installHook(place, 'claude', undefined)
    const project = join(root, 'project/.claude')
    mkdirSync(project, { recursive: true })
    writeFileSync(join(project, 'settings.json'), `{"disableAllHooks":true,"x":"${'x'.repeat(5_000_000)}"}`)
    expect(await stateOf('claude', [join(root, 'project')])).toMatchObject({
      state: 'silenced',
      because: expect.stringContaining('cannot be read (TOO_LARGE)'),
    })
  })

  it("always names its data folder, whatever the program's environment says", async () => {
    for (const agent of HOOKED_AGENTS) {
      await installHook(place, agent, undefined)
      const commands = Object.values(await commandsThere(place, agent))
      expect(commands).not.toEqual([])
      for (const command of commands) expect(command).toContain(`--data-dir "${place.dataDirectory}"`)
    }
  })

  it('keeps its command outside every workspace, and its mode out of the entry', async () => {
    await installHook(place, 'claude', 'gate')
    const text = readFileSync(pathOf('claude'), 'utf8')
    expect(text).toContain(join(place.dataDirectory, 'hooks/hook.js'))
    expect(text).not.toContain('gate')
    expect(readFileSync(join(place.dataDirectory, 'hooks/hook.js'), 'utf8')).toBe('// the hook\n')
  })
})
