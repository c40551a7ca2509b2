import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findEvidence } from '../../../core/claims/evidence-references.ts'
import { type Claim, NO_CLAIM } from '../../../core/claims/types.ts'
import type { WorkCase } from '../../../core/judgement/case.ts'
import { inspectOffered } from '../../../core/judgement/offered-evidence.ts'
import type { Question } from '../../../core/judgement/questions.ts'
import type { FileDifference } from '../../../core/verification/types.ts'
import { createRecordingLog } from '../../api/testing/recording-log.ts'
import type { Snapshot, Snapshotter } from '../../ports/snapshotter.ts'
import { createSnapshotter } from '../../snapshot/snapshotter.ts'
import { readEvidence } from './read-evidence.ts'

let folder: string
let workspace: string

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'evidence-')))
  workspace = join(folder, 'workspace')
  await write('notes/inbox.md', 'one\ntwo\nthree')
  await write('packages/a/src/index.ts', 'a\n')
  await write('packages/b/src/index.ts', 'b\n')
  await write('packages/b/src/only.ts', 'only\n')
})
afterEach(() => rm(folder, { recursive: true }))

async function write(path: string, text: string | Buffer): Promise<void> {
  await mkdir(dirname(join(workspace, path)), { recursive: true })
  await writeFile(join(workspace, path), text)
}

/** Inspects what a claim offers as evidence, answering questions from the files on disk. */
async function inspect(
  snapshotter: Snapshotter,
  claim: Claim,
  output: string,
  difference: FileDifference,
  after: Snapshot,
) {
  const subject: Pick<WorkCase, 'claim' | 'difference' | 'root'> = { claim, difference, root: workspace }
  const asking = inspectOffered(subject, findEvidence(claim, output))
  let turn = asking.next([])
  while (turn.done !== true)
    turn = asking.next(
      await Promise.all(turn.value.map((question) => answer(question, snapshotter, difference, after))),
    )
  return turn.value
}

async function answer(
  question: Question,
  snapshotter: Snapshotter,
  difference: FileDifference,
  after: Snapshot,
): Promise<unknown> {
  if (question.kind === 'measurable') return snapshotter.measurable(workspace, question.paths, difference)
  if (question.kind !== 'offered-files') throw new Error(`asked for ${question.kind}`)
  const files = await readEvidence(workspace, question.paths, (ends) => snapshotter.endingIn(after, ends))
  return question.paths.map((path) => files.get(path) ?? null)
}

async function read(path: string) {
  return (await readAll([path])).get(path)
}

async function readAll(paths: readonly string[], directory = workspace) {
  const snapshotter = createSnapshotter({ log: createRecordingLog() })
  const snapshot = await snapshotter.take(directory)
  return readEvidence(directory, paths, (ends) => snapshotter.endingIn(snapshot, ends))
}

describe('what is at a path', () => {
  test('is its text with the number of lines', async () => {
    expect(await read('notes/inbox.md')).toEqual({ kind: 'file', lines: 3, text: 'one\ntwo\nthree' })
    expect(await read('./notes/../notes/inbox.md')).toMatchObject({ lines: 3 })
    expect(await read(join(workspace, 'notes/inbox.md'))).toMatchObject({ lines: 3 })
    expect(await read('notes\\inbox.md')).toMatchObject({ lines: 3 })
  })

  test.each([
    ['', 0],
    ['\n', 1],
    ['a\r\nb\r\n', 2],
    ['a\r\nb', 2],
  ])('%j has %i lines', async (text, lines) => {
    await write('a.txt', text)
    expect(await read('a.txt')).toMatchObject({ lines })
  })

  test('is a folder, or missing', async () => {
    expect(await read('notes')).toEqual({ kind: 'folder' })
    expect(await read('.')).toEqual({ kind: 'folder' })
    expect(await read('notes/gone.md')).toEqual({ kind: 'missing' })
    expect(await read('notes/inbox.md/more')).toEqual({ kind: 'missing' })
  })

  test('is found by the end of its path if exactly one file matches', async () => {
    expect(await read('only.ts')).toMatchObject({ text: 'only\n' })
    expect(await read('src/only.ts')).toMatchObject({ text: 'only\n' })
    expect(await read('src/index.ts')).toMatchObject({ kind: 'unmeasurable' })
    expect(await read('packages/only.ts')).toEqual({ kind: 'missing' })
  })

  test('reports nothing outside the workspace', async () => {
    await writeFile(join(folder, 'secret.txt'), 'secret')
    await symlink(join(folder, 'secret.txt'), join(workspace, 'link.txt'))
    await symlink(folder, join(workspace, 'up'))
    const outside = [
      '/etc/passwd',
      '../secret.txt',
      'link.txt',
      'up/secret.txt',
      '~/x',
      'C:\\x',
      '*.md',
      'a\0b',
    ]
    const found = await readAll(outside)
    expect([...found.values()].map(({ kind }) => kind)).toEqual(outside.map(() => 'unmeasurable'))
  })

  test('is left unread if it is binary, too large or not a regular file', async () => {
    await write('image.png', Buffer.from([1, 0, 2]))
    await write('huge.log', 'x\n'.repeat(1_500_000))
    execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', join(workspace, 'pipe')])
    expect(await read('image.png')).toEqual({ kind: 'file', lines: null, text: null })
    expect(await read('huge.log')).toEqual({ kind: 'file', lines: null, text: null })
    expect(await read('pipe')).toMatchObject({ kind: 'unmeasurable' })
  })

  test('is bounded in number', async () => {
    const paths = Array.from({ length: 1000 }, (_, index) => `notes/${index}.md`)
    expect((await readAll(paths)).size).toBe(300)
  })

  test('is missing everywhere if the workspace is gone', async () => {
    expect((await readAll(['a.md'], join(folder, 'nowhere'))).get('a.md')).toEqual({ kind: 'missing' })
  })
})

test('evidence is compared with a real repository and the difference of the attempt', async () => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: workspace, stdio: 'ignore' })
  git('init')
  await write('.gitignore', 'dist/\n')
  git('add', '-A')
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-m', 'start')
  const snapshotter = createSnapshotter({ log: createRecordingLog() })
  const before = await snapshotter.take(workspace)
  await write('notes/new.md', 'Total: 5 mails\n')
  // An ignored file named by the end of its path is found anyway.
  await write('out/dist/bundle.js', 'x\n')
  const after = await snapshotter.take(workspace)
  const difference = await snapshotter.difference(before, after)
  const evidence = [
    'notes/new.md:1 says "Total: 5 mails"',
    'notes/new.md:40',
    'notes/gone.md:1-2',
    'wrote notes/inbox.md',
    'dist/bundle.js:1-9',
    'bundle.js:1',
    'only.ts:1',
    'summary.md:1-2',
    'npm test: ok',
  ]
  const claim: Claim = { ...NO_CLAIM, source: 'report', evidence }
  const inspection = await inspect(snapshotter, claim, '', difference, after)
  expect(inspection.findings.map(({ finding }) => finding)).toEqual([
    'confirmed',
    'wrong',
    'missing',
    'stale',
    'unmeasurable',
    'confirmed',
    'confirmed',
    'missing',
    'unmeasurable',
  ])
  expect(inspection.count).toBe(9)
})

test('finds nothing if nothing is offered', async () => {
  const snapshotter = createSnapshotter({ log: createRecordingLog() })
  const snapshot = await snapshotter.take(workspace)
  const difference = await snapshotter.difference(snapshot, snapshot)
  expect(await inspect(snapshotter, NO_CLAIM, 'hm', difference, snapshot)).toEqual({ findings: [], count: 0 })
})
