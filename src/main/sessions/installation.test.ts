import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HOOKED_AGENTS, type HookedAgent } from '../../core/vocabulary/session.ts'
import { hookStatus, type InstallationPlace, installHook, modeOf, uninstallHook } from './installation.ts'
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
      defaultDataDirectory: join(home, '.pulseward'),
    },
    ...{ script: join(root, 'hook.js'), node: { program: process.execPath, env: {} }, nowMs: Date.now },
  }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const pathOf = (agent: HookedAgent): string => HOOK_PROGRAMS[agent].path(place)
const stateOf = async (agent: HookedAgent, tops: readonly string[] = []) =>
  (await hookStatus(place, tops)).find((one) => one.agent === agent)

describe.each(HOOKED_AGENTS)('the hook of %s', (agent) => {
  it('goes with the file and the folders that were made for it', async () => {
    await installHook(place, agent, undefined)
    expect(await stateOf(agent)).toMatchObject({ installed: true, mode: 'shadow', lastCallAt: null })
    await uninstallHook(place, agent)
    expect(existsSync(pathOf(agent))).toBe(false)
    expect(readdirSync(place.home)).toEqual(['.pulseward'])
    expect(await stateOf(agent)).toMatchObject({ installed: false, state: 'absent' })
  })

  it.skipIf(HOOK_PROGRAMS[agent].isOwnFile)(
    'leaves the bytes of before, after two installations too',
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

describe('how a hook stands', () => {
  it('is silenced by a switch in the project, and by one of the user', async () => {
    await installHook(place, 'claude', undefined)
    expect(await stateOf('claude')).toMatchObject({ state: 'guarded' })
    mkdirSync(join(root, 'project/.claude'), { recursive: true })
    writeFileSync(join(root, 'project/.claude/settings.json'), '{"disableAllHooks":true}')
    expect(await stateOf('claude', [join(root, 'project')])).toMatchObject({ state: 'silenced' })
    expect(await stateOf('claude')).toMatchObject({ state: 'guarded' })
  })

  it('is silenced by Codex’s own switch', async () => {
    await installHook(place, 'codex', undefined)
    expect(await stateOf('codex')).toMatchObject({ state: 'present' })
    writeFileSync(join(place.home, '.codex/config.toml'), 'model = "x"\n[features]\nhooks = false\n[other]\n')
    expect(await stateOf('codex')).toMatchObject({ state: 'silenced' })
  })

  it('does not write settings that it cannot read', async () => {
    mkdirSync(join(place.home, '.claude'))
    writeFileSync(pathOf('claude'), '{ broken')
    await expect(installHook(place, 'claude', undefined)).rejects.toThrow(
      /not valid JSON.*Nothing was written/,
    )
    expect(readFileSync(pathOf('claude'), 'utf8')).toBe('{ broken')
  })

  it('keeps its command outside of every workspace, and its mode out of the entry', async () => {
    await installHook(place, 'claude', 'gate')
    const text = readFileSync(pathOf('claude'), 'utf8')
    expect(text).toContain(join(place.dataDirectory, 'hooks/hook.js'))
    expect(text).not.toContain('gate')
    expect(readFileSync(join(place.dataDirectory, 'hooks/hook.js'), 'utf8')).toBe('// the hook\n')
  })
})
