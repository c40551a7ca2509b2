import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createSlots } from './slots.ts'

const never = new AbortController().signal

/** Creates work that ends when told to, and reports when it began. */
function works(size: number) {
  const slots = createSlots(size)
  const began: string[] = []
  const ends = new Map<string, () => void>()
  const start = (name: string, dueMs: number | null, signal = never) =>
    slots.run(
      () => {
        began.push(name)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      },
      { dueMs, signal },
    )
  return { slots, began, start, end: (name: string) => ends.get(name)?.() }
}

describe('due heartbeats', () => {
  it('wait until the host has answered, except those requested by hand', async () => {
    const { slots, began, start, end } = works(2)
    const due = start('due', 1)
    const asked = start('asked', null)
    await setImmediate()
    expect(began).toEqual(['asked'])
    slots.open()
    await expect.poll(() => began).toEqual(['asked', 'due'])
    end('asked')
    end('due')
    await Promise.all([due, asked])
  })

  it('run up to the limit, the longest overdue first, after those requested by hand', async () => {
    const { slots, began, start, end } = works(1)
    const all = [start('later', 30), start('first', 10), start('second', 20)]
    slots.open()
    await expect.poll(() => began).toEqual(['first'])
    all.push(start('asked', null))
    for (const name of ['first', 'asked', 'second', 'later']) {
      await expect.poll(() => began.at(-1)).toBe(name)
      end(name)
    }
    await Promise.all(all)
  })

  it('leave the queue when aborted, and start nothing', async () => {
    const { slots, began, start, end } = works(1)
    slots.open()
    const running = start('running', 1)
    const stopping = new AbortController()
    const waiting = start('waiting', 2, stopping.signal)
    stopping.abort()
    await expect(waiting).rejects.toThrow('stopping')
    await expect(start('late', 3, stopping.signal)).rejects.toThrow('stopping')
    end('running')
    await running
    expect(began).toEqual(['running'])
  })

  it('start when another has failed, and when the limit is raised', async () => {
    const { slots, began, start, end } = works(1)
    slots.open()
    await expect(
      slots.run(async () => Promise.reject(new Error('no')), { dueMs: 1, signal: never }),
    ).rejects.toThrow()
    const all = [start('a', 1), start('b', 2), start('c', 3)]
    slots.resize(3)
    await expect.poll(() => began.length).toBe(3)
    for (const name of ['a', 'b', 'c']) end(name)
    await Promise.all(all)
  })
})

describe('held slots', () => {
  it('start nothing, due or requested, until they are released', async () => {
    const { slots, began, start, end } = works(2)
    slots.open()
    const release = slots.hold()
    const waiting = [start('due', 1), start('asked', null)]
    await setImmediate()
    expect([began, slots.hold()]).toEqual([[], null])
    release?.()
    await setImmediate()
    expect(began).toContain('asked')
    end('asked')
    await waiting[1]
  })

  it('are refused while a heartbeat runs', async () => {
    const { slots, start, end } = works(2)
    const one = start('one', null)
    await setImmediate()
    expect(slots.hold()).toBeNull()
    end('one')
    await one
    expect(slots.hold()).not.toBeNull()
  })
})
