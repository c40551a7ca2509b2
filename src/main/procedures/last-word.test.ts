import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AttemptResult } from '../../core/record/events.ts'
import {
  CONTRADICTED,
  held,
  INBOX,
  NAMES,
  overrule,
  PAID,
  REFUTED,
  STANDS,
  WRITES,
  workspaceAfter,
  workspaceWith,
} from '../testing/judged-workspace.ts'

/*
 * The operator's verdict on an attempt, and the heartbeats after it, with a real host and agents that write and report what they are given.
 */

describe('an attempt overruled to not verified', () => {
  it('leaves a liar nothing to claim again: neither completion nor the file', async () => {
    const workspace = await workspaceWith()
    const liar = await workspace.heartbeat(WRITES)
    expect(liar).toMatchObject(PAID)
    await overrule(workspace, liar.attemptId, 'not_verified')
    const again = await workspace.heartbeat()
    expect(again).toMatchObject(REFUTED)
    expect(again.interventions.map(({ event_type }) => event_type)).toContain('false_completion_detected')
    expect(await workspace.heartbeat(NAMES)).toMatchObject(CONTRADICTED)
  })

  it('pays an honest agent that does it again, and that work stays verified', async () => {
    const workspace = await workspaceWith()
    const { attemptId } = await workspace.heartbeat(WRITES)
    await overrule(workspace, attemptId, 'not_verified')
    expect(await workspace.heartbeat(WRITES)).toMatchObject(PAID)
    expect(await workspace.heartbeat()).toMatchObject(STANDS)
  })

  it('takes nothing from work that was done again before the overruling', async () => {
    const workspace = await workspaceWith()
    const { attemptId } = await workspace.heartbeat(WRITES)
    expect(await workspace.heartbeat(WRITES)).toMatchObject(PAID)
    await overrule(workspace, attemptId, 'not_verified')
    expect(await workspace.heartbeat(NAMES)).toMatchObject(STANDS)
  })
})

describe('an attempt overruled to verified', () => {
  it('stays verified heartbeat after heartbeat for an honest agent, whether the work left a file or not', async () => {
    const workspace = await workspaceWith()
    const honest = await workspace.heartbeat()
    expect(honest).toMatchObject(REFUTED)
    await overrule(workspace, honest.attemptId, 'verified')
    for (let again = 0; again < 3; again += 1) expect(await workspace.heartbeat()).toMatchObject(STANDS)
  })

  it('lets the agent name a file that its contradicted attempt had left', async () => {
    const workspace = await workspaceWith()
    const claim = { files: [INBOX, 'notes/none.md'] }
    const honest = await workspace.heartbeat({ ...WRITES, claim })
    expect(honest).toMatchObject(CONTRADICTED)
    await overrule(workspace, honest.attemptId, 'verified')
    expect(await workspace.heartbeat(NAMES)).toMatchObject(STANDS)
    expect(await workspace.heartbeat()).toMatchObject(STANDS)
  })

  it('does not cover a liar once the file has changed since the operator looked, or for a file that never existed', async () => {
    const workspace = await workspaceWith()
    const { attemptId } = await workspace.heartbeat({ ...WRITES, claim: { files: [INBOX, 'notes/none.md'] } })
    await overrule(workspace, attemptId, 'verified')
    expect(await workspace.heartbeat({ claim: { files: ['notes/other.md'] } })).toMatchObject(CONTRADICTED)
    await overrule(workspace, attemptId, 'unclear')
    await overrule(workspace, attemptId, 'verified')
    await rm(join(workspace.host.folder('w'), INBOX))
    expect(await workspace.heartbeat()).toMatchObject(REFUTED)
  })

  it("covers a named folder as long as the agent's files in it are unchanged since the operator looked", async () => {
    const workspace = await workspaceWith()
    const { attemptId } = await workspace.heartbeat({ ...WRITES, claim: { files: ['notes/'] } })
    await overrule(workspace, attemptId, 'unclear')
    await overrule(workspace, attemptId, 'verified')
    expect(await workspace.heartbeat()).toMatchObject(STANDS)
    await rm(join(workspace.host.folder('w'), INBOX))
    expect(await workspace.heartbeat()).toMatchObject(REFUTED)
  })

  it('covers a deletion as long as the file is gone', async () => {
    const workspace = await workspaceWith()
    const old = join(workspace.host.folder('w'), 'old.md')
    await writeFile(old, 'old')
    const { attemptId } = await workspace.heartbeat({ does: 'rm old.md' })
    await overrule(workspace, attemptId, 'not_verified')
    await overrule(workspace, attemptId, 'verified')
    expect(await workspace.heartbeat()).toMatchObject(STANDS)
    await writeFile(old, 'old')
    expect(await workspace.heartbeat()).toMatchObject(REFUTED)
  })
})

describe('an attempt overruled to unclear', () => {
  it.each<[string, Partial<AttemptResult>, number]>([
    ['costs the agent 2 points if it was verified', { verdict: 'verified', points: 10 }, -2],
    ['costs the agent 2 points if the agent was at fault', { fault: 'agent', points: -2 }, -2],
    ['costs nothing if the contract was at fault', { fault: 'contract' }, 0],
    ['costs nothing if the environment stopped it', { verdict: null, fault: 'environment' }, 0],
    ['costs nothing if it reached its limit', { fault: 'limit' }, 0],
    ['costs nothing if an optional task was skipped', { verdict: null, skipped: true, required: false }, 0],
    ['costs nothing if the work was held', held('a-1'), 0],
  ])('%s', async (_, result, points) => {
    const workspace = await workspaceAfter(result)
    const { points: before = 0 } = result
    expect((await overrule(workspace, 'a-1', 'not_verified')).delta).toBe(-15 - before)
    expect((await overrule(workspace, 'a-1', 'unclear')).delta).toBe(points + 15)
  })
})
