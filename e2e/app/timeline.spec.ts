import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication, Locator, Page } from '@playwright/test'
import { type App, expect, test } from '../support/app.ts'
import {
  addFolder,
  expectHeartbeatsDone,
  expectNoSideScroll,
  expectNothingForAxe,
  resize,
  taskRow,
  toggleKind,
} from '../support/page.ts'
import { contractOf, writeWorkspace } from '../support/workspaces.ts'

const feed = (page: Page) => page.getByRole('feed', { name: 'Timeline' })
const entry = (page: Page, name: string | RegExp) => feed(page).getByRole('article', { name })

/** An approved workspace in a repository, with one heartbeat done. */
async function workspaceWithHistory({ page }: App, folder: string): Promise<string> {
  const directory = await writeWorkspace(join(folder, 'backend'), 'write')
  const git = (...args: string[]) => execFileSync('git', ['-C', directory, ...args])
  git('init', '--quiet')
  git('add', '--all')
  git('-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '--quiet', '--message', 'start')
  await addFolder(page, directory)
  await page.getByRole('button', { name: 'Approve these commands' }).click()
  await expectHeartbeatsDone(page, 1)
  return directory
}

async function runNow(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run now' }).click()
}

test('the timeline shows what happened, adds new entries without moving the view, and can be exported', async ({
  app,
  folder,
}) => {
  const { page } = app
  const directory = await workspaceWithHistory(app, folder)

  await test.step('a heartbeat adds its verdict, the approval and the first contract', async () => {
    await page.getByRole('link', { name: 'Timeline' }).click()
    await expect(entry(page, 'Verified: write')).toBeVisible()
    await expect(entry(page, 'Configuration approved')).toBeVisible()
    await expect(entry(page, 'Contract read for the first time')).toBeVisible()
    await expectNothingForAxe(app)
  })

  await test.step('an outside edit is recorded with its lines when the next heartbeat begins', async () => {
    await writeFile(join(directory, 'HEARTBEAT.md'), contractOf('write', 'tidy'))
    const opened = entry(page, 'Verified: write').last()
    await opened.getByRole('button', { name: 'Verified' }).click()
    await expect(opened).toContainText('1 file changed')
    const before = await opened.boundingBox()
    await runNow(page)
    const waiting = page.getByRole('button', { name: /^\d+ new entr/ })
    await expect(waiting).toBeVisible()
    expect(await opened.boundingBox()).toEqual(before)
    await expect(page.getByRole('button', { name: 'Run now' })).toHaveAttribute('aria-disabled', 'false')
    await waiting.click()
    const edit = entry(page, 'Contract edited outside Pulseward')
    await edit.getByRole('button', { name: 'Contract edited outside Pulseward' }).click()
    await expect(edit).toContainText('Task "tidy" was added.')
    await expect(edit.getByRole('figure', { name: 'Difference of HEARTBEAT.md' })).toContainText(
      'added: +- [ ] tidy',
    )
    await expectNothingForAxe(app)
  })

  await test.step('the address leads back to the open entry', async () => {
    const edit = entry(page, 'Contract edited outside Pulseward')
    await page.reload()
    await expect(edit.getByRole('button').first()).toHaveAttribute('aria-expanded', 'true')
    await expect(edit).toBeInViewport()
  })

  await test.step('a filtered timeline is exported as filtered', async () => {
    await toggleKind(page, 'Verdicts')
    await expect(page.getByRole('region', { name: 'Timeline' }).getByText('3 entries')).toBeVisible()
    const csv = await exported(app, folder, 'As CSV, for a spreadsheet', 'backend-timeline.csv')
    expect(csv.trim().split('\r\n')).toHaveLength(4)
    expect(csv).toMatch(/^id,at,day,kind,/)
    const json = JSON.parse(await exported(app, folder, 'As JSON', 'backend-timeline.json'))
    expect(json.map(({ kind }: { kind: string }) => kind)).toEqual(['verdict', 'verdict', 'verdict'])
  })

  await test.step('an entry leads to its attempt, and the attempt back to the entry', async () => {
    const verdict = entry(page, 'Verified: tidy')
    await verdict.getByRole('button', { name: 'Verified' }).click()
    await verdict.getByRole('link', { name: 'View attempt' }).click()
    await expect(page.getByRole('heading', { level: 2, name: 'tidy' })).toBeVisible()
    await page.getByRole('link', { name: 'On the timeline' }).click()
    await expect(verdict.getByRole('button').first()).toHaveAttribute('aria-expanded', 'true')
  })

  await test.step('a narrow window fits all of it', async () => {
    await resize(app, 480, 700)
    await expectNoSideScroll(page)
  })
})

test('going back and reloading keep the scroll position', { tag: '@page' }, async ({ app, folder }) => {
  const { page } = app
  const tasks = Array.from({ length: 14 }, (_, index) => `task_${index}`)
  await addFolder(page, await writeWorkspace(join(folder, 'backend'), ...tasks))
  await page.getByRole('button', { name: 'Approve these commands' }).click()
  await expectHeartbeatsDone(page, 1)
  await resize(app, 900, 600)
  const scrolled = () => page.getByRole('main').evaluate((main) => main.scrollTop)
  const far = async (locator: Locator): Promise<number> => {
    if ((await locator.count()) === 0) return -1
    return Math.round((await locator.boundingBox())?.y ?? -1)
  }
  const scrollTo = async (locator: Locator): Promise<void> => {
    // Not with the wheel, whose events keep arriving after it stops. What comes into view is drawn a frame later.
    for (let turns = 0; turns < 40 && !(await isInSight(locator)); turns += 1)
      await page.getByRole('main').evaluate(async (main) => {
        main.scrollBy({ top: 150, behavior: 'instant' })
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
      })
    expect(await scrolled()).toBeGreaterThan(100)
    await isKept()
  }
  /** Waits until the current scroll position is saved. */
  const isKept = (): Promise<void> =>
    expect
      .poll(() =>
        page.evaluate(() => history.state?.place?.top === document.querySelector('main')?.scrollTop),
      )
      .toBe(true)
  const isInSight = async (locator: Locator): Promise<boolean> => {
    const y = await far(locator)
    return y > 150 && y < 450
  }

  const row = taskRow(page, 'task_8')
  const verdict = entry(page, 'Verified: task_8')

  await test.step('on the tasks', async () => {
    await scrollTo(row)
    const before = await far(row)
    await page.getByRole('navigation', { name: 'Workspaces' }).getByRole('link', { name: 'Settings' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeInViewport()
    expect(await scrolled()).toBe(0)
    await page.keyboard.press('Alt+ArrowLeft')
    await expect.poll(() => far(row)).toBe(before)
    await page.reload()
    await expect.poll(() => far(row)).toBe(before)
  })

  await test.step('on the timeline, whose entries are drawn once they are in view', async () => {
    await page.getByRole('main').hover()
    await page.mouse.wheel(0, -5000)
    await expect.poll(scrolled).toBe(0)
    await page.getByRole('link', { name: 'Timeline' }).click()
    await expect(entry(page, /./).first()).toBeVisible()
    await scrollTo(verdict)
    await verdict.getByRole('button').first().click()
    const attempt = verdict.getByRole('link', { name: 'View attempt' })
    await attempt.scrollIntoViewIfNeeded()
    await isKept()
    const before = await far(verdict)
    await attempt.click()
    await expect(page.getByRole('heading', { level: 2, name: 'task_8' })).toBeInViewport()
    await page.goBack()
    await expect.poll(() => far(verdict)).toBe(before)
    await page.reload()
    await expect.poll(() => far(verdict)).toBe(before)
    await expect(page.getByText('The linked entry is not shown.')).toBeHidden()
  })
})

/** Saves the list as a person would, and reads the file. */
async function exported(
  { page, electron }: App,
  folder: string,
  item: string,
  name: string,
): Promise<string> {
  const path = join(folder, name)
  const choose = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  if (electron === null) {
    const [download] = await Promise.all([page.waitForEvent('download'), choose()])
    expect(download.suggestedFilename()).toBe(name)
    await download.saveAs(path)
  } else {
    await saveWithoutAsking(electron, path)
    await choose()
    await electron.evaluate(() => (globalThis as unknown as { saved: Promise<void> }).saved)
  }
  return readFile(path, 'utf8')
}

/**
 * Answers the save dialog, because no person is there to do it. Listens before the click, because click and download arrive through
 * different channels.
 */
function saveWithoutAsking(electron: ElectronApplication, path: string): Promise<void> {
  return electron.evaluate(({ session }, to) => {
    const saved = new Promise<void>((resolve) => {
      session.defaultSession.once('will-download', (_event, download) => {
        download.setSavePath(to)
        download.once('done', () => resolve())
      })
    })
    Object.assign(globalThis, { saved })
  }, path)
}
