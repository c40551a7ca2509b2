import { expect, type Locator, type Page } from '@playwright/test'
import axe from 'axe-core'
import type { App } from './app.ts'

/** Returns the row of a task, with everything that opens below it. */
export function taskRow(page: Page, id: string): Locator {
  return page
    .getByRole('region', { name: 'Tasks' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: id, exact: true }) })
}

/** Returns the verdict sign at the start of a task's row. */
export function verdictOf(page: Page, id: string): Locator {
  return taskRow(page, id).getByRole('img').first()
}

/** Expects a line of a task's finding: what was claimed about the subject, the sign, and what was measured. */
export async function expectComparison(
  page: Page,
  id: string,
  [subject, claimed, sign, measured]: readonly [string, string, string, string],
): Promise<void> {
  const line = taskRow(page, id)
    .getByRole('list', { name: `Claim and measurement for ${id}` })
    .getByRole('listitem')
    .filter({ hasText: `claimed ${subject} ${claimed}` })
  await expect(line.getByRole('img')).toHaveAccessibleName(sign)
  await expect(line).toContainText(`measured ${measured}`)
}

export function score(page: Page): Locator {
  return page.getByTestId('score')
}

/** Returns the pill beside the score, which shows the standing. */
export function shield(page: Page): Locator {
  return page.getByTestId('shield')
}

/** A heartbeat runs several real processes, one after another. */
const A_HEARTBEAT = { timeout: 120_000 }

/** Waits until this many of today's heartbeats are done and none is running. */
export async function expectHeartbeatsDone(page: Page, count: number): Promise<void> {
  await expect(
    page.getByRole('region', { name: 'Heartbeats of today' }).getByRole('heading', { level: 2 }),
  ).toContainText(new RegExp(`^${count} heartbeats?`), A_HEARTBEAT)
  await expect(page.getByRole('button', { name: 'Run now' })).toHaveAttribute(
    'aria-disabled',
    'false',
    A_HEARTBEAT,
  )
}

/** Expects axe to find nothing on what is shown, in the light and in the dark theme. */
export async function expectNothingForAxe({ page }: Pick<App, 'page'>): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
    expect(isDark).toBe(colorScheme === 'dark')
    // The dark theme differs only in colors.
    const found = await violationsIn(page, colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : {})
    expect(found, colorScheme).toEqual([])
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
}

/** Returns what axe objects to on the page, as rule and elements. The page is given axe once, because reading it takes longer than a check. */
async function violationsIn(page: Page, rules: axe.RunOptions): Promise<string[]> {
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axe.source)
  // The colors of a theme just left may still be fading.
  await page.evaluate(async () => {
    const isEnding = ({ effect, playState }: Animation): boolean =>
      playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY
    await Promise.allSettled(
      document
        .getAnimations()
        .filter(isEnding)
        .map(({ finished }) => finished),
    )
  })
  return page.evaluate(
    async (options) => {
      const { axe: given } = window as unknown as { readonly axe: typeof axe }
      const { violations } = await given.run(document, options)
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join('\n  ')}`)
    },
    // What passed is not collected, which takes half the time.
    { ...rules, resultTypes: ['violations'] } satisfies axe.RunOptions,
  )
}

/**
 * Closes what is open with Escape, and waits until the focus is back. It returns a moment after the dialog is gone, and would otherwise
 * close whatever the test opens in that moment.
 */
export async function closeByEscape(page: Page, shown: Locator): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(shown).toBeHidden()
  await expect(page.locator(':focus')).toHaveCount(1)
}

/** Resizes the window. */
export async function resize({ page, electron }: App, width: number, height: number): Promise<void> {
  if (electron === null) return page.setViewportSize({ width, height })
  const browserWindow = await electron.browserWindow(page)
  await browserWindow.evaluate((each, size) => each.setContentSize(size.width, size.height), {
    width,
    height,
  })
  await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(width)
}

/** Expects that the page does not scroll sideways. */
export async function expectNoSideScroll(page: Page): Promise<void> {
  const overflow = await page
    .getByRole('main')
    .evaluate((main) => Math.max(main.scrollWidth - main.clientWidth, document.body.scrollWidth - innerWidth))
  expect(overflow).toBeLessThanOrEqual(0)
}

/**
 * Goes through the setup for a folder that has its two files, starting where there is an Add button. The folder is added without approving
 * what its configuration would run.
 */
export async function addFolder(page: Page, directory: string): Promise<void> {
  const next = page.getByRole('button', { name: 'Next' })
  await page.getByRole('button', { name: /^Add (a )?folder$/ }).click()
  await next.click()
  await page.getByRole('textbox', { name: 'Folder' }).fill(directory)
  await next.click()
  await expect(page.getByRole('heading', { level: 2, name: 'What should the agent do?' })).toBeVisible()
  await next.click()
  await expect(page.getByRole('button', { name: 'Try it now' })).toBeVisible()
  await next.click()
  await page.getByRole('button', { name: 'Add without approving' }).click()
}

/** Checks or unchecks a kind of entry in the menu of a timeline's filter, and closes the menu. */
export async function toggleKind(page: Page, kind: string): Promise<void> {
  await page.getByRole('button', { name: /^Show: / }).click()
  await page.getByRole('menuitemcheckbox', { name: kind }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
}
