import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChangeRequest, Changes, Verification } from '../../api/procedures/changes.ts'
import { type TemporaryHost, temporaryHost } from '../testing/temporary-host.ts'

const CONTRACT = '## Tasks\n\n- [ ] t | T | verify: exists("done.txt")\n'
const CONFIGURATION = '[agent]\ncommand = ["true"]\n\n[gates]\ncommands = [["sh", "check.sh"]]\n'
const CHECK = 'grep -q good work.txt\n'

let host: TemporaryHost
beforeAll(async () => {
  host = await temporaryHost({
    shop: { contract: CONTRACT, configuration: CONFIGURATION },
    /** The configuration at its base is not the approved one. */
    other: { contract: CONTRACT, configuration: CONFIGURATION },
    /** Its base has a Makefile but no policy. */
    bare: { contract: CONTRACT, configuration: '[agent]\ncommand = ["true"]\n' },
    plain: { contract: CONTRACT, configuration: CONFIGURATION },
    slow: { contract: CONTRACT, configuration: CONFIGURATION },
    shallow: { contract: CONTRACT, configuration: CONFIGURATION },
  })
  repository('shop', { 'check.sh': CHECK, 'work.txt': 'good\n' })
  branch('shop', 'honest', { 'work.txt': 'very good\n', 'notes.md': '# Notes\n' })
  branch('shop', 'liar', { 'work.txt': 'bad\n', 'check.sh': 'exit 0\n' })
  branch('shop', 'careful', { 'work.txt': 'very good\n', 'check.sh': `# Looks at the work.\n${CHECK}` })
  repository('other', { 'check.sh': CHECK, 'work.txt': 'good\n', 'pulseward.toml': `${CONFIGURATION}# x\n` })
  branch('other', 'feature', { 'work.txt': 'very good\n' })
  repository('bare', { Makefile: 'test:\n\tgrep -q good work.txt\n', 'work.txt': 'good\n' }, [
    'HEARTBEAT.md',
    'pulseward.toml',
  ])
  branch('bare', 'feature', { 'work.txt': 'very good\n' })
  repository('slow', { 'check.sh': 'sleep 600\n' })
  branch('slow', 'feature', { 'work.txt': 'good\n' })
})
afterAll(() => host.remove())

function git(name: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
    cwd: host.folder(name),
    encoding: 'utf8',
  })
}

function commit(name: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) writeFileSync(join(host.folder(name), path), text)
  git(name, 'add', '--all')
  git(name, 'commit', '--quiet', '--message', 'change')
}

function repository(
  name: string,
  files: Readonly<Record<string, string>>,
  ignored: readonly string[] = [],
): void {
  git(name, 'init', '--quiet', '--initial-branch', 'main')
  commit(name, { ...files, '.gitignore': ignored.map((path) => `${path}\n`).join('') })
}

function branch(name: string, branchName: string, files: Readonly<Record<string, string>>): void {
  git(name, 'checkout', '--quiet', '-b', branchName, 'main')
  commit(name, files)
  git(name, 'checkout', '--quiet', 'main')
}

type Request = Partial<ChangeRequest> & { readonly consentTo?: string }

/** Follows the state of a workspace's verification until `wanted` returns a result. */
async function until<T>(name: string, act: () => Promise<unknown>, wanted: (state: Changes) => T | null) {
  const workspace = host.id(name)
  const events = await host.client.events({ workspace })
  await act()
  for await (const { type } of events) {
    if (type !== 'change-updated') continue
    const found = wanted(await host.client.changes.get({ workspace }))
    if (found !== null) return found
  }
  throw new Error('The events ended.')
}

function verify(name: string, request: Request): Promise<Verification> {
  return until(
    name,
    () => host.client.changes.verify({ workspace: host.id(name), ...request }),
    ({ running, last }) => (running === null ? last : null),
  )
}

