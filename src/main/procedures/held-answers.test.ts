import { readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  CONTRACT,
  CONTRADICTED,
  held,
  NAMES,
  overrule,
  REFUTED,
  STANDS,
  workspaceAfter,
} from '../testing/judged-workspace.ts'

/* The operator's answers to held work, over a real host, and the heartbeats after them. */

/** Returns an attempt that is held because of files, which the task may be allowed to change always. */
function waiting(id: string, ...files: string[]): ReturnType<typeof held> {
  const waits = held(id).held
  if (waits == null) throw new Error('Nothing is held')
  return { held: { ...waits, because: 'clean-room', files } }
}

describe('held work', () => {
  it('stays verified for an honest agent at the next heartbeat if accepted', async () => {
    const workspace = await workspaceAfter(held('a-1'))
    await workspace.host.client.review.answer({ id: 'a-1', answer: 'accept' })
    expect(await workspace.heartbeat()).toMatchObject(STANDS)
  })

  it('cannot be claimed again by a liar once refused', async () => {
    const workspace = await workspaceAfter(held('a-1'))
    await workspace.host.client.review.answer({ id: 'a-1', answer: 'refuse' })
    expect(await workspace.heartbeat(NAMES)).toMatchObject(CONTRADICTED)
  })

  it("counts as the operator's verdict once overruled, and subtracts nothing that never counted", async () => {
    const { host } = await workspaceAfter(held('a-1'))
    const { client } = host
    // The attempt's day, which may have ended at midnight since.
    const day = async () => {
      const { today, history } = await client.score.history({})
      return [today, ...history].find(({ overruledCount }) => overruledCount > 0)
    }
    const verified = { id: 'a-1', verdict: 'verified', reason: 'I looked' } as const
    expect(await client.attempts.overrule(verified)).toMatchObject({ delta: 10 })
    expect(await client.score.get({})).toMatchObject({ held: 0 })
    expect(await day()).toMatchObject({
      score: 10,
      verifiedCount: 1,
      unclearCount: 0,
      judgedCount: 1,
      overruledCount: 1,
    })
    const { overruled } = await client.attempts.get({ id: 'a-1' })
    expect(overruled).toMatchObject({ from: 'unclear' })
    await client.attempts.overrule({ id: 'a-1', verdict: 'not_verified', reason: 'I looked again' })
    expect(await day()).toMatchObject({
      score: -15,
      verifiedCount: 0,
      failedCount: 1,
      unclearCount: 0,
      judgedCount: 1,
    })
  })

  it.each([
    ['has a comma in its name, is no longer allowed after undo', '', ['a, b.md'], []],
    ['cannot be allowed, is accepted, and the answer reports it', '\xe9', [], [{ path: 'HEARTBEAT.md' }]],
  ])('accepted always, with a file that %s', async (_, end, mayChange, failed) => {
    const { host } = await workspaceAfter(waiting('a-1', 'a, b.md'))
    const contract = join(host.folder('w'), 'HEARTBEAT.md')
    // A contract that is not UTF-8 can be read, but not written.
    await writeFile(contract, CONTRACT + end, 'latin1')
    const { review } = host.client
    expect(await review.answer({ id: 'a-1', answer: 'accept', always: true })).toMatchObject({
      answered: ['a-1'],
      delta: 10,
      mayChange,
      failed,
    })
    expect(await review.list({})).toEqual({ held: [] })
    expect(await review.undo({ id: 'a-1' })).toMatchObject({ answered: ['a-1'], mayChange: [], failed: [] })
    expect(await readFile(contract, 'latin1')).toBe(CONTRACT + end)
  })

  it('trips the breaker to warning if refused as rigged twice, but not if only refused, or if the answer was undone', async () => {
    const { host } = await workspaceAfter(held('a-1'), held('a-2'), held('a-3'))
    const { review, agents } = host.client
    const breaker = async () => (await agents.list({}))[0]?.breaker
    await review.answer({ id: 'a-1', answer: 'refuse', rigged: true })
    await review.undo({ id: 'a-1' })
    await review.answer({ id: 'a-1', answer: 'refuse' })
    await review.answer({ id: 'a-2', answer: 'refuse', rigged: true })
    expect(await breaker()).toMatchObject({ state: 'closed' })
    await review.answer({ id: 'a-3', answer: 'refuse', rigged: true })
    expect(await breaker()).toMatchObject({ state: 'open' })
  })

  it('does not hide lies from the circuit breaker when no longer rigged, and does not count twice when rigged again', async () => {
    const workspace = await workspaceAfter(held('a-1'), held('a-2'))
    const { review, agents } = workspace.host.client
    const breaker = async () => (await agents.list({}))[0]?.breaker
    await review.answer({ id: 'a-1', answer: 'refuse', rigged: true })
    await review.answer({ id: 'a-2', answer: 'refuse', rigged: true })
    await review.undo({ id: 'a-2' })
    await review.answer({ id: 'a-2', answer: 'refuse', rigged: true, reason: 'I looked again' })
    expect(await breaker()).toMatchObject({ state: 'open' })
    await review.undo({ id: 'a-2' })
    await review.answer({ id: 'a-2', answer: 'refuse' })
    expect(await breaker()).toMatchObject({ state: 'open' })
    expect(await workspace.heartbeat()).toMatchObject(REFUTED)
    expect(await breaker()).toMatchObject({ state: 'tripped' })
  })
})

