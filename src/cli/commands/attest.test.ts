import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Statement } from '../../core/attestation/statement.ts'
import { tryMeans } from '../../main/sandbox/find-means.ts'
import { AttestedWorkspace, git } from '../testing/attested-workspace.ts'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'

let cli: CliFixture
let job: AttestedWorkspace

async function begin(): Promise<void> {
  cli = await createCliFixture()
  job = new AttestedWorkspace(cli)
  await job.prepare()
}

const file = (name: string): string => join(cli.root, name)
const linesOf = (name: string): string[] => readFileSync(file(name), 'utf8').trim().split('\n')
const statementOf = (line: string): Statement =>
  JSON.parse(Buffer.from(JSON.parse(line).payload, 'base64').toString('utf8'))

async function attest(of: string, ...options: readonly string[]) {
  return cli.run(['attest', of, '--workspace', 'job', ...options])
}

async function check(...args: readonly string[]) {
  const { exitCode, stdout, stderr } = await cli.run(['attestation', 'check', '--json', ...args], {
    currentDirectory: 'job',
  })
  return { exitCode, stderr, ...JSON.parse(stdout) }
}

/** Exports only the key, as someone else would have it. */
/** Returns what another machine signs of work of the same kind. */
async function envelopesOfAnother(): Promise<readonly string[]> {
  const other = await createCliFixture()
  onTestFinished(() => other.close())
  const theirs = new AttestedWorkspace(other)
  await theirs.prepare()
  await theirs.heartbeat({ writes: 3, claims: 3 })
  const { stdout } = await other.run(['attest', theirs.commit(), '--workspace', 'job', '--json'])
  return JSON.parse(stdout).envelopes
}

async function exportKey(name = 'key.pem'): Promise<string> {
  const { stdout } = await cli.run(['key', 'export'])
  writeFileSync(file(name), stdout)
  return file(name)
}

/** Changes the signed statement, or the envelope around it; both are plain JSON. */
// biome-ignore lint/suspicious/noExplicitAny: -- a forger is bound by no type
type Change = (statement: any, envelope: any) => void

/** Returns the same envelope with something changed in the signed text or in the envelope itself. */
function altered(line: string, change: Change): string {
  const envelope = JSON.parse(line)
  const statement = statementOf(line)
  change(statement, envelope)
  const payload = Buffer.from(JSON.stringify(statement)).toString('base64')
  return JSON.stringify({ ...envelope, payload })
}

