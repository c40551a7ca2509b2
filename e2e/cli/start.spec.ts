import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { getApi } from '../support/api.ts'
import { dataDirectoryOf, expect, markedEnvironment, printedAddress, root, test } from '../support/app.ts'
import { writeFiles } from '../support/files.ts'

/* `npm start` on a machine where the desktop cannot be opened. */

interface Status {
  readonly workspaces: readonly {
    readonly name: string
    readonly running: unknown
    readonly score: { readonly verified: number; readonly contradictions: number }
  }[]
}

for (const [what, runtime, mend] of [
  [
    'an Electron runtime',
    {},
    /^No Electron runtime is installed here\. Get one with `npx install-electron`;/,
  ],
  [
    'a display',
    { electron: '', 'electron.exe': '' },
    /^There is no display \(DISPLAY and WAYLAND_DISPLAY are unset\)/,
  ],
] satisfies [string, Record<string, string>, RegExp][]) {
  test(`without ${what}, \`npm start\` says so in a line and serves the app with the sample running`, async ({
    folder,
  }) => {
    test.skip(what === 'a display' && process.platform !== 'linux', 'there is always a display here')
    const { DISPLAY: _x11, WAYLAND_DISPLAY: _wayland, ...environment } = markedEnvironment(folder)
    const child = spawn('npm', ['start', '--silent'], {
      cwd: root,
      env: {
        ...environment,
        ELECTRON_OVERRIDE_DIST_PATH: await writeFiles(join(folder, 'runtime'), runtime),
        PULSEWARD_HOME: dataDirectoryOf(folder),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, to end it as Ctrl-C in a terminal does.
      detached: true,
    })
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
    })
    const ended = once(child, 'exit')
    const url = await printedAddress(child)
    const remarks = said.split('\n').filter((line) => line !== '' && !line.startsWith('npm warn'))
    expect(remarks).toEqual([expect.stringMatching(mend)])

    expect((await fetch(url, { redirect: 'manual' })).status).toBe(303)
    await expect
      .poll(async () => (await getApi<Status>(dataDirectoryOf(folder), 'status')).workspaces)
      .toMatchObject([{ name: 'sample', running: null, score: { verified: 2, contradictions: 2 } }])

    process.kill(-(child.pid ?? 0), 'SIGINT')
    await ended
  })
}
