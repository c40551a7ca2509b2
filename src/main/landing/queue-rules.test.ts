import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { TreeJudgement } from '../../core/landing/steps.ts'
import type { EventBody } from '../../core/record/events.ts'
import { applyEvent, initialState } from '../../core/record/fold.ts'
import type { LandingEntry } from '../../core/record/state.ts'
import { attemptFinished, recorded } from '../../core/record/testing/sample-events.ts'
import { parseWorkspaceConfig } from '../config/parse-config.ts'
import type { Ledger } from '../ports/ledger.ts'
import type { Forge, PullEnd } from './forge.ts'
import { createLandingQueue, type HandedIn, type LandingQueue, type QueueOptions, refOf } from './queue.ts'
import { repositoryOpener } from './repository.ts'
import { landingRepository } from './testing/landing-repository.ts'

/* What the queue does with work, with a real repository and a ledger in memory. */

const at = landingRepository()
const ID = '1-1-abcd'
const OTHER = '2-1-efgh'
const VERIFIED: TreeJudgement = { verdict: 'verified', held: null, reasons: ['it is'] }
const RED: TreeJudgement = { verdict: 'not_verified', held: null, reasons: ['build/out.txt is missing'] }

interface Scene {
  readonly queue: LandingQueue
  readonly ledger: Ledger
  /** Returns the types of the events since the last call. */
  readonly events: () => readonly string[]
  readonly entry: (attemptId?: string) => LandingEntry
  readonly judged: string[]
  readonly pass: (ms: number) => void
  readonly process: (isLookingAgain?: boolean) => Promise<void>
}

function memoryLedger(): Ledger & { readonly events: string[] } {
  let state = initialState()
  const events: string[] = []
  return {
    events,
    get state() {
      return state
    },
    approvedHash: null,
    append: async (...bodies) => {
      const written = recorded(bodies, '2025-03-10', state.seq + 1)
      for (const event of written) state = applyEvent(state, event)
      events.push(...bodies.map(({ type }) => type))
      return written
    },
    read: async () => [],
    attempt: async () => null,
    close: async () => {},
  }
}

function scene(
  mode: 'ask' | 'auto' | 'branch' | 'pull-request',
  { judge = async () => VERIFIED, ...more }: Partial<QueueOptions> & { readonly target?: string } = {},
): Scene {
  const ledger = memoryLedger()
  const judged: string[] = []
  let nowMs = Date.UTC(2025, 2, 10, 9)
  const text = `[agent]\ncommand = ["true"]\n[workspace]\nisolation = "worktree"\n[landing]\nmode = "${mode}"\nforge = "forgejo"\n`
  const reading = parseWorkspaceConfig(text)
  if (!reading.ok) throw new Error('The configuration is wrong')
  const queue = createLandingQueue({
    workspace: 'alpha',
    open: repositoryOpener(at.top),
    ledger,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    nowMs: () => nowMs,
    config: () => reading.config,
    judge: async (entry, tip, tree, signal) => {
      judged.push(tree)
      return judge(entry, tip, tree, signal)
    },
    recordHead: async () => 'head',
    forge: async () => null,
    changed: () => {},
    ...more,
  })
  return {
    queue,
    ledger,
    events: () => ledger.events.splice(0),
    entry: (attemptId = ID) => {
      const found = ledger.state.landings.find((one) => one.attemptId === attemptId)
      if (found === undefined) throw new Error(`No work ${attemptId}`)
      return found
    },
    judged,
    pass: (ms) => {
      nowMs += ms
    },
    process: (isLookingAgain) => queue.process(new AbortController().signal, isLookingAgain),
  }
}

function work(files: Readonly<Record<string, string | null>>, change: Partial<HandedIn> = {}): HandedIn {
  return {
    attemptId: ID,
    taskId: 'fix',
    description: 'Fix it',
    target: 'main',
    base: at.git('rev-parse', 'main'),
    tree: at.git('rev-parse', `${at.commitOf(files)}^{tree}`),
    isWhole: true,
    author: null,
    verified: true,
    because: 'It is verified',
    held: false,
    suspicion: null,
    ...change,
  }
}

const answer = ({ queue }: Scene, word: 'land' | 'drop' | 'retry', id = ID) =>
  queue.answer(id, word, new AbortController().signal)

function overrule(attemptId = ID): EventBody {
  return {
    type: 'verdict-overruled',
    attemptId,
    taskId: 'fix',
    attemptDay: '2025-03-10',
    from: 'verified',
    fromContradiction: false,
    to: 'not_verified',
    reason: 'No',
    pointsDelta: 0,
  }
}

