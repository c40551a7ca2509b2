import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Log } from '../ports/log.ts'
import { readSettings } from './settings.ts'

let data: string
let warnings: string[]
const log: Log = { info: () => {}, warn: (message) => warnings.push(message), error: () => {} }

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'pulseward-settings-'))
  warnings = []
})

afterEach(() => rm(data, { recursive: true, force: true }))

describe('the settings', () => {
  it('have defaults where there is no file', async () => {
    expect(await readSettings(data, log)).toEqual({ maxConcurrentCycles: 2, port: 0 })
    expect(await readdir(data)).toEqual([])
  })

  it('are read, and those of a newer version do not disturb', async () => {
    await writeFile(join(data, 'settings.json'), '{"port": 4170, "theme": "dark"}')
    expect(await readSettings(data, log)).toEqual({ maxConcurrentCycles: 2, port: 4170 })
  })

  it.each(['{"port": -1}', '{"maxConcurrentCycles": 0}', '{', '[]', ''])(
    'that cannot be used (%j) are set aside, said so, and replaced by the defaults',
    async (text) => {
      await writeFile(join(data, 'settings.json'), text)
      expect(await readSettings(data, log)).toEqual({ maxConcurrentCycles: 2, port: 0 })
      const [aside] = await readdir(data)
      expect(aside).toMatch(/^settings\.json\.corrupt-/)
      expect(await readFile(join(data, aside ?? ''), 'utf8')).toBe(text)
      expect(warnings).toEqual([expect.stringContaining('cannot be used')])
    },
  )
})
