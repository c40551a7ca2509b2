import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { createFileLog } from './log.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pulseward-log-'))
  return () => rm(folder, { recursive: true, force: true })
})

async function lines(): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(folder, 'pulseward.log'), 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

it('contains no secret that an error quotes, and stays JSON', async () => {
  const log = createFileLog(folder, {})
  const key = ['-----BEGIN PRIV', 'ATE KEY-----\nMIIabc'].join('')
  log.error('It failed', { error: `postgres://app:hunter2@db/x refused; ${key}`, more: 1 })
  expect(await lines()).toMatchObject([
    { error: 'postgres://app:[password hidden]@db/x refused; [private key hidden]', more: 1 },
  ])
})

it('has one JSON document per line, with time, level, message and fields', async () => {
  const log = createFileLog(folder, {})
  log.info('A cycle began', { workspace: 'w', cycle: 3 })
  log.warn('careful')
  expect(await lines()).toEqual([
    {
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      level: 'info',
      msg: 'A cycle began',
      workspace: 'w',
      cycle: 3,
    },
    expect.objectContaining({ level: 'warn', msg: 'careful' }),
  ])
  expect((await stat(join(folder, 'pulseward.log'))).mode & 0o777).toBe(0o600)
})

it.each([
  [undefined, ['info', 'warn', 'error']],
  ['', ['info', 'warn', 'error']],
  ['warn', ['warn', 'error']],
  ['error', ['error']],
  ['silent', []],
  ['loud', ['warn', 'info', 'warn', 'error']],
])('with PULSEWARD_LOG_LEVEL=%s logs the levels %j', async (level, expected) => {
  const log = createFileLog(folder, { PULSEWARD_LOG_LEVEL: level })
  log.info('one')
  log.warn('two')
  log.error('three')
  expect((await lines()).map((line) => line.level)).toEqual(expected)
})

it('rotates a file that became too long, while it runs', async () => {
  const file = join(folder, 'pulseward.log')
  const log = createFileLog(folder, {})
  await writeFile(file, 'x'.repeat(5 * 1024 * 1024 + 1))
  log.info('after')
  expect(await lines()).toMatchObject([{ msg: 'after' }])
  expect((await readdir(folder)).toSorted()).toEqual(['pulseward.log', 'pulseward.log.1'])
  await writeFile(file, 'y'.repeat(5 * 1024 * 1024 + 1))
  log.info('later')
  expect((await readFile(`${file}.1`, 'utf8'))[0]).toBe('y')
  expect(await readdir(folder)).toHaveLength(2)
})

it('goes to stderr if its file cannot be written, and stops nothing', async () => {
  const written: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push(String(text))
    return true
  })
  onTestFinished(() => void vi.restoreAllMocks())
  const inTheWay = join(folder, 'file')
  await writeFile(inTheWay, '')
  createFileLog(inTheWay, {}).info('still said')
  expect(written).toEqual([expect.stringContaining('still said')])
})

it('goes to the journal too if stderr is the journal, and only then', async () => {
  const script = join(folder, 'say.ts')
  const module = join(import.meta.dirname, 'log.ts')
  await writeFile(
    script,
    `import { createFileLog } from ${JSON.stringify(module)}\ncreateFileLog(${JSON.stringify(folder)}, process.env).info('A cycle began')\n`,
  )
  const journal = await open(join(folder, 'journal'), 'w')
  const { dev, ino } = await journal.stat()
  for (const stream of [`${dev}:${ino}`, `${dev}:${ino + 1}`]) {
    const env = { ...process.env, JOURNAL_STREAM: stream, NODE_NO_WARNINGS: '1' }
    const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'ignore', journal.fd] })
    await once(child, 'exit')
  }
  await journal.close()
  expect((await readFile(join(folder, 'journal'), 'utf8')).match(/A cycle began/g)).toHaveLength(1)
  expect(await lines()).toHaveLength(2)
})