const THUMB_DOWN: EventBody = {
  type: 'feedback-given',
  attemptId: ID,
  taskId: 'fix',
  feedback: 'down',
  note: null,
  points: 0,
}

/** Adds a remote named origin that has main. */
function addRemote(): void {
  execFileSync('git', ['init', '--quiet', '--bare', 'remote.git'], { cwd: at.root })
  at.git('remote', 'add', 'origin', join(at.root, 'remote.git'))
  at.git('push', '--quiet', 'origin', 'main')
}

const remoteBranch = (branch: string): string =>
  at.git('ls-remote', 'origin', `refs/heads/${branch}`).split('\t')[0] ?? ''

describe('work that was judged together with files that git ignores', () => {
  test('is judged again without them, and held if it fails then', async () => {
    const here = scene('auto', { judge: async () => RED })
    const handed = work({ 'a.txt': 'a\n' }, { isWhole: false })
    await here.queue.handIn(handed)
    await here.process()
    expect(here.judged).toEqual([handed.tree])
    expect(here.entry()).toMatchObject({
      state: 'held',
      because: expect.stringMatching(/^Git ignores the files it made.*build\/out.txt is missing/),
    })
    // The operator's answer can't make it pass.
    expect(await answer(here, 'land')).toMatchObject({ state: 'held' })
    expect(at.git('ls-tree', '--name-only', 'main')).not.toContain('a.txt')
  })

  test('lands if it passes without them', async () => {
    const here = scene('auto')
    await here.queue.handIn(work({ 'a.txt': 'a\n' }, { isWhole: false }))
    await here.process()
    expect(here.judged).toHaveLength(1)
    expect(here.entry()).toMatchObject({ state: 'landed' })
  })

  test('without such files lands without being judged again', async () => {
    const here = scene('auto')
    await here.queue.handIn(work({ 'a.txt': 'a\n' }))
    await here.process()
    expect(here.judged).toEqual([])
    expect(here.entry()).toMatchObject({ state: 'landed' })
  })
})

test.each([
  ['a link that leads out', { 'out.txt': '-> ../elsewhere' }, 'link to a place outside'],
  ['an absolute link', { 'out.txt': '-> /etc/passwd' }, 'link to a place outside'],
  ['a filter', { 'sub/.gitattributes': '* binary\n*.bin filter=lfs\n' }, 'filter (lfs)'],
])('%s never lands, whatever the operator answers', async (_name, files, because) => {
  const here = scene('auto')
  await here.queue.handIn(work(files))
  await here.process()
  expect(here.entry()).toMatchObject({ state: 'held', because: expect.stringContaining(because) })
  expect(await answer(here, 'land')).toMatchObject({ state: 'held' })
})

test('attributes without a filter and links inside the repository land', async () => {
  const here = scene('auto')
  await here.queue.handIn(work({ 'sub/.gitattributes': '*.bin -text\n', 'sub/l': '-> ../one.txt' }))
  await here.process()
  expect(here.entry()).toMatchObject({ state: 'landed' })
})

describe('work that the operator overrules', () => {
  test('while it is judged does not land', async () => {
    const here: Scene = scene('auto', {
      judge: async () => {
        await here.ledger.append(overrule())
        return VERIFIED
      },
    })
    await here.ledger.append(attemptFinished({ attemptId: ID, taskId: 'fix' }))
    await here.queue.handIn(work({ 'a.txt': 'a\n' }, { isWhole: false }))
    await here.process()
    expect(here.entry()).toMatchObject({ state: 'dropped', verified: false })
    expect(at.git('ls-tree', '--name-only', 'main')).not.toContain('a.txt')
    await expect(answer(here, 'retry')).rejects.toThrow(/only verified work lands/)
  })

  test.each(['auto', 'branch'] as const)(
    'while its commit is made does not land, in mode %s',
    async (mode) => {
      const here: Scene = scene(mode, {
        checkpoint: async (step) => {
          if (step === 'committed') await here.ledger.append(overrule())
        },
      })
      await here.ledger.append(attemptFinished({ attemptId: ID, taskId: 'fix' }))
      await here.queue.handIn(work({ 'a.txt': 'a\n' }))
      await here.process()
      expect(here.entry()).toMatchObject({
        state: 'dropped',
        verified: false,
        candidate: null,
        published: null,
      })
      expect(at.git('ls-tree', '--name-only', 'main')).not.toContain('a.txt')
      expect(at.git('branch', '--list', 'pulseward/*')).toBe('')
    },
  )

  test('after it was published is withdrawn', async () => {
    const here = scene('branch')
    await here.ledger.append(attemptFinished({ attemptId: ID, taskId: 'fix' }))
    await here.queue.handIn(work({ 'a.txt': 'a\n' }))
    await here.process()
    expect(at.git('branch', '--list', 'pulseward/*')).not.toBe('')
    await here.ledger.append(overrule())
    await here.process()
    expect(here.entry()).toMatchObject({ state: 'dropped', published: null })
    expect(at.git('branch', '--list', 'pulseward/*')).toBe('')
  })
})