describe('a verified attempt whose tree was committed', () => {
  let commit: string
  beforeAll(async () => {
    await begin()
    const attempt = await job.heartbeat({ writes: 3, claims: 3 })
    commit = job.commit()
    expect((await attest(attempt, '--output', file('by-attempt.jsonl'))).exitCode).toBe(0)
    expect((await attest(commit, '--output', file('verdict.jsonl'), '--note')).exitCode).toBe(0)
  })
  afterAll(() => cli.close())

  it('has three statements about commit and tree, with claims marked as the claimant’s and measurements as the verifier’s', () => {
    const [verdict, tests, summary, ...more] = linesOf('verdict.jsonl').map(statementOf)
    expect(more).toEqual([])
    const subject = [
      {
        name: 'git+https://github.com/acme/job',
        digest: { gitCommit: commit, gitTree: git(job.directory, 'rev-parse', 'HEAD^{tree}') },
        annotations: expect.objectContaining({ verifier: 'https://pulseward.dev/verifier/v1' }),
      },
    ]
    for (const each of [verdict, tests, summary])
      expect(each).toMatchObject({ _type: 'https://in-toto.io/Statement/v1', subject })
    expect(verdict).toMatchObject({
      predicateType: 'https://pulseward.dev/verdict/v0.1',
      predicate: {
        verdict: { by: 'verifier', value: 'verified' },
        decidedBy: { by: 'verifier', value: 'measurement' },
        claims: expect.arrayContaining([
          {
            text: { by: 'claimant', value: null },
            subject: { by: 'claimant', value: 'mails' },
            claimed: { by: 'claimant', value: '3' },
            measured: { by: 'verifier', value: '3' },
            equal: { by: 'verifier', value: true },
          },
        ]),
        task: { by: 'verifier', value: { id: 'count' } },
        policies: {
          by: 'verifier',
          value: [
            { name: 'HEARTBEAT.md', annotations: { path: 'HEARTBEAT.md' } },
            { name: 'pulseward.toml', annotations: { path: 'pulseward.toml' } },
          ],
        },
      },
    })
    expect(tests).toMatchObject({
      predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
      predicate: { result: 'PASSED', passedTests: ['check mails'], failedTests: [] },
    })
    expect(summary).toMatchObject({
      predicateType: 'https://in-toto.io/attestation/svr/v0.2',
      predicate: { properties: ['PULSEWARD_CHECKS_HOLD_WITH_BASE_INSTRUMENTS', 'PULSEWARD_CLAIMS_MEASURED'] },
    })
  })

  it('is attested by its tree alone if no commit holds it yet, and checks against the work tree', async () => {
    const [verdict] = linesOf('by-attempt.jsonl').map(statementOf)
    expect(verdict?.subject[0].digest).toEqual({ gitTree: git(job.directory, 'rev-parse', 'HEAD^{tree}') })
    expect(await check(file('by-attempt.jsonl'), '--tree')).toMatchObject({ exitCode: 0, authentic: true })
    writeFileSync(join(job.directory, 'mails.txt'), '4\n')
    expect(await check(file('by-attempt.jsonl'), '--tree')).toMatchObject({
      exitCode: 1,
      problems: expect.arrayContaining([expect.objectContaining({ what: 'tree' })]),
    })
    writeFileSync(join(job.directory, 'mails.txt'), '3\n')
  })

  it('is compared with the repository that --workspace names, and read from where the command runs', async () => {
    const at = (...args: readonly string[]) =>
      cli.run(['attestation', 'check', '--workspace', 'job', ...args], { currentDirectory: '.' })
    expect(await at('by-attempt.jsonl', '--tree')).toMatchObject({ exitCode: 0 })
    expect(await at(commit)).toMatchObject({ exitCode: 0 })
  })

  it('can be checked with only a key: no data folder, no repository', async () => {
    const key = await exportKey()
    const { exitCode, stdout } = await cli.run(
      ['attestation', 'check', file('verdict.jsonl'), '--key', key, '--data-dir', file('none')],
      { currentDirectory: '.' },
    )
    expect(stdout).toContain('Verified')
    expect(stdout).toContain('Not compared: commit')
    expect(exitCode).toBe(0)
    expect(readdirSync(cli.root)).not.toContain('none')
  })

  it('is checked from the note of its commit, but a different commit with the same tree is rejected', async () => {
    expect(await check(commit, '--require', 'verified')).toMatchObject({
      exitCode: 0,
      verdict: 'verified',
      notCompared: [],
    })
    const again = job.commit()
    git(job.directory, 'notes', '--ref=pulseward', 'copy', commit, again)
    expect(await check(again)).toMatchObject({
      exitCode: 1,
      problems: expect.arrayContaining([expect.objectContaining({ what: 'subject' })]),
    })
  })

  it.each<[string, string, Change]>([
    [
      'the tree',
      'subject',
      (s) => {
        s.subject[0].digest.gitTree = '0'.repeat(40)
      },
    ],
    [
      'the commit',
      'subject',
      (s) => {
        s.subject[0].digest.gitCommit = '1'.repeat(40)
      },
    ],
    [
      'the repository',
      'subject',
      (s) => {
        s.subject[0].name = 'git+https://github.com/evil/job'
      },
    ],
    [
      'the key named in the statement',
      'key',
      (s) => {
        s.subject[0].annotations.keyid = 'pulseward-2020-01-01-0'
      },
    ],
    [
      'a claim',
      'claims',
      (s) => {
        s.predicate.claims[0].claimed.value = '4'
      },
    ],
    [
      'a measurement',
      'claims',
      (s) => {
        s.predicate.claims[0].measured.value = '4'
      },
    ],
    [
      'the source of a measurement',
      'statement',
      (s) => {
        s.predicate.claims[0].measured.by = 'claimant'
      },
    ],
    [
      'the verdict',
      'verdict',
      (s) => {
        s.predicate.verdict.value = 'unclear'
      },
    ],
    [
      'the reasons',
      'verdict',
      (s) => {
        s.predicate.reasons.value = []
      },
    ],
    [
      'the verifier',
      'statement',
      (s) => {
        s.predicate.verifier.value.id = 'https://evil.example'
      },
    ],
    [
      'the timestamp',
      'statement',
      (s) => {
        s.predicate.timeCreated.value = '2020-01-01T00:00:00Z'
      },
    ],
    [
      'a policy digest',
      'policy',
      (s) => {
        s.predicate.policies.value[0].digest.sha256 = 'a'.repeat(64)
      },
    ],
    [
      'the position in the record',
      'record',
      (s) => {
        s.predicate.record.value.seq += 1
      },
    ],
    [
      'the hash of the record line',
      'record',
      (s) => {
        s.predicate.record.value.lineSha256 = 'b'.repeat(64)
      },
    ],
    [
      'an extra field',
      'statement',
      (s) => {
        s.predicate.note = 'trust me'
      },
    ],
    [
      'the predicate type',
      'statement',
      (s) => {
        s.predicateType = 'https://in-toto.io/attestation/svr/v0.2'
      },
    ],
    [
      'the statement type',
      'statement',
      (s) => {
        s._type = 'https://in-toto.io/Statement/v0.1'
      },
    ],
    [
      'the signature',
      'signature',
      (_s, e) => {
        e.signatures[0].sig = Buffer.alloc(64, 7).toString('base64')
      },
    ],
    [
      'the envelope’s key',
      'key',
      (_s, e) => {
        e.signatures[0].keyid = 'pulseward-2020-01-01-0'
      },
    ],
    [
      'the payload type',
      'envelope',
      (_s, e) => {
        e.payloadType = 'application/json'
      },
    ],
    [
      'the base64 spelling',
      'envelope',
      (_s, e) => {
        e.signatures[0].sig = e.signatures[0].sig.replace(/==$/, '')
      },
    ],
  ])('is rejected with %s changed, and names the change: %s', async (_what, named, change) => {
    const [verdict = '', ...others] = linesOf('verdict.jsonl')
    writeFileSync(file('altered.jsonl'), [altered(verdict, change), ...others].join('\n'))
    const key = await exportKey()
    for (const trust of [[], ['--key', key]]) {
      const answer = await check(file('altered.jsonl'), ...trust)
      expect(answer).toMatchObject({ exitCode: 1, authentic: false })
      expect(answer.problems.map(({ what }: { what: string }) => what)).toContain(named)
    }
  })

  it.each([1, 2])(
    'is rejected if another statement (%i) names another tree or policy than the verdict',
    async (at) => {
      const lines = linesOf('verdict.jsonl')
      const changes: [string, Change][] = [
        [
          'subject',
          (s) => {
            s.subject[0].digest.gitTree = '0'.repeat(40)
          },
        ],
        [
          'policy',
          (s) => {
            ;(s.predicate.configuration ?? s.predicate.verifier.policies).pop()
          },
        ],
      ]
      for (const [named, change] of changes) {
        writeFileSync(
          file('altered.jsonl'),
          lines.map((line, index) => (index === at ? altered(line, change) : line)).join('\n'),
        )
        const answer = await check(file('altered.jsonl'))
        expect(answer.exitCode).toBe(1)
        expect(answer.problems).toContainEqual(expect.objectContaining({ line: at + 1, what: named }))
      }
    },
  )

  it('is rejected if signed by someone else’s key, even under the same name', async () => {
    const forged = await envelopesOfAnother()
    writeFileSync(file('forged.jsonl'), forged.join('\n'))
    expect(await check(file('forged.jsonl'))).toMatchObject({
      exitCode: 1,
      problems: expect.arrayContaining([expect.objectContaining({ what: 'key' })]),
    })
    const named = JSON.parse(linesOf('verdict.jsonl')[0] ?? '').signatures[0].keyid
    writeFileSync(
      file('forged.jsonl'),
      altered(forged[0] ?? '', (_s, e) => {
        e.signatures[0].keyid = named
      }),
    )
    expect(await check(file('forged.jsonl'), '--key', await exportKey())).toMatchObject({
      exitCode: 1,
      problems: expect.arrayContaining([expect.objectContaining({ what: 'signature' })]),
    })
  })

  it('is rejected if the record was changed since', async () => {
    const [workspace = ''] = readdirSync(join(cli.dataDirectory, 'workspaces'))
    const [segment = ''] = readdirSync(join(cli.dataDirectory, 'workspaces', workspace, 'ledger'))
    const path = join(cli.dataDirectory, 'workspaces', workspace, 'ledger', segment)
    const record = readFileSync(path, 'utf8')
    writeFileSync(path, record.replace('"points":10', '"points":99'))
    const answer = await check(commit)
    writeFileSync(path, record)
    expect(answer).toMatchObject({ exitCode: 1, problems: [expect.objectContaining({ what: 'record' })] })
  })

  it('keeps the notes of two machines when they are merged', async () => {
    const clone = file('clone')
    git(cli.root, 'clone', '--quiet', job.directory, clone)
    git(clone, 'notes', '--ref=pulseward', 'add', '--message', linesOf('by-attempt.jsonl')[0] ?? '', commit)
    git(job.directory, 'fetch', '--quiet', clone, 'refs/notes/pulseward:refs/notes/theirs')
    git(job.directory, 'notes', '--ref=pulseward', 'merge', '--strategy=cat_sort_uniq', 'refs/notes/theirs')
    const note = git(job.directory, 'notes', '--ref=pulseward', 'show', commit).split('\n').filter(Boolean)
    expect(note).toHaveLength(4)
    expect(await check(commit)).toMatchObject({ exitCode: 0, verdict: 'verified' })
  })

  it('skips the lines of another machine, also if only the key is known and not its id', async () => {
    const theirs = await envelopesOfAnother()
    const lines = git(job.directory, 'notes', '--ref=pulseward', 'show', commit).split('\n').filter(Boolean)
    const before = git(job.directory, 'rev-parse', 'refs/notes/pulseward')
    const note = (...each: readonly string[]): void => {
      git(job.directory, 'update-ref', '-d', 'refs/notes/pulseward')
      git(job.directory, 'notes', '--ref=pulseward', 'add', '--message', each.join('\n'), commit)
    }
    writeFileSync(file('key.json'), (await cli.run(['key', 'export', '--json'])).stdout)
    note(...lines, ...theirs)
    for (const key of [await exportKey(), file('key.json')])
      expect(await check(commit, '--key', key)).toMatchObject({ exitCode: 0, problems: [], ignored: 3 })
    const forge = altered(lines[0] ?? '', (s) => {
      s.subject[0].digest.gitTree = '0'.repeat(40)
    })
    note(forge, ...lines.slice(1))
    const forged = await check(commit, '--key', await exportKey())
    git(job.directory, 'update-ref', 'refs/notes/pulseward', before)
    expect(forged).toMatchObject({ exitCode: 1, authentic: false })
  })

  it('is trusted per verifier and repository, as in trusted-verifiers.toml', async () => {
    const pem = readFileSync(await exportKey(), 'utf8')
    const trust = (text: string) => writeFileSync(file('trusted-verifiers.toml'), text)
    const verifier = (id: string, repository: string) =>
      `[[verifier]]\nid = "${id}"\nrepositories = ["${repository}"]\nkey = """\n${pem}"""\n`
    const ours = 'https://pulseward.dev/verifier/v1'
    trust(verifier(ours, 'https://github.com/acme/job'))
    expect(await check(file('verdict.jsonl'), '--key', file('trusted-verifiers.toml'))).toMatchObject({
      exitCode: 0,
    })
    for (const text of [
      verifier(ours, 'https://github.com/acme/other'),
      verifier('https://other.example', 'https://github.com/acme/job'),
    ]) {
      trust(text)
      expect(await check(file('verdict.jsonl'), '--key', file('trusted-verifiers.toml'))).toMatchObject({
        exitCode: 1,
        problems: expect.arrayContaining([expect.objectContaining({ what: 'key' })]),
      })
    }
    trust('[[verifier]]\nid = 3\n')
    const broken = await cli.run([
      'attestation',
      'check',
      file('verdict.jsonl'),
      '--key',
      file('trusted-verifiers.toml'),
    ])
    expect(broken.exitCode).toBe(2)
    expect(broken.stderr).toContain('trusted-verifiers.toml:2:')
  })
})