async function judged(name: string, request: Request) {
  const { outcome } = await verify(name, request)
  if (outcome.kind !== 'judged') throw new Error(`Not judged: ${JSON.stringify(outcome)}`)
  return outcome.change
}

describe('a change of a workspace', { timeout: 120_000 }, () => {
  it('lists the branches, and what is compared if no revision is named', async () => {
    expect(await host.client.changes.branches({ workspace: host.id('shop') })).toEqual({
      repository: {
        top: host.folder('shop'),
        current: 'refs/heads/main',
        base: 'refs/heads/main',
        local: expect.arrayContaining(['refs/heads/main', 'refs/heads/honest', 'refs/heads/liar']),
        remote: [],
        hasMore: false,
      },
    })
  })

  it('verifies an honest branch, without asking for commands that the approved configuration names', async () => {
    const change = await judged('shop', {
      head: 'refs/heads/honest',
      claims: 'Added `notes.md`. Fixes #12.',
    })
    expect(change.verdict, JSON.stringify(change)).toBe('verified')
    expect(change.checks).toMatchObject([{ name: 'sh check.sh', head: { status: 'passed' } }])
    expect(change.claims).toMatchObject([{ subject: 'notes.md', equal: true }, { equal: null }])
  })

  it('shows a liar’s claim next to the measurement, with what it rigged', async () => {
    const change = await judged('shop', { head: 'refs/heads/liar', claims: 'Added `notes.md`.' })
    expect(change).toMatchObject({ verdict: 'not_verified', groundTruthContradiction: true })
    expect(change.claims).toMatchObject([{ subject: 'notes.md', equal: false }])
    expect(change.custody).toMatchObject([{ code: 'check-file-changed', path: 'check.sh' }])
    expect(change.checks).toMatchObject([
      { head: { status: 'passed' }, cleanRoom: { status: 'failed' }, base: { status: 'passed' } },
    ])
  })

  it('holds what passes only with rigged files', async () => {
    expect(await judged('shop', { head: 'refs/heads/liar' })).toMatchObject({
      verdict: 'unclear',
      held: true,
    })
  })

  it('runs no checks if only custody is requested', async () => {
    const change = await judged('other', { head: 'refs/heads/feature', measure: false })
    expect(change).toMatchObject({ verdict: 'verified', checks: [] })
  })

  it('says that there is nothing to judge if head equals base', async () => {
    expect(await judged('shop', { head: 'refs/heads/main' })).toMatchObject({
      applicable: false,
      verdict: null,
    })
  })

  it('names a revision that does not exist', async () => {
    expect((await verify('shop', { head: 'nope' })).outcome).toEqual({
      kind: 'problem',
      problem: 'usage',
      message: 'Head nope is no commit of this repository. Fetch it, or name another one.',
    })
  })

  it.each([
    ['is not confirmed by a check that passes only with the liar’s changes', 'liar', null],
    ['is confirmed by an honest check that also passes with the base’s files', 'careful', true],
  ])('%s', async (_, head, equal) => {
    const { claims } = await judged('shop', { head: `refs/heads/${head}`, claims: 'All checks pass.' })
    expect(claims).toMatchObject([{ kind: 'tests-pass', equal }])
  })

  it('keeps the last verdict with its request', async () => {
    const { id } = await verify('shop', { head: 'refs/heads/liar', measure: false, claims: 'Added `x.md`.' })
    expect(await host.client.changes.get({ workspace: host.id('shop') })).toMatchObject({
      running: null,
      last: { id, request: { head: 'refs/heads/liar', measure: false, claims: 'Added `x.md`.' } },
    })
  })
})

