import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_SETTINGS } from '../../api/schemas/settings.ts'
import type { Log } from '../ports/log.ts'
import { withoutDescriptors } from '../testing/faults/without-descriptors.ts'
import { openSettings, settingsProblem } from './settings.ts'

let data: string
let file: string
let warnings: string[]
const log: Log = { info: () => {}, warn: (message) => warnings.push(message), error: () => {} }

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'pulseward-settings-'))
  file = join(data, 'settings.json')
  warnings = []
})

afterEach(() => rm(data, { recursive: true, force: true }))

describe('the settings', () => {
  it('have defaults without a file', async () => {
    expect((await openSettings(data, log)).current).toEqual(DEFAULT_SETTINGS)
    expect(await readdir(data)).toEqual([])
  })

  it("are read, and a newer version's fields are ignored", async () => {
    await writeFile(file, '{"port": 4170, "sound": "gong"}')
    expect((await openSettings(data, log)).current).toEqual({ ...DEFAULT_SETTINGS, port: 4170 })
  })

  it.each(['{"port": -1}', '{"maxConcurrentCycles": 0}', '{', '[]', '', '{"theme": "pink"}'])(
    'are set aside, reported, and replaced by the defaults if they cannot be used (%j)',
    async (text) => {
      await writeFile(file, text)
      const told: string[] = []
      const { current } = await openSettings(data, log, (reason) => told.push(reason))
      expect(current).toEqual(DEFAULT_SETTINGS)
      const [aside] = await readdir(data)
      expect(aside).toMatch(/^settings\.json\.corrupt-/)
      expect(await readFile(join(data, aside ?? ''), 'utf8')).toBe(text)
      expect(warnings).toEqual([expect.stringContaining('cannot be used')])
      expect(told).toEqual(warnings)
    },
  )

  it('are reported once if they are corrupted while in use', async () => {
    const told: string[] = []
    const store = await openSettings(data, log, (reason) => told.push(reason))
    await writeFile(file, '{"limits": {"dailyTokens": "many"}}')
    await store.read()
    await store.read()
    expect(told).toEqual([expect.stringContaining('limits.dailyTokens')])
  })
})

describe('what `doctor` reports about the settings', () => {
  it('names the problem', async () => {
    expect(await settingsProblem(data)).toBeNull()
    await writeFile(file, '{"port": -1}')
    expect(await settingsProblem(data)).toContain('cannot be used: port')
  })

  it.skipIf(process.platform === 'win32')(
    'is nothing if the machine cannot read them right now, and they stay in place',
    async () => {
      await writeFile(file, '{"port": -1}')
      const call = `it.settingsProblem(${JSON.stringify(data)})`
      expect(await withoutDescriptors(new URL('./settings.ts', import.meta.url), call)).toBe('null')
    },
  )
})

describe('a change of the settings', () => {
  it('writes what was changed, and keeps every field that is not ours at every depth', async () => {
    await writeFile(
      file,
      '{"sound": "gong", "port": 4170, "notifications": {"volume": 3, "kinds": {"mail": true}}}',
    )
    const store = await openSettings(data, log)
    const { hash } = await store.read()
    const quietHours = { from: '22:00', to: '07:30' }
    const changed = await store.change(
      { theme: 'dark', notifications: { quietHours, kinds: { lockdown: false } } },
      hash,
    )
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      sound: 'gong',
      port: 4170,
      notifications: { volume: 3, kinds: { mail: true, lockdown: false }, quietHours },
      theme: 'dark',
    })
    expect(changed.settings.notifications.kinds).toEqual({
      ...DEFAULT_SETTINGS.notifications.kinds,
      lockdown: false,
    })
    expect(store.current).toEqual(changed.settings)
    expect(await store.read()).toEqual(changed)
  })

  it('creates a missing file, readable only by its owner, and leaves no other file', async () => {
    const store = await openSettings(data, log)
    await store.change({ port: 1 }, (await store.read()).hash)
    expect(await readFile(file, 'utf8')).toBe('{\n  "port": 1\n}\n')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(data)).toEqual(['settings.json'])
  })

  it('is refused if the file has changed since it was read, and nothing is written', async () => {
    const store = await openSettings(data, log)
    const { hash } = await store.read()
    await writeFile(file, '{"port": 4171}')
    await expect(store.change({ port: 1 }, hash)).rejects.toMatchObject({ kind: 'conflict' })
    expect(await readFile(file, 'utf8')).toBe('{"port": 4171}')
  })

  it('accepts only one of two changes based on the same reading', async () => {
    const store = await openSettings(data, log)
    const { hash } = await store.read()
    const both = await Promise.allSettled([store.change({ port: 1 }, hash), store.change({ port: 2 }, hash)])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect((await store.read()).settings.port).toBe(1)
  })

  it('keeps a key called __proto__ as an ordinary key', async () => {
    await writeFile(file, '{"__proto__": {"port": 1}}')
    const store = await openSettings(data, log)
    const { settings } = await store.change({ zoom: 120 }, (await store.read()).hash)
    expect(settings.port).toBe(0)
    expect(await readFile(file, 'utf8')).toContain('"__proto__"')
  })

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'says why it cannot be written, and leaves the file in place',
    async () => {
      await writeFile(file, '{"port": 4170}')
      const store = await openSettings(data, log)
      await chmod(data, 0o500)
      const change = store.change({ port: 1 }, (await store.read()).hash)
      await expect(change).rejects.toMatchObject({ kind: 'unprocessable' })
      await chmod(data, 0o700)
      expect(await readFile(file, 'utf8')).toBe('{"port": 4170}')
    },
  )
})