describe('with `[landing] attest`', () => {
  const notes = () => git(job.directory, 'for-each-ref', 'refs/notes')
  const prepare = async (configuration: string): Promise<void> => {
    cli = await createCliFixture()
    job = new AttestedWorkspace(cli)
    await job.prepare(undefined, configuration)
  }
  afterEach(() => cli.close())

  it.each([
    [3, 'verified'],
    [1, 'not_verified'],
  ])(
    'signs the verdict on what the agent committed in a heartbeat: %i written, %s',
    async (writes, verdict) => {
      await prepare('[landing]\nattest = true\n')
      await job.heartbeat({ writes, claims: 3, commits: true })
      expect(await check('HEAD')).toMatchObject({ exitCode: 0, authentic: true, verdict })
    },
  )

  it('does not sign work that is not committed', async () => {
    await prepare('[landing]\nattest = true\n')
    await job.heartbeat({ writes: 3, claims: 3 })
    expect(notes()).toBe('')
  })

  it('signs nothing unless it is set', async () => {
    await prepare('')
    await job.heartbeat({ writes: 3, claims: 3, commits: true })
    expect(notes()).toBe('')
  })

  it('signs work that landed', async () => {
    await prepare('[workspace]\nisolation = "worktree"\n[landing]\nmode = "auto"\nattest = true\n')
    await job.heartbeat({ writes: 3, claims: 3 })
    expect(git(job.directory, 'log', '--format=%s', '-1')).toBe('Count the mail')
    expect(await check('HEAD', '--require', 'verified')).toMatchObject({ exitCode: 0, verdict: 'verified' })
  })

  describe('and work that someone else merges', () => {
    const isolated =
      '[workspace]\nisolation = "worktree"\n[landing]\nmode = "branch"\ntarget = "main"\nattest = true\n'
    const merge = async (change: () => void): Promise<void> => {
      await prepare(isolated)
      const attempt = await job.heartbeat({ writes: 3, claims: 3 })
      git(job.directory, 'merge', '--quiet', '--squash', `pulseward/${attempt}`)
      change()
      git(job.directory, 'commit', '--quiet', '--all', '--message', `Merge\n\nPulseward-Attempt: ${attempt}`)
      await cli.run(['run', '--once', '--trust', '--workspace', 'job'])
    }

    it('does not sign contents that were not judged', async () => {
      await merge(() => writeFileSync(join(job.directory, 'mails.txt'), '4\n'))
      expect(await landed()).toMatchObject({ state: 'landed', answers: ['land'] })
      expect(notes()).toBe('')
    })

    it('does not sign a target that has the work beside something else', async () => {
      await prepare(isolated)
      await job.heartbeat({ writes: 3, claims: 3 })
      await cli.write({ 'job/mails.txt': '3\n', 'job/other.txt': 'not judged\n' })
      job.commit()
      await cli.run(['run', '--once', '--trust', '--workspace', 'job'])
      expect(await landed()).toMatchObject({ state: 'landed' })
      expect(notes()).toBe('')
    })

    it('signs them as they were judged', async () => {
      await merge(() => {})
      expect(await check('HEAD', '--require', 'verified')).toMatchObject({ exitCode: 0, verdict: 'verified' })
    })

    const landed = async (): Promise<unknown> =>
      JSON.parse((await cli.run(['landing', '--json', '--workspace', 'job'])).stdout).landing.at(-1)
  })
})

