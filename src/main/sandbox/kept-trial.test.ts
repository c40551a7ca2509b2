import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { tryMeans } from './find-means.ts'
import { type HeldTrial, type KeptTrial, keptTrial, type Tools } from './kept-trial.ts'

const HELD: HeldTrial = { means: 'bubblewrap', hasLayers: false, isScoped: true }
const DAY_MS = 24 * 60 * 60 * 1000

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pulseward-kept-trial-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function withProgram(): Promise<{ folder: string; tools: Tools; program: string }> {
  const folder = await temporaryFolder()
  const program = join(folder, 'bwrap')
  await writeFile(program, '#!/bin/sh\n', { mode: 0o755 })
  return {
    folder,
    program,
    tools: { bwrap: program, unshare: null, setpriv: null, pivotRoot: null, perl: null },
  }
}

describe('a saved trial', () => {
  test('is found again at the next start, for a day', async () => {
    const { folder, tools } = await withProgram()
    let now = 1_000_000
    const start = (): KeptTrial => keptTrial(folder, () => now)
    expect(start().read(tools)).toBeNull()
    start().keep(tools, HELD)
    expect(start().read(tools)).toEqual(HELD)
    now += DAY_MS
    expect(start().read(tools)).toBeNull()
    // After the clock was set back, its age is unknown.
    now = 1
    expect(start().read(tools)).toBeNull()
  })

  test('is repeated if a program was replaced or is gone', async () => {
    const { folder, tools, program } = await withProgram()
    const trial = keptTrial(folder, () => 0)
    trial.keep(tools, HELD)
    await chmod(program, 0o700)
    expect(trial.read(tools)).toBeNull()
    trial.keep(tools, HELD)
    expect(trial.read(tools)).toEqual(HELD)
    expect(trial.read({ ...tools, bwrap: null })).toBeNull()
    expect(trial.read({ ...tools, perl: program })).toBeNull()
  })

  test('leaves no file after closing, and ignores an invalid one', async () => {
    const { folder, tools } = await withProgram()
    const trial = keptTrial(folder, () => 0)
    trial.keep(tools, HELD)
    await writeFile(join(folder, 'sandbox-trial.json'), '{"means": "none"}')
    expect(trial.read(tools)).toBeNull()
    trial.close()
    trial.keep(tools, HELD)
    expect(await readFile(join(folder, 'sandbox-trial.json'), 'utf8')).toBe('{"means": "none"}')
    expect((await readdir(folder)).sort()).toEqual(['bwrap', 'sandbox-trial.json'])
  })
})

const machine = await tryMeans(process.env)

describe.skipIf(machine.found?.means !== 'bubblewrap')('on a machine with bubblewrap', () => {
  const claiming = (held: HeldTrial): KeptTrial => ({ read: () => held, keep: () => {}, close: () => {} })

  test('saves the same result that a trial finds', async () => {
    const folder = await temporaryFolder()
    const first = await tryMeans(
      process.env,
      undefined,
      keptTrial(folder, () => 0),
    )
    // It has been saved by then, if the strongest sandbox works.
    await first.cutsNetwork()
    const again = await tryMeans(
      process.env,
      undefined,
      keptTrial(folder, () => 0),
    )
    expect(again.found).toEqual(machine.found)
    expect(await again.cutsNetwork()).toBe(await machine.cutsNetwork())
  })

  test("a forged entry does not weaken an agent's sandbox", async () => {
    const weaker = await tryMeans(
      process.env,
      undefined,
      claiming({ means: 'unshare', hasLayers: false, isScoped: true }),
    )
    expect(weaker.found).toEqual(machine.found)
    const unscoped = await tryMeans(
      process.env,
      undefined,
      claiming({ means: 'bubblewrap', hasLayers: false, isScoped: false }),
    )
    expect(unscoped.found).toMatchObject({ means: 'bubblewrap' })
    const guard = machine.found?.means === 'bubblewrap' ? machine.found.guard : undefined
    expect(unscoped.found).toHaveProperty('guard', guard)
  })
})
