import { link, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createBackup, DAILY_KEPT } from '../../main/backup/create-backup.ts'
import { backUpIfDue } from '../../main/host/back-up-daily.ts'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const log = { info: () => {}, warn: () => {}, error: () => {} }
const HEARTBEAT = '## Tasks\n\n- [ ] one | Write one.txt | required | verify: changed("one.txt")\n'
const CONFIG =
  '[agent]\nid = "a"\ncommand = ["node", "-e", "require(\'fs\').writeFileSync(\'one.txt\', \'1\')"]\n'

async function json(...args: string[]) {
  const { stdout, stderr, exitCode } = await cli.run([...args, '--json'])
  return { exitCode, stderr, document: JSON.parse(stdout) }
}

/** Prepares a folder with one verified task. */
async function worked(): Promise<void> {
  await cli.write({ 'job/HEARTBEAT.md': HEARTBEAT, 'job/pulseward.toml': CONFIG })
  const { document } = await json('run', '--once', '--trust', '--workspace', join(cli.root, 'job'))
  expect(document.attempts).toHaveLength(1)
}

it('restores record, score and approval, and sets the previous ones aside', async () => {
  await worked()
  const { document: before } = await json('score')
  const { document: made, exitCode } = await json('backup')
  expect(exitCode).toBe(0)
  await json('feedback', 'down')
  expect((await json('score')).document.thumbsDown).toBe(before.thumbsDown + 1)

  const { document: restored } = await json('backup', 'restore', made.name)
  expect(restored.files).toBe(made.files)
  expect((await json('score')).document).toMatchObject({
    score: before.score,
    verified: before.verified,
    thumbsDown: before.thumbsDown,
  })
  expect(await readdir(restored.before)).toContain('workspaces')
  // The operator restored this record, so doctor must not report it as rolled back.
  const { document: findings } = await json('doctor')
  expect(JSON.stringify(findings)).not.toMatch(/rolled back|not as it was left|"status":"error"/)
})

it('lists the backups', async () => {
  expect((await cli.run(['backup', 'list'])).stdout).toContain('There is no backup yet.')
  await worked()
  const { document: made } = await json('backup')
  expect((await json('backup', 'list')).document.backups).toEqual([made])
})

it('restores nothing from a modified backup', async () => {
  await worked()
  const { document: made } = await json('backup')
  const manifest = JSON.parse(await readFile(join(made.path, 'backup.json'), 'utf8'))
  const [first] = manifest.files
  const copy = join(made.path, first.path)
  const content = await readFile(copy)
  await rm(copy)
  await writeFile(copy, Buffer.concat([content, Buffer.from('{}\n')]))
  const { exitCode, stderr } = await cli.run(['backup', 'restore', made.name])
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('was changed after the backup: use another backup. Nothing was changed.'),
  })
  expect((await readdir(cli.dataDirectory)).filter((name) => name.startsWith('before-restore'))).toEqual([])
})

it('refuses in words what a newer version made, and what leads out of the data folder', async () => {
  await worked()
  const { document: made } = await json('backup')
  const path = join(made.path, 'backup.json')
  const manifest = JSON.parse(await readFile(path, 'utf8'))
  await rm(path)
  await writeFile(path, JSON.stringify({ ...manifest, format: 2, version: '9.0.0' }))
  expect((await cli.run(['backup', 'restore', made.name])).stderr).toContain(
    'was made by a newer Pulseward (9.0.0, format 2); this one restores format 1. Install that version first.',
  )
  for (const evil of ['../outside', 'workspaces/../../x', '/etc/x', 'lock', 'session.key']) {
    await writeFile(path, JSON.stringify({ ...manifest, files: [{ ...manifest.files[0], path: evil }] }))
    expect((await cli.run(['backup', 'restore', made.name])).stderr).toContain('backup.json is damaged')
  }
})

it('does not restore while a host is running', async () => {
  await cli.serve('one')
  const { document: made, exitCode } = await json('backup')
  expect(exitCode).toBe(0)
  const refused = await json('backup', 'restore', made.name)
  expect(refused).toMatchObject({ exitCode: 3, document: { error: { code: 'CONFLICT' } } })
  expect(refused.stderr).toContain('quit it first. Nothing was changed.')
})

it('makes no backup of a missing data folder, and creates nothing', async () => {
  const { exitCode, stderr, document } = await json('backup')
  expect({ exitCode, code: document.error.code }).toEqual({ exitCode: 2, code: 'NOT_FOUND' })
  expect(stderr).toBe(
    `pulseward: There is no data folder ${cli.dataDirectory} yet, so there is nothing to back up. Name another with --data-dir.\n`,
  )
  expect(await readdir(cli.root)).toEqual([])
  expect((await json('backup', 'restore', 'x')).exitCode).toBe(2)
})

it('backs up once a day, shares unchanged files, and keeps the latest few', async () => {
  await worked()
  const { dataDirectory } = cli
  const day = 86_400_000
  for (let count = 0; count < DAILY_KEPT + 3; count += 1) {
    for (const hour of [1, 2]) {
      const nowMs = Date.UTC(2026, 0, 1, hour) + count * day
      const clock = { nowMs: () => nowMs, sleep: async () => {} }
      await backUpIfDue({ dataDirectory, version: '1.2.3', clock, log })
    }
  }
  const names = (await readdir(join(dataDirectory, 'backups'))).sort()
  expect(names).toHaveLength(DAILY_KEPT)
  expect(names[0]).toBe('2026-01-04T010000Z-daily')
  const settings = (await readdir(join(dataDirectory, 'backups', names[0] ?? ''), { recursive: true })).find(
    (name) => name.endsWith('workspace.json'),
  )
  const { nlink } = await stat(join(dataDirectory, 'backups', names[0] ?? '', settings ?? ''))
  expect(nlink).toBe(DAILY_KEPT)
})

it('leaves out a half-written last ledger line and links that lead elsewhere', async () => {
  const ledger = join(cli.dataDirectory, 'workspaces/w/ledger')
  await mkdir(ledger, { recursive: true })
  await writeFile(join(ledger, '000000000001.jsonl'), '{"seq":1}\n{"se')
  await link(join(ledger, '000000000001.jsonl'), join(ledger, 'torn-1.part'))
  const { path, files } = await createBackup({
    dataDirectory: cli.dataDirectory,
    version: '1.2.3',
    nowMs: 0,
    kind: 'asked',
  })
  expect(files).toBe(1)
  expect(await readFile(join(path, 'workspaces/w/ledger/000000000001.jsonl'), 'utf8')).toBe('{"seq":1}\n')
})
