import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { dataDirectoryOf, expect, markedEnvironment, printedAddress, root, test } from '../support/app.ts'

const execute = promisify(execFile)

const MAX_PACKAGE_BYTES = 10 * 1024 * 1024

interface Packed {
  readonly filename: string
  readonly size: number
}

/** Runs `npm pack` on the current build of this checkout, into `folder`. */
async function pack(folder: string, env: Readonly<Record<string, string>>): Promise<Packed> {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await execute('npm', args, { cwd: root, env })
  const [packed] = JSON.parse(stdout) as Packed[]
  if (packed === undefined) throw new Error('npm packed nothing.')
  return packed
}

test('the packed npm package runs in an empty folder without using the network', async ({ folder }) => {
  const env = { ...markedEnvironment(folder), PULSEWARD_HOME: dataDirectoryOf(folder) }
  const { filename, size } = await pack(folder, env)
  expect(size).toBeLessThan(MAX_PACKAGE_BYTES)

  const empty = join(folder, 'empty')
  await mkdir(empty)
  // A separate cache and no network: anything the package needs besides itself would be missing.
  const install = ['install', '--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')]
  await execute('npm', [...install, join(folder, filename)], { cwd: empty, env })
  expect((await readdir(join(empty, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual([
    'pulseward',
  ])

  const host = spawn('npx', ['--offline', 'pulseward', 'serve', '--sample', '--port', '0'], {
    cwd: empty,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, as a terminal creates one.
    detached: true,
  })
  const ended = once(host, 'exit')
  const page = await fetch(await printedAddress(host), { redirect: 'follow' })
  expect(await page.text()).toContain('<title>Pulseward</title>')

  const command = join(empty, 'node_modules/.bin/pulseward')
  // The server answers before the sample is added; until then `status` fails because there is no workspace.
  const status = () =>
    execute(command, ['status', '--json'], { cwd: empty, env }).then(
      ({ stdout }) => JSON.parse(stdout),
      () => null,
    )
  await expect.poll(status).toBeTruthy()
  process.kill(-(host.pid ?? 0), 'SIGINT')
  await ended
})