describe('consent', { timeout: 120_000 }, () => {
  it('is requested if the base’s configuration is not the approved one, and nothing is run', async () => {
    const { outcome } = await verify('other', { head: 'refs/heads/feature' })
    expect(outcome).toEqual({ kind: 'needs-consent', commands: ['sh check.sh'] })
  })

  it('is requested again if the same commands come from a configuration that has changed since', async () => {
    const { id } = await verify('other', { head: 'refs/heads/feature' })
    commit('other', { 'pulseward.toml': `${CONFIGURATION}\n# sandbox = "off"\n` })
    branch('other', 'later', { 'later.md': 'Later.\n' })
    const { outcome } = await verify('other', { head: 'refs/heads/later', consentTo: id })
    expect(outcome).toEqual({ kind: 'needs-consent', commands: ['sh check.sh'] })
  })

  it('covers only the latest question', async () => {
    const asks = { kind: 'needs-consent', commands: ['make test'] }
    const first = await verify('bare', { head: 'refs/heads/feature' })
    expect(first.outcome).toEqual(asks)
    const again = await verify('bare', { head: 'refs/heads/feature', consentTo: 'made up' })
    expect(again.outcome).toEqual(asks)
    const stale = await verify('bare', { head: 'refs/heads/feature', consentTo: first.id })
    expect(stale.outcome).toEqual(asks)
    const change = await judged('bare', { head: 'refs/heads/feature', consentTo: stale.id })
    expect(change.checks, JSON.stringify(change)).toMatchObject([{ head: { status: 'passed' } }])
  })
})

it('reports a folder outside a repository', async () => {
  const workspace = host.id('plain')
  expect(await host.client.changes.branches({ workspace })).toEqual({ repository: null })
  expect((await verify('plain', {})).outcome).toMatchObject({
    kind: 'problem',
    message: expect.stringContaining('is in no git repository'),
  })
})

it('names the command that deepens a shallow clone', async () => {
  git('shallow', 'init', '--quiet', '--initial-branch', 'main')
  const address = `file://${host.folder('shop')}`
  git(
    'shallow',
    'fetch',
    '--quiet',
    '--depth',
    '1',
    address,
    'main:refs/remotes/origin/main',
    'honest:feature',
  )
  git('shallow', 'symbolic-ref', 'HEAD', 'refs/heads/feature')
  expect((await verify('shallow', { base: 'origin/main', head: 'feature', measure: false })).outcome).toEqual(
    {
      kind: 'problem',
      problem: 'unavailable',
      message: expect.stringContaining('`git fetch --deepen=100`'),
    },
  )
})

it('refuses a second verification at the same time, and ends the first on request', async () => {
  const workspace = host.id('slow')
  const { step } = await until(
    'slow',
    () => host.client.changes.verify({ workspace, head: 'refs/heads/feature' }),
    ({ running }) => (running?.step === 'head' ? running : null),
  )
  expect(step).toBe('head')
  await expect(host.client.changes.verify({ workspace })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'A change of slow is being verified. Wait for its verdict, or cancel it.',
  })
  expect(await host.client.changes.cancel({ workspace })).toMatchObject({
    running: null,
    last: { outcome: { kind: 'canceled' } },
  })
  expect(await host.client.changes.cancel({ workspace })).toMatchObject({ running: null })
}, 120_000)

it('signs only the last verdict', async () => {
  const workspace = host.id('shop')
  const first = await verify('shop', { head: 'refs/heads/honest', measure: false })
  const { commit: head, envelopes } = await host.client.changes.attest({ workspace, id: first.id })
  expect(head).toBe(git('shop', 'rev-parse', 'honest').trim())
  expect(envelopes.map((line) => JSON.parse(line))).toEqual(
    envelopes.map(() => expect.objectContaining({ payloadType: 'application/vnd.in-toto+json' })),
  )
  expect(envelopes.length).toBeGreaterThan(0)
  const second = await verify('shop', { head: 'refs/heads/main' })
  await expect(host.client.changes.attest({ workspace, id: first.id })).rejects.toMatchObject({
    code: 'CONFLICT',
  })
  await expect(host.client.changes.attest({ workspace, id: second.id })).rejects.toMatchObject({
    code: 'UNPROCESSABLE_CONTENT',
    message: expect.stringContaining('There is nothing to attest: head is equal to base'),
  })
})