describe('files allowed by an answer', () => {
  const ALWAYS = { answer: 'accept', always: true } as const
  const ALLOWED = CONTRACT.replace(' | max_', ' | may_change: x.md | max_')

  async function withTwo() {
    const { host } = await workspaceAfter(waiting('a-1', 'x.md'), waiting('a-2', 'x.md'))
    const path = join(host.folder('w'), 'HEARTBEAT.md')
    return {
      path,
      client: host.client,
      review: host.client.review,
      mayChange: async () => /may_change: [^|\n]*/.exec(await readFile(path, 'utf8'))?.[0].trim(),
    }
  }

  it('stay allowed only as long as some answer that allows them is valid', async () => {
    const { path, review, mayChange } = await withTwo()
    expect(await review.answer({ id: 'a-1', ...ALWAYS })).toMatchObject({ mayChange: ['x.md'] })
    expect(await review.answer({ id: 'a-2', ...ALWAYS })).toMatchObject({ mayChange: [] })
    await review.undo({ id: 'a-1' })
    expect(await mayChange()).toBe('may_change: x.md')
    await review.undo({ id: 'a-2' })
    expect(await readFile(path, 'utf8')).toBe(CONTRACT)
  })

  it('are no longer allowed if the other work was only accepted once', async () => {
    const { review, mayChange } = await withTwo()
    await review.answer({ id: 'a-1', ...ALWAYS })
    await review.answer({ id: 'a-2', answer: 'accept' })
    await review.undo({ id: 'a-1' })
    expect(await mayChange()).toBeUndefined()
  })

  it('are no longer allowed if the other work was overruled since', async () => {
    const { client, review, mayChange } = await withTwo()
    await review.answer({ id: 'a-1', ...ALWAYS })
    await client.attempts.overrule({ id: 'a-1', verdict: 'not_verified', reason: 'I looked again' })
    await review.answer({ id: 'a-2', ...ALWAYS })
    await review.undo({ id: 'a-2' })
    expect(await mayChange()).toBeUndefined()
  })

  it('stay if the operator had written them', async () => {
    const { path, review } = await withTwo()
    await writeFile(path, ALLOWED)
    expect(await review.answer({ id: 'a-1', ...ALWAYS })).toMatchObject({ mayChange: [] })
    await review.undo({ id: 'a-1' })
    expect(await readFile(path, 'utf8')).toBe(ALLOWED)
  })

  it('are reported as not written if the folder is not writable, and the answer still counts', async () => {
    const { path, review } = await withTwo()
    // A name this long leaves no room for the name of the temporary file that replaces it.
    const place = join(dirname(path), `${'h'.repeat(252)}.md`)
    await rename(path, place)
    await symlink(place, path)
    expect(await review.answer({ id: 'a-1', ...ALWAYS })).toMatchObject({
      answered: ['a-1'],
      mayChange: [],
      failed: [{ path: 'HEARTBEAT.md' }],
    })
    await writeFile(place, ALLOWED)
    expect(await review.undo({ id: 'a-1' })).toMatchObject({ answered: ['a-1'], mayChange: ['x.md'] })
  })
})

describe('simultaneous answers of the operator', () => {
  it('are handled in order, and a second answer to the same work is refused', async () => {
    const { host } = await workspaceAfter(held('a-1'))
    const { review, attempts } = host.client
    const [first, second] = await Promise.allSettled([
      review.answer({ id: 'a-1', answer: 'accept' }),
      review.answer({ id: 'a-1', answer: 'refuse', rigged: true }),
    ])
    expect(first).toMatchObject({ status: 'fulfilled', value: { delta: 10 } })
    expect(second).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringContaining('not held for review') },
    })
    expect(await attempts.get({ id: 'a-1' })).toMatchObject({ verdict: 'verified', points: 10 })
  })

  it('count in order, so an overruling sent with an answer comes after it', async () => {
    const workspace = await workspaceAfter(held('a-1'))
    const { review, attempts } = workspace.host.client
    const [answered, overruled] = await Promise.all([
      review.answer({ id: 'a-1', answer: 'accept' }),
      overrule(workspace, 'a-1', 'not_verified'),
    ])
    expect([answered.delta, overruled.delta]).toEqual([10, -25])
    expect(await attempts.get({ id: 'a-1' })).toMatchObject({ verdict: 'not_verified', points: -15 })
  })
})