test('work rated down is not judged again by retry, but lands if the operator says so', async () => {
  const here = scene('auto')
  await here.ledger.append(attemptFinished({ attemptId: ID, taskId: 'fix' }))
  await here.ledger.append(THUMB_DOWN)
  await here.queue.handIn(work({ 'a.txt': 'a\n' }, { isWhole: false }))
  await here.process()
  await expect(answer(here, 'retry')).rejects.toThrow(/You rated .* down/)
  // Dropped and then retried, it is held again.
  await answer(here, 'drop')
  expect(await answer(here, 'retry')).toMatchObject({ state: 'held', isDisliked: true })
  expect(here.judged).toEqual([])
  expect(await answer(here, 'land')).toMatchObject({ state: 'landed' })
})

test('work that was dropped before it was rated down is held by retry without being judged', async () => {
  const here = scene('auto')
  await here.queue.handIn(work({ 'a.txt': 'a\n' }, { isWhole: false }))
  await answer(here, 'drop')
  await here.ledger.append(attemptFinished({ attemptId: ID, taskId: 'fix' }))
  await here.ledger.append(THUMB_DOWN)
  expect(await answer(here, 'retry')).toMatchObject({ state: 'held', isDisliked: true })
  expect(here.judged).toEqual([])
})

describe('waiting work', () => {
  test('for a clean work tree records nothing and makes no commit while nothing changes', async () => {
    const here = scene('auto')
    await here.queue.handIn(work({ 'a.txt': 'a\n' }))
    at.write({ 'one.txt': 'edited\n' })
    await here.process()
    expect(here.entry()).toMatchObject({ state: 'waiting', waitsFor: 'clean-tree' })
    const objects = at.git('count-objects')
    here.events()
    await here.process()
    await here.process()
    expect(here.events()).toEqual([])
    expect(at.git('count-objects')).toBe(objects)
  })

  test('on a branch that is already published pushes and records nothing', async () => {
    addRemote()
    const here = scene('branch')
    await here.queue.handIn(work({ 'a.txt': 'a\n' }, { target: 'origin/main' }))
    await here.process()
    const { branch, commit } = here.entry()
    expect(remoteBranch(branch ?? '')).toBe(commit)
    here.events()
    await here.process()
    expect(here.events()).toEqual([])
  })

  test('that fails the same way is retried less and less often, but immediately by a heartbeat', async () => {
    const here = scene('auto', {
      judge: async () => ({ verdict: 'unclear', held: null, reasons: ['no network'] }),
    })
    await here.queue.handIn(work({ 'a.txt': 'a\n' }, { isWhole: false }))
    await here.process()
    await here.process(true)
    expect(here.judged).toHaveLength(1)
    here.pass(31_000)
    await here.process(true)
    here.pass(31_000)
    await here.process(true)
    expect(here.judged).toHaveLength(2)
    await here.process()
    expect(here.judged).toHaveLength(3)
  })
})

test('does not overwrite commits of others on a published branch', async () => {
  addRemote()
  const here = scene('branch')
  await here.queue.handIn(work({ 'a.txt': 'a\n' }, { target: 'origin/main' }))
  await here.process()
  const branch = here.entry().branch ?? ''
  const theirs = at.git(
    'commit-tree',
    `${here.entry().commit}^{tree}`,
    '-p',
    here.entry().commit ?? '',
    '-m',
    'Review',
  )
  at.git('push', '--quiet', 'origin', `${theirs}:refs/heads/${branch}`)
  // The target moves, so there is something new to offer.
  at.git('push', '--quiet', 'origin', `${at.commitOf({ 'b.txt': 'b\n' })}:refs/heads/main`)
  await here.process()
  expect(remoteBranch(branch)).toBe(theirs)
  expect(here.entry()).toMatchObject({
    state: 'waiting',
    because: expect.stringContaining('not Pulseward’s'),
  })
  await answer(here, 'drop')
  expect(remoteBranch(branch)).toBe(theirs)
})

