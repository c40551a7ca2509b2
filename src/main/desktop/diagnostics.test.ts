import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
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

it('has versions, platform and what doctor says, its errors too', async () => {
  const text = await copied(
    'console.log(process.argv.slice(2).join(" ")); console.log("✕ git: missing"); process.exit(1)',
  )
  expect(text).toMatch(/^Pulseward 1\.2\.3\nElectron none, Chromium none, Node\.js \d+/)
  expect(text).toContain(`${process.platform} `)
  expect(text).toContain('doctor --data-dir ~/.pulseward\n✕ git: missing\n')
})

it('holds neither secrets nor the name of the home folder', async () => {
  const text = await copied('console.log("postgres://app:hunter2@db/x in /home/me/secret-project")')
  expect(text).not.toMatch(/hunter2|\/home\/me/)
})

it('says why where doctor gives no answer', async () => {
  expect(await copied('console.error("no disk"); process.exit(3)')).toContain(
    'doctor gave no answer: no disk',
  )
})
