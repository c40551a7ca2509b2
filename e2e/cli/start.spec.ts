import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { getApi } from '../support/api.ts'
import { dataDirectoryOf, expect, markedEnvironment, printedAddress, root, test } from '../support/app.ts'
import { writeFiles } from '../support/files.ts'
import { processesOf } from '../support/processes.ts'

/* `npm start` on a machine where the desktop cannot be opened. */

/** What `npm start` prints and serves; `interrupt` does what Ctrl-C in a terminal does. */
async function npmStart(folder: string, runtime: Readonly<Record<string, string>>) {
  const { DISPLAY: _x11, WAYLAND_DISPLAY: _wayland, ...environment } = markedEnvironment(folder)
  const child = spawn('npm', ['start', '--silent'], {
    cwd: root,
    env: {
      ...environment,
      ELECTRON_OVERRIDE_DIST_PATH: await writeFiles(join(folder, 'runtime'), runtime),
      PULSEWARD_HOME: dataDirectoryOf(folder),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, as a terminal creates one.
    detached: true,
  })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const ended = once(child, 'exit')
  const url = await printedAddress(child)
  return {
    url,
    remarks: () => said.split('\n').filter((line) => line !== '' && !line.startsWith('npm warn')),
    interrupt: async () => {
      process.kill(-(child.pid ?? 0), 'SIGINT')
      await ended
    },
  }
}

interface Status {
  readonly workspaces: readonly {
    readonly name: string
    readonly running: unknown
    readonly score: { readonly verified: number; readonly contradictions: number }
  }[]
}

test('without an Electron runtime it says so in one line, and serves the app with the sample running', async ({
  folder,
}) => {
  const { url, remarks, interrupt } = await npmStart(folder, {})
  // They arrive through another pipe than the address, sometimes later.
  await expect
    .poll(remarks)
    .toEqual([
      expect.stringMatching(/^No Electron runtime is installed here\. Get one with `npx install-electron`;/),
    ])
  expect((await fetch(url, { redirect: 'manual' })).status).toBe(303)
  await expect
    // A whole heartbeat of the sample.
    .poll(async () => (await getApi<Status>(dataDirectoryOf(folder), 'status')).workspaces, {
      timeout: 60_000,
    })
    .toMatchObject([{ name: 'sample', running: null, score: { verified: 2, contradictions: 2 } }])
  await interrupt()
})

test('without a display it says so in one line; interrupted during a heartbeat, it leaves nothing running', async ({
  folder,
}) => {
  test.skip(process.platform !== 'linux', 'there is always a display here')
  const { remarks, interrupt } = await npmStart(folder, { electron: '' })
  await expect
    .poll(remarks)
    .toEqual([expect.stringMatching(/^There is no display \(DISPLAY and WAYLAND_DISPLAY are unset\)/)])
  await expect
    .poll(() => processesOf(folder).some(({ command }) => command.endsWith('node agent.mjs')))
    .toBe(true)
  await interrupt()
  expect(processesOf(folder)).toEqual([])
})