describe('a pull request', () => {
  function forge(end: () => PullEnd | null = () => null): { forge: Forge; calls: string[] } {
    const calls: string[] = []
    return {
      calls,
      forge: {
        status: async (_commit, state) => void calls.push(`status ${state}`),
        pull: async (number, { branch }) => {
          calls.push(`pull ${number ?? 'new'} ${branch}`)
          return { number: number ?? 7, url: 'https://x.test/7' }
        },
        close: async (number) => void calls.push(`close ${number}`),
        end: async () => end(),
        body: () => 'body',
      },
    }
  }

  test('is named after workspace and task, created once, and closed with its branch when the operator lands it', async () => {
    addRemote()
    const { forge: one, calls } = forge()
    const here = scene('pull-request', { forge: async () => one })
    await here.queue.handIn(work({ 'a.txt': 'a\n' }, { target: 'origin/main' }))
    await here.process()
    await here.process()
    expect(calls.splice(0)).toEqual(['pull new pulseward/alpha-fix', 'status success'])
    expect(await answer(here, 'land')).toMatchObject({ state: 'landed', published: null })
    expect(calls).toContain('close 7')
    expect(remoteBranch('pulseward/alpha-fix')).toBe('')
    expect(remoteBranch('main')).toBe(here.entry().commit)
  })

  test('that someone closed is held, and retry opens another', async () => {
    addRemote()
    let end: PullEnd | null = null
    const { forge: one, calls } = forge(() => end)
    const here = scene('pull-request', { forge: async () => one })
    await here.queue.handIn(work({ 'a.txt': 'a\n' }, { target: 'origin/main' }))
    await here.process()
    end = { kind: 'refused' }
    await here.process(true)
    expect(here.entry().state).toBe('waiting')
    await here.process()
    expect(here.entry()).toMatchObject({ state: 'held', because: expect.stringContaining('#7 was closed') })
    calls.splice(0)
    expect(await answer(here, 'retry')).toMatchObject({ state: 'waiting', waitsFor: 'merge' })
    expect(calls[0]).toBe('pull new pulseward/alpha-fix')
  })

  test('that someone closed is held and its branch stays, even if the target has moved', async () => {
    addRemote()
    let end: PullEnd | null = null
    const { forge: one, calls } = forge(() => end)
    const here = scene('pull-request', { forge: async () => one })
    await here.queue.handIn(work({ 'a.txt': 'a\n' }, { target: 'origin/main' }))
    await here.process()
    const branch = here.entry().branch ?? ''
    const offered = remoteBranch(branch)
    const moveOn = (files: Readonly<Record<string, string>>): void => {
      at.git('fetch', '--quiet', 'origin')
      at.git('reset', '--quiet', '--hard', 'origin/main')
      at.git('push', '--quiet', 'origin', `${at.commitOf(files)}:refs/heads/main`)
    }
    // An open one is updated.
    moveOn({ 'b.txt': 'b\n' })
    await here.process(true)
    const updated = remoteBranch(branch)
    expect(updated).not.toBe(offered)
    end = { kind: 'refused' }
    moveOn({ 'c.txt': 'c\n' })
    calls.splice(0)
    await here.process(true)
    expect(here.entry()).toMatchObject({ state: 'held', because: expect.stringContaining('#7 was closed') })
    expect(remoteBranch(branch)).toBe(updated)
    expect(calls.filter((call) => call.startsWith('pull'))).toEqual([])
  })

  describe('that someone merged under another name', () => {
    /** Squashes it on the remote and deletes its branch; then someone changes the same file. */
    const squash = (here: Scene, files: Readonly<Record<string, string>>): string => {
      const merged = at.git(
        'commit-tree',
        `${at.commitOf(files)}^{tree}`,
        '-p',
        'main',
        '-m',
        'Squashed (#7)',
      )
      const last = at.git('commit-tree', 'main^{tree}', '-p', merged, '-m', 'Later')
      at.git('push', '--quiet', 'origin', `${last}:refs/heads/main`)
      at.git('push', '--quiet', 'origin', '--delete', here.entry().branch ?? '')
      return merged
    }

    test.each([
      ['has landed if it has the judged contents', 'two\n', false],
      ['needs attention if it has others', 'three\n', true],
    ])('%s', async (_name, text, differs) => {
      addRemote()
      let end: PullEnd | null = null
      const { forge: one, calls } = forge(() => end)
      const here = scene('pull-request', { forge: async () => one })
      await here.queue.handIn(work({ 'one.txt': 'two\n' }, { target: 'origin/main' }))
      await here.process()
      const merged = squash(here, { 'one.txt': text })
      end = { kind: 'merged', commit: merged }
      calls.splice(0)
      await here.process(true)
      expect(here.entry()).toMatchObject({ state: 'landed', commit: merged, differs })
      expect(calls).toEqual([])
      expect(remoteBranch(here.entry().branch ?? '')).toBe('')
    })

    test('waits until a local target has it, without being published again', async () => {
      addRemote()
      let end: PullEnd | null = null
      const { forge: one, calls } = forge(() => end)
      const here = scene('pull-request', { forge: async () => one })
      await here.queue.handIn(work({ 'one.txt': 'two\n' }))
      await here.process()
      end = { kind: 'merged', commit: squash(here, { 'one.txt': 'two\n' }) }
      calls.splice(0)
      await here.process(true)
      expect(here.entry()).toMatchObject({
        state: 'waiting',
        because: expect.stringContaining('#7 was merged'),
      })
      expect([calls, remoteBranch(here.entry().branch ?? '')]).toEqual([[], ''])
      at.git('pull', '--quiet', '--ff-only', 'origin', 'main')
      await here.process(true)
      expect(here.entry()).toMatchObject({ state: 'landed', differs: false })
    })
  })

  test('of a later attempt stays when the earlier attempt is dropped', async () => {
    addRemote()
    const { forge: one, calls } = forge()
    const here = scene('pull-request', { forge: async () => one })
    await here.queue.handIn(work({ 'one.txt': 'two\n' }, { target: 'origin/main' }))
    await here.process()
    // A conflict sends it back, and the next attempt takes over its branch.
    at.git('push', '--quiet', 'origin', `${at.commitOf({ 'one.txt': 'three\n' })}:refs/heads/main`)
    await here.process()
    expect(here.entry().state).toBe('conflict')
    at.git('fetch', '--quiet', 'origin')
    at.git('reset', '--quiet', '--hard', 'origin/main')
    await here.queue.handIn(work({ 'a.txt': 'a\n' }, { target: 'origin/main', attemptId: OTHER }))
    await here.process()
    expect(here.entry(OTHER)).toMatchObject({ state: 'waiting', branch: here.entry().branch })
    calls.splice(0)
    await answer(here, 'drop')
    expect(calls).toEqual([])
    expect(remoteBranch(here.entry().branch ?? '')).toBe(here.entry(OTHER).commit)
  })
})

