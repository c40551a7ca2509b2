import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { chromium } from '@playwright/test'
import { dataDirectoryOf, electronArguments, expect, markedEnvironment, root, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { processesOf } from '../support/processes.ts'
import { writeWorkspace } from '../support/workspaces.ts'

test('with a runtime and a display, `npm start` opens the desktop app; Ctrl-C ends it and its agents', async ({
  folder,
}) => {
  test.skip(process.platform === 'darwin', 'the runtime lies elsewhere there')
  const child = spawn(
    'npm',
    ['start', '--silent', '--', '--remote-debugging-port=0', `--data-dir=${dataDirectoryOf(folder)}`],
    {
      cwd: root,
      env: {
        ...markedEnvironment(folder),
        ELECTRON_OVERRIDE_DIST_PATH: dirname(process.env.ELECTRON_PATH ?? ''),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
      // A separate process group, to end it as Ctrl-C in a terminal does.
      detached: true,
    },
  )
  const ended = once(child, 'exit')
  const browser = await chromium.connectOverCDP(await debuggingAddress(child.stderr))
  const [context] = browser.contexts()
  const page = context?.pages()[0] ?? (await context?.waitForEvent('page'))
  if (page === undefined) throw new Error('The desktop app has no window.')
  await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
  await page.getByRole('button', { name: 'Open the sample' }).click()
  await expect(page.getByRole('button', { name: 'Stop now' })).toBeVisible()
  await browser.close()
  process.kill(-(child.pid ?? 0), 'SIGINT')
  await ended
  // The agents' processes are gone before the app ends; Chromium's own processes end a moment later.
  expect(processesOf(folder).filter(({ command }) => !command.includes(' --type='))).toEqual([])
  await expect.poll(() => processesOf(folder)).toEqual([])
})

test('without a usable data folder the app says why before it ends', async ({ folder }) => {
  await writeFile(dataDirectoryOf(folder), 'a file')
  const child = spawn(process.env.ELECTRON_PATH ?? '', electronArguments(folder), {
    env: markedEnvironment(folder),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  expect(await complaintOf(child.stderr)).toMatch(
    /^pulseward: Cannot use the data folder \S+: there is a file where a folder is needed \(ENOTDIR\): move the file away/u,
  )
  // Its dialog waits for an answer.
  child.kill('SIGKILL')
  await ended
})

test('the score of an app that is quit right after it opens is known at the next start', async ({
  folder,
}) => {
  const directory = await writeWorkspace(join(folder, 'backend'), 'write')
  await pulseward(folder, ['add', directory, '--trust'])
  await pulseward(folder, ['run', '--once', '--workspace', directory])
  await pulseward(folder, ['pause', '--workspace', directory])
  // Not through Playwright, where a hidden window still reports itself as visible.
  const probe = join(root, 'bench/launch/probe.cjs')
  const child = spawn(process.env.ELECTRON_PATH ?? '', ['-r', probe, ...electronArguments(folder)], {
    env: { ...markedEnvironment(folder), LAUNCH_SHOWS: '[data-testid="score"]' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith('PAINTED')) break
  child.kill('SIGTERM')
  await ended
  // Where the browser stores what pages remember.
  const kept = join(dataDirectoryOf(folder), 'desktop/Local Storage/leveldb')
  const texts = await Promise.all((await readdir(kept)).map((name) => readFile(join(kept, name), 'latin1')))
  expect(texts.filter((text) => text.includes('pulseward-last-known'))).not.toEqual([])
})

/** Returns the first line that the app itself writes, without Electron's own output. */
async function complaintOf(stderr: Readable): Promise<string> {
  for await (const line of createInterface({ input: stderr })) if (line.startsWith('pulseward: ')) return line
  throw new Error('The app ended without a word.')
}

/** The line in which Electron says where it can be debugged. */
async function debuggingAddress(stderr: Readable): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const address = /DevTools listening on (ws:\S+)/.exec(line)?.[1]
    if (address !== undefined) return address
  }
  throw new Error('Electron ended without saying where it can be debugged.')
}
