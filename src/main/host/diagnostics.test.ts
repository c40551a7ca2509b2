import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { dropOldCrashReports } from './crash-reports.ts'
import { diagnostics } from './diagnostics.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pulseward-diagnostics-'))
  await mkdir(join(folder, 'bin'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function copied(script: string): Promise<string> {
  await writeFile(join(folder, 'bin/pulseward'), script)
  return diagnostics({
    version: '1.2.3',
    command: folder,
    dataDirectory: '/home/me/.pulseward',
    home: '/home/me',
  })
}

it('has versions, platform and what doctor says, including errors', async () => {
  const text = await copied(
    'console.log(process.argv.slice(2).join(" ")); console.log("✕ git: missing"); process.exit(1)',
  )
  expect(text).toMatch(/^Pulseward 1\.2\.3\nElectron none, Chromium none, Node\.js \d+/)
  expect(text).toContain(`${process.platform} `)
  expect(text).toContain('doctor --data-dir ~/.pulseward\n✕ git: missing\n')
})

it('has neither secrets nor the name of the home folder', async () => {
  const text = await copied('console.log("postgres://app:hunter2@db/x in /home/me/secret-project")')
  expect(text).not.toMatch(/hunter2|\/home\/me/)
})

it('says why if doctor does not answer', async () => {
  expect(await copied('console.error("no disk"); process.exit(3)')).toContain(
    'doctor gave no answer: no disk',
  )
})

it('has the latest bugs in the log and the paths of crash reports, newest first, but no memory dumps', async () => {
  const data = join(folder, 'data')
  await mkdir(join(data, 'desktop/Crashpad/pending'), { recursive: true })
  await writeFile(join(data, 'desktop/Crashpad/pending/a.dmp'), 'MDMP token=hunter2')
  const line = (time: string, level: string, fields: object) =>
    `${JSON.stringify({ level, time, ...fields })}\n`
  await writeFile(
    join(data, 'pulseward.log'),
    [
      line('2026-11-22T01:00:00Z', 'error', { msg: 'A mistake of ours', cause: 'Error: first\n  at x' }),
      line('2026-11-22T02:00:00Z', 'info', { msg: 'Backed up' }),
      line('2026-11-22T03:00:00Z', 'error', { msg: 'Another', error: 'postgres://app:hunter2@db/x' }),
      '{"level":"error","time":"2026',
    ].join(''),
  )
  await writeFile(join(folder, 'bin/pulseward'), '')
  const text = await diagnostics({ version: '1.2.3', command: folder, dataDirectory: data, home: '/home/me' })
  expect(text.indexOf('Another')).toBeLessThan(text.indexOf('A mistake of ours: Error: first'))
  expect(text).toMatch(/Crash reports[^\n]+\n2\S+ \S+desktop\/Crashpad\/pending\/a\.dmp, 1 KiB/)
  expect(text).not.toMatch(/hunter2|MDMP|Backed up/)
})

it('keeps the latest ten crash reports', async () => {
  const place = join(folder, 'desktop/Crashpad/pending')
  await mkdir(place, { recursive: true })
  for (let hour = 10; hour < 22; hour += 1) {
    await writeFile(join(place, `${hour}.dmp`), '')
    const at = new Date(`2026-11-22T${hour}:00:00Z`)
    await utimes(join(place, `${hour}.dmp`), at, at)
  }
  await dropOldCrashReports(folder)
  expect((await readdir(place)).sort()).toEqual(
    ['12', '13', '14', '15', '16', '17', '18', '19', '20', '21'].map((each) => `${each}.dmp`),
  )
})