describe('a published branch', () => {
  const told: string[] = []
  const forge: Forge = {
    status: async (commit, state) => void told.push(`${state} ${commit}`),
    pull: async () => ({ number: 7, url: '' }),
    close: async () => {},
    end: async () => null,
    body: () => '',
  }

  test.each([
    ['is told to the forge as verified, once, if it is on a remote', 'origin/main', true],
    ['is not told to the forge if it is local', 'main', false],
  ])('%s', async (_name, target, isTold) => {
    addRemote()
    told.splice(0)
    const here = scene('branch', { forge: async () => forge })
    await here.queue.handIn(work({ 'a.txt': 'a\n' }, { target }))
    await here.process()
    await here.process()
    expect(told).toEqual(isTold ? [`success ${here.entry().commit}`] : [])
    expect(here.entry()).toMatchObject({ state: 'waiting', waitsFor: 'merge' })
  })

  test('whose report failed is reported by the next look', async () => {
    addRemote()
    told.splice(0)
    let isOut = true
    const status: Forge['status'] = async (...asked) => {
      if (isOut) throw new Error('The forge is out')
      await forge.status(...asked)
    }
    const here = scene('branch', { forge: async () => ({ ...forge, status }) })
    await here.queue.handIn(work({ 'a.txt': 'a\n' }, { target: 'origin/main' }))
    await here.process()
    expect(here.entry()).toMatchObject({ waitsFor: 'remote', because: 'The forge is out' })
    isOut = false
    await here.process()
    expect(told).toEqual([`success ${here.entry().commit}`])
    expect(here.entry()).toMatchObject({ waitsFor: 'merge' })
  })
})

