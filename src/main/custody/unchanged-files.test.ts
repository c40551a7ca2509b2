import { mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sha256 } from '../files/sha256.ts'
import type { Threads } from '../process/threads.ts'
import { createAgentsAtWork } from './agents-at-work.ts'
import { MAX_KEPT_BYTES } from './text-store.ts'
import { changedFiles, type KnownFile } from './unchanged-files.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pulseward-unchanged-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function fileOf(name: string, text: string): Promise<KnownFile> {
  const path = join(folder, name)
  await writeFile(path, text)
  return { path, hash: sha256(text) }
}

const agent = {
  workspaceId: 'its-own',
  workspaceName: 'Its own',
  attemptIds: ['1-0-x'],
  agentId: 'bot',
  cycle: 1,
  reach: 'everywhere',
} as const

/** Does here what a thread would. */
const threads: Pick<Threads, 'run'> = {
  run: (_job, groups) => changedFiles(groups as KnownFile[][]) as Promise<never>,
}

/** Returns workspaces that record when they are looked at. */
function watched(
  files: Readonly<Record<string, readonly KnownFile[] | null>>,
  by = threads,
  patienceMs?: number,
) {
  const looked: string[] = []
  const agents = createAgentsAtWork(null, by, patienceMs)
  for (const [id, known] of Object.entries(files))
    agents.watch({
      id,
      directory: join(folder, id),
      look: async () => void looked.push(id),
      known: () => known,
    })
  return { agents, looked }
}

test('looks only at workspaces whose files another workspace’s agent has changed when it ends', async () => {
  const [honest, touched] = [await fileOf('honest', 'as it was'), await fileOf('touched', 'as it was')]
  const { agents, looked } = watched({ honest: [honest], touched: [touched] })
  await agents.begin(agent)
  expect(looked).toEqual([])
  await writeFile(touched.path, 'as it is!')
  await agents.end('its-own')
  expect(looked).toEqual(['touched'])
})

test('detects a change of the same length with the same times', async () => {
  const file = await fileOf('file', 'required')
  const { atime, mtime } = await stat(file.path)
  await writeFile(file.path, 'optional')
  await utimes(file.path, atime, mtime)
  expect(await changedFiles([[file]])).toEqual([0])
})

test('reports files that are gone, not files, or too large, and a group with one of them', async () => {
  const [sound, gone, large] = [
    await fileOf('sound', 'x'),
    await fileOf('gone', 'x'),
    await fileOf('large', 'x'.repeat(MAX_KEPT_BYTES + 1)),
  ]
  await rm(gone.path)
  await mkdir(gone.path)
  const missing = { path: join(folder, 'never-was'), hash: sound.hash }
  expect(await changedFiles([[sound], [gone], [large], [missing], [sound, missing], []])).toEqual([
    1, 2, 3, 4,
  ])
})

test('tells a thousand workspaces apart', async () => {
  const file = await fileOf('file', 'x')
  const groups = Array.from({ length: 1000 }, (_, index) =>
    index % 333 === 1 ? [{ ...file, hash: sha256('y') }] : [file],
  )
  expect(await changedFiles(groups)).toEqual([1, 334, 667])
})

test('looks at a workspace with unknown files, and at all workspaces if no thread answers', async () => {
  const file = await fileOf('file', 'x')
  const unknown = watched({ known: [file], unknown: null })
  await unknown.agents.begin(agent)
  expect(unknown.looked).toEqual(['unknown'])
  const broken = watched(
    { known: [file], unknown: null },
    { run: () => Promise.reject(new Error('It ended.')) },
  )
  await broken.agents.begin(agent)
  expect(broken.looked).toEqual(['known', 'unknown'])
})

test('a file system that does not answer delays no agent: all workspaces are looked at, and it is asked again later', async () => {
  const file = await fileOf('file', 'x')
  let answer = (_: readonly number[]): void => {}
  let asked = 0
  const held: Pick<Threads, 'run'> = {
    run: () => {
      asked += 1
      if (asked > 1) return Promise.resolve([]) as Promise<never>
      return new Promise<readonly number[]>((resolve) => {
        answer = resolve
      }) as Promise<never>
    },
  }
  const { agents, looked } = watched({ one: [file], two: [file] }, held, 1)
  await agents.begin(agent)
  expect(looked).toEqual(['one', 'two'])
  await agents.end('its-own')
  expect([looked.length, asked]).toEqual([4, 1])
  answer([])
  await setImmediate()
  await agents.begin(agent)
  expect([looked.length, asked]).toEqual([4, 2])
})
