import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { systemClock } from '../host/system-clock.ts'
import { lacksProgram } from './lacks-program.ts'
import { runProgram, type VerifierWorld } from './program.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'pulseward-lacks-')))
const world: VerifierWorld = { directory: root, clock: systemClock }
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Runs a script of a check in the folder, and asks about it. */
async function lacks(script: string, PATH = '/usr/bin:/bin'): Promise<boolean> {
  const request = { timeoutMs: 20_000, signal: new AbortController().signal, env: { PATH } }
  const command = ['sh', '-c', script]
  return lacksProgram(world, command, await runProgram(world, command, request), request)
}

const FORGED = 'sh: 1: pw-nowhere: not found'

it.skipIf(process.platform === 'win32').each([
  ['names a program that is nowhere', 'pw-nowhere --fix', true],
  ['gets to one after others', 'true && (pw-nowhere)', true],
  ['prints that of a program that is there', "echo 'sh: 1: ls: not found' >&2; exit 127; ls", false],
  [
    'prints that of a program which it does not name',
    `eval "echo 'sh: 1: pw-no''where: not found' >&2"; exit 127`,
    false,
  ],
  ['prints it and exits with another code', `echo '${FORGED}' >&2; exit 1`, false],
  ['says nothing', 'exit 127; pw-nowhere', false],
  ['decides itself where programs are', 'PATH=./bin; pw-nowhere', false],
  ['gives a path', './pw-nowhere', false],
])('of a check that %s', async (_what, script, expected) => {
  expect(await lacks(script)).toBe(expected)
})

it.skipIf(process.platform === 'win32').each([
  ['the workspace', `/usr/bin:/bin:${join(root, 'bin')}`],
  ['wherever it runs', '/usr/bin:/bin:node_modules/.bin'],
  ['the current folder', '/usr/bin:/bin:'],
])(
  'is not reported where programs may be in a folder of %s, which an agent could have emptied',
  async (_what, path) => {
    expect(await lacks('pw-nowhere', path)).toBe(false)
  },
)