const { found: sandbox } = await tryMeans(process.env)

describe('the private key', () => {
  const steal = async (sandboxed: 'off' | 'required'): Promise<string> => {
    cli = await createCliFixture()
    job = new AttestedWorkspace(cli)
    await job.prepare(undefined, '', sandboxed)
    await cli.run(['key', 'show'])
    const found = `grep -rhs "PRIVATE KEY" ${join(cli.dataDirectory, 'attestation')} ${cli.dataDirectory}`
    await job.heartbeat({ writes: 3, claims: 3, does: `echo looked > seen.txt; ${found} >> seen.txt` })
    return readFileSync(join(job.directory, 'seen.txt'), 'utf8')
  }
  afterEach(() => cli.close())

  it.skipIf(sandbox === null)('can’t be read by an agent in its sandbox', async () => {
    expect(await steal('required')).toBe('looked\n')
  })

  it('can be read by an agent without a sandbox, as documented', async () => {
    expect(await steal('off')).toContain('PRIVATE KEY')
  })
})

describe('other attestations', () => {
  beforeEach(begin)
  afterEach(() => cli.close())

  it('an attestation stays valid after key rotation, but not after the key was revoked for that time', async () => {
    await job.heartbeat({ writes: 3, claims: 3 })
    const commit = job.commit()
    await attest(commit, '--output', file('verdict.jsonl'), '--note')
    const old = JSON.parse(linesOf('verdict.jsonl')[0] ?? '').signatures[0].keyid
    expect(old).toMatch(/^pulseward-\d{4}-\d\d-\d\d-[0-9a-f]{16}$/)
    const rotated = JSON.parse((await cli.run(['key', 'rotate', '--json'])).stdout)
    expect(rotated.keyid).not.toBe(old)
    expect(await check(commit)).toMatchObject({ exitCode: 0 })
    await cli.run(['key', 'revoke', old, '--until', '2001-01-01'])
    expect(await check(commit)).toMatchObject({ exitCode: 0 })
    // The whole day of the signature, not just up to its midnight.
    const today = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
    await cli.run([
      'key',
      'revoke',
      old,
      '--from',
      '2020-01-01',
      '--until',
      today,
      '--reason',
      'laptop stolen',
    ])
    const answer = await check(commit)
    expect(answer.exitCode).toBe(1)
    expect(answer.problems[0]).toMatchObject({
      what: 'key',
      message: expect.stringContaining('laptop stolen'),
    })
  })

  it("attests a failed verdict: authentic, with the contradiction, and without properties that don't apply", async () => {
    const attempt = await job.heartbeat({ writes: 1, claims: 3, says: 'All done. I counted everything.' })
    await attest(attempt, '--output', file('refusal.jsonl'))
    const statements = linesOf('refusal.jsonl').map(statementOf)
    expect(statements.map(({ predicateType }) => predicateType)).toEqual([
      'https://pulseward.dev/verdict/v0.1',
      'https://in-toto.io/attestation/test-result/v0.1',
    ])
    expect(statements[0]).toMatchObject({
      predicate: {
        verdict: { value: 'not_verified' },
        contradiction: { value: true },
        claims: expect.arrayContaining([
          expect.objectContaining({
            claimed: { by: 'claimant', value: '3' },
            measured: { by: 'verifier', value: '1' },
            equal: { by: 'verifier', value: false },
          }),
        ]),
      },
    })
    expect(statements[1]).toMatchObject({ predicate: { result: 'FAILED', failedTests: ['check mails'] } })
    expect(await check(file('refusal.jsonl'))).toMatchObject({
      exitCode: 0,
      authentic: true,
      verdict: 'not_verified',
    })
    expect(await check(file('refusal.jsonl'), '--require', 'verified')).toMatchObject({
      exitCode: 1,
      authentic: true,
    })
  })

  it('says that the operator decided, and then claims no measurement', async () => {
    const attempt = await job.heartbeat({ writes: 1, claims: 3 })
    await cli.run([
      'overrule',
      attempt,
      '--verdict',
      'verified',
      '--reason',
      'I looked',
      '--workspace',
      'job',
    ])
    await attest(attempt, '--output', file('overruled.jsonl'))
    const statements = linesOf('overruled.jsonl').map(statementOf)
    expect(statements[0]).toMatchObject({
      predicate: {
        verdict: { value: 'verified' },
        decidedBy: { value: 'operator' },
        measuredVerdict: { value: 'not_verified' },
      },
    })
    expect(statements.map(({ predicateType }) => predicateType)).not.toContain(
      'https://in-toto.io/attestation/svr/v0.2',
    )
  })

  it('adds no objects to the repository and changes nothing in it', async () => {
    const objects = git(job.directory, 'count-objects', '-v')
    const index = readFileSync(join(job.directory, '.git', 'index'))
    await job.heartbeat({ writes: 3, claims: 3 })
    expect(git(job.directory, 'count-objects', '-v')).toBe(objects)
    expect(readFileSync(join(job.directory, '.git', 'index'))).toEqual(index)
  })

  it('keeps the private key in a file that only this user can read if the system has no key store', async () => {
    const { keys } = JSON.parse((await cli.run(['key', 'show', '--json'])).stdout)
    expect(keys).toEqual([expect.objectContaining({ keptIn: 'file', revoked: [], retiredAt: null })])
    const folder = join(cli.dataDirectory, 'attestation')
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077).toBe(0)
    const exported = (await cli.run(['key', 'export', '--json'])).stdout
    expect(JSON.parse(exported)).toMatchObject({
      keyid: keys[0].keyid,
      publicKey: expect.stringContaining('PUBLIC KEY'),
    })
    expect(exported).not.toContain('PRIVATE')
  })

  it('exits with 2 and writes no file if there is nothing to attest, to trust or to find', async () => {
    await job.heartbeat({ writes: 3, claims: 3 })
    const unknown = await attest('HEAD', '--output', file('none.jsonl'))
    expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('left the tree of commit') })
    expect(readdirSync(cli.root)).not.toContain('none.jsonl')
    writeFileSync(file('empty.jsonl'), '\n')
    expect((await check(file('empty.jsonl'))).exitCode).toBe(2)
    for (const args of [
      [file('missing.jsonl')],
      ['HEAD'],
      [file('empty.jsonl'), '--key', file('empty.jsonl')],
      [file('empty.jsonl'), '--data-dir', file('elsewhere')],
    ])
      expect((await check(...args)).exitCode).toBe(2)
  })
})
