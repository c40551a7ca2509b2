import { setImmediate as settled } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Company } from '../../core/judgement/side-by-side.ts'
import { createCheckTurns } from './check-turns.ts'

/** Checks that end when they are told to. */
function folder(cores = 8) {
  const turns = createCheckTurns(cores)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (key: string, company: Company, limit: number): Promise<string> =>
    turns.run({ key, company, limit }, async () => {
      started.push(key)
      await new Promise<void>((end) => ends.set(key, end))
      return key
    })
  const end = async (key: string, asked: Promise<string>): Promise<void> => {
    ends.get(key)?.()
    await asked
  }
  return { turns, started, ask, end }
}

describe('the turns of checks', () => {
  it('are one after the other unless more are allowed', async () => {
    const { started, ask, end } = folder()
    const [a, b, value] = [ask('a', 'of-tree', 1), ask('b', 'of-tree', 1), ask('value', 'any', 1)]
    await settled()
    expect(started).toEqual(['a', 'value'])
    await end('a', a)
    await settled()
    expect(started).toEqual(['a', 'value', 'b'])
    await end('b', b)
    await end('value', value)
  })

  it('never outnumber the cores of the machine', async () => {
    const { started, ask, end } = folder(2)
    const all = ['a', 'b', 'c'].map((key) => ask(key, 'of-tree', 9))
    await settled()
    expect(started).toEqual(['a', 'b'])
    for (const [at, key] of ['a', 'b', 'c'].entries()) await end(key, all[at] ?? Promise.resolve(''))
    expect(started).toEqual(['a', 'b', 'c'])
  })

  it('continue after a check that fails to run', async () => {
    const { turns } = folder()
    const request = { key: 'a', company: 'none', limit: 1 } as const
    const failing = turns.run(request, () => Promise.reject(new Error('broken')))
    const next = turns.run(request, async () => 'ran')
    await expect(failing).rejects.toThrow('broken')
    expect(await next).toBe('ran')
  })
})
