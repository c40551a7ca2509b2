import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestMark, until } from '../process/testing/running-processes.ts'
import type { GitCall } from './git-room.ts'
import { startGit } from './git-starter.ts'
import { createScratchFolder, type ScratchFolder } from './testing/scratch-folder.ts'

let folder: ScratchFolder

beforeEach(() => {
  folder = createScratchFolder()
  folder.makeRepository()
})

afterEach(() => folder.dispose())

const ENVIRONMENT = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
)

function start(args: readonly string[], over: Partial<GitCall> = {}, env = ENVIRONMENT) {
  const call = { directory: folder.path, variables: {}, input: undefined, timeoutMs: 60_000, maxBytes: 64e6 }
  return startGit({ ...call, args, ...over }, env)
}

/** Makes git run a script, as a buggy git might. */
function faulty(script: string, over: Partial<GitCall> = {}) {
  return start(['-c', `alias.fault=!${script}; false`, 'fault'], over)
}

function blobOf(bytes: Buffer): string {
  const id = execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: folder.path, input: bytes })
  return id.toString().trim()
}

describe('git started by a shell', () => {
  it('returns its exact output', async () => {
    const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => (index * 7) & 255))
    const answer = await start(['cat-file', 'blob', blobOf(bytes)])
    expect(answer).toMatchObject({ exitCode: 0, stderr: '' })
    expect(answer?.stdout.equals(bytes)).toBe(true)
  })

  it('receives its exact input', async () => {
    const input = Buffer.from(Array.from({ length: 4096 }, (_, index) => index & 255))
    const answer = await start(['hash-object', '--stdin'], { input })
    expect(answer?.stdout.toString().trim()).toBe(blobOf(input))
  })

  it('reports how and why it ended', async () => {
    expect(await start(['rev-parse', '--verify', 'HEAD'])).toMatchObject({
      exitCode: 128,
      stderr: expect.stringContaining('fatal'),
    })
    expect(await start(['config', 'not.there'])).toMatchObject({ exitCode: 1, stderr: '' })
  })

  it('leaves neither its folder nor its variables to the next call', async () => {
    mkdirSync(join(folder.path, 'deep'))
    const variables = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'a.b', GIT_CONFIG_VALUE_0: `it's\n"$HOME"` }
    const first = await start(['config', 'a.b'], { variables, directory: join(folder.path, 'deep') })
    expect(first?.stdout.toString()).toBe(`it's\n"$HOME"\n`)
    expect(await start(['config', 'a.b'])).toMatchObject({ exitCode: 1 })
    expect((await start(['rev-parse', '--show-prefix']))?.stdout.toString().trim()).toBe('')
  })

  it("is the git of the call's environment", async () => {
    const programs = join(folder.path, 'programs')
    mkdirSync(programs)
    writeFileSync(join(programs, 'git'), '#!/bin/sh\necho another\n')
    chmodSync(join(programs, 'git'), 0o755)
    const changed = { ...ENVIRONMENT, PATH: `${programs}:${ENVIRONMENT.PATH}` }
    expect((await start(['version'], {}, changed))?.stdout.toString()).toBe('another\n')
    expect((await start(['version']))?.stdout.toString()).toContain('git version')
  })

  it('is not ended by text that looks like the end mark', async () => {
    const text = Buffer.from('3f0e8a52-8f3b-4e0c-9f39-0d1a4c5b6e7f 0\n'.repeat(3))
    expect((await start(['cat-file', 'blob', blobOf(text)]))?.stdout.equals(text)).toBe(true)
  })

  it('starts git directly if the folder or git does not exist, or one is already running', async () => {
    expect(await start(['version'], { directory: join(folder.path, 'gone') })).toBeNull()
    expect(await start(['version'], {}, { ...ENVIRONMENT, PATH: join(folder.path, 'gone') })).toBeNull()
    const both = await Promise.all([start(['version']), start(['version'])])
    expect(both.map((one) => one?.exitCode)).toEqual([0, undefined])
  })

  it('starts git directly if it prints too much, and none of that reaches the next call', async () => {
    const bytes = Buffer.alloc(1_000_000, 'x')
    expect(await start(['cat-file', 'blob', blobOf(bytes)], { maxBytes: 1000 })).toBeNull()
    expect((await start(['version']))?.stdout.toString()).toMatch(/^git version/)
  })
})

describe('killing the shell', () => {
  it('fails the call, and the next git gets another shell', async () => {
    expect(await faulty('kill -9 0')).toBeNull()
    expect(await start(['version'])).toMatchObject({ exitCode: 0 })
  })

  it('differs from a git that only fails', async () => {
    expect(await faulty('exit 3')).toMatchObject({ exitCode: 3 })
  })
})

it('git that does not finish is killed with everything it started', async () => {
  const mark = createTestMark()
  const args = ['-c', 'alias.fault=!sleep 100000; false', 'fault']
  const ended = await start(args, { timeoutMs: 1000 }, { ...ENVIRONMENT, ...mark.env })
  expect(ended).toMatchObject({ exitCode: null, timedOut: true })
  await until(() => mark.running().length === 0)
  expect(await start(['version'])).toMatchObject({ exitCode: 0 })
})

it('the shell does not keep its parent alive, and ends with it', async () => {
  const mark = createTestMark()
  const script = `
    const { startGit } = await import(${JSON.stringify(join(import.meta.dirname, 'git-starter.ts'))})
    const call = { directory: '/', args: ['version'], variables: {}, timeoutMs: 60000, maxBytes: 1000000 }
    console.log(JSON.stringify(await startGit(call, process.env)))
  `
  const options = { encoding: 'utf8', env: { ...process.env, ...mark.env } } as const
  const said = spawnSync(process.execPath, ['--input-type=module', '-e', script], options)
  expect(said).toMatchObject({ status: 0, stdout: expect.stringContaining('"exitCode":0') })
  await until(() => mark.running().length === 0)
})