describe('a remote that accepts the push', () => {
  const hook = (script: string): void =>
    writeFileSync(join(at.root, 'remote.git/hooks/post-receive'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })

  test('but resets its branch does not have the work', async () => {
    addRemote()
    hook(`git update-ref refs/heads/main ${at.git('rev-parse', 'main')}`)
    const here = scene('auto')
    await here.queue.handIn(work({ 'a.txt': 'a\n' }, { target: 'origin/main' }))
    await here.process()
    expect(here.entry()).toMatchObject({ state: 'waiting', waitsFor: 'remote', commit: null })
  })

  test('and adds a commit on top that is not here yet has the work', async () => {
    addRemote()
    hook(
      'top=$(git -c user.name=B -c user.email=b@x commit-tree main^{tree} -p main -m Bump) && git update-ref refs/heads/main $top',
    )
    const here = scene('auto')
    await here.queue.handIn(work({ 'a.txt': 'a\n' }, { target: 'origin/main' }))
    await here.process()
    expect(here.entry()).toMatchObject({ state: 'landed' })
    expect(at.git('rev-parse', 'origin/main^')).toBe(here.entry().commit)
  })
})

describe('refs of attempts', () => {
  const DAY_MS = 24 * 60 * 60_000
  const refs = () => at.git('for-each-ref', '--format=%(refname)', 'refs/pulseward').split('\n')

  test('of another workspace stay, even if its attempt has the same id', async () => {
    const theirs = at.commitOf({ 'theirs.txt': 'x\n' })
    at.git('update-ref', refOf(ID), theirs)
    at.git('update-ref', refOf(OTHER), theirs)
    const here = scene('auto')
    await here.queue.handIn(work({ 'a.txt': 'a\n' }))
    await here.process()
    expect(at.git('rev-parse', refOf(ID))).toBe(theirs)
    expect(refs()).toHaveLength(3)
    here.pass(40 * DAY_MS)
    await here.queue.prune()
    expect(refs()).toEqual([refOf(ID), refOf(OTHER)])
  })

  test('of this workspace are removed 30 days after they were closed, and stay while they are open', async () => {
    const here = scene('ask')
    await here.queue.handIn(work({ 'a.txt': 'a\n' }))
    await here.process()
    here.pass(40 * DAY_MS)
    await here.queue.prune()
    expect(refs()).toEqual([refOf(ID)])
    await answer(here, 'drop')
    here.pass(40 * DAY_MS)
    await here.queue.prune()
    expect(refs()).toEqual([''])
  })
})

test('a target that was merged with other contents needs attention until the operator accepts it', async () => {
  const here = scene('branch')
  await here.queue.handIn(work({ 'a.txt': 'a\n' }))
  await here.process()
  const { branch } = here.entry()
  at.git('merge', '--quiet', '--squash', branch ?? '')
  at.write({ 'a.txt': 'something else\n' })
  at.git('commit', '--quiet', '--all', '--message', `Merge\n\nPulseward-Attempt: ${ID}`)
  await here.process()
  expect(here.entry()).toMatchObject({
    state: 'landed',
    differs: true,
    because: expect.stringContaining('landing land'),
  })
  expect(await answer(here, 'land')).toMatchObject({ state: 'landed', differs: false })
})

test.each([
  ['with the judged contents has landed', null, false],
  ['with other contents needs attention', { 'b.txt': 'b\n' }, true],
] as const)('a merge after the target got another commit, %s', async (_name, files, differs) => {
  const here = scene('branch')
  await here.queue.handIn(work({ 'a.txt': 'a\n' }))
  await here.process()
  const commit = (): void => {
    at.git('add', '--all')
    at.git('commit', '--quiet', '--allow-empty', '--message', 'Other')
  }
  at.write(files ?? {})
  commit()
  at.git('merge', '--quiet', '--no-ff', '--no-edit', here.entry().branch ?? '')
  const merge = at.git('rev-parse', 'main')
  at.write({ 'later.txt': 'x\n' })
  commit()
  await here.process()
  expect(here.entry()).toMatchObject({ state: 'landed', differs, commit: merge })
})

test('suspicious work is held, and lands if the operator says so', async () => {
  const here = scene('auto')
  await here.queue.handIn(work({ 'a.txt': 'a\n' }, { suspicion: 'The hooks changed' }))
  await here.process()
  expect(here.entry()).toMatchObject({ state: 'held', because: 'The hooks changed' })
  expect(await answer(here, 'land')).toMatchObject({ state: 'landed' })
})
