import type { ChildProcess } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { NATS, natsServer } from '../../src/main/fleet/testing/nats-server.ts'
import { type TemporaryHub, temporaryHub } from '../../src/main/fleet/testing/temporary-hub.ts'
import { test as base, endProcess, expect, openBrowser, serve } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { writeFiles } from '../support/files.ts'
import { expectNothingForAxe, toggleKind } from '../support/page.ts'
import { writeWorkspace } from '../support/workspaces.ts'

/*
 * A center, a hub with the real server, and two hosts as separate processes: what the operator sees in a browser, starting with
 * the first command.
 */

const test = base.extend<{ readonly hub: TemporaryHub }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  hub: async ({}, use) => {
    const hub = await temporaryHub()
    await use(hub)
    await hub.remove()
  },
})

/** An agent that says it wrote a report, and writes nothing. */
const LIAR = `
const report = { task_id: 'write_report', status: 'done', files: ['report.md'], exit_signal: true }
console.log('\`\`\`heartbeat-report\\n' + JSON.stringify(report) + '\\n\`\`\`')
`

async function writeLiar(directory: string): Promise<string> {
  return writeFiles(directory, {
    'HEARTBEAT.md':
      '# Reports\n\n## Tasks\n\n- [ ] write_report | Write report.md | required | verify: changed("report.md")\n',
    'pulseward.toml': `[agent]\nid = "scripted"\ncommand = [${JSON.stringify(process.execPath)}, "agent.mjs"]\n\n[gates]\ncommands = [["true"]]\n`,
    'agent.mjs': LIAR,
  })
}

const rows = (page: Page) => page.getByRole('list', { name: 'Workspaces of the fleet' }).getByRole('link')
const tab = (page: Page, name: string | RegExp) =>
  page.getByRole('navigation', { name: 'Fleet screens' }).getByRole('link', { name })

/** Filters by kind and text, both kept in the address; opens an entry by its own address. */
async function expectNarrowed(page: Page): Promise<void> {
  const feed = page.getByRole('feed', { name: 'Timeline' })
  const narrow = page.getByRole('search', { name: 'Narrow the timeline down' })
  await toggleKind(page, 'Verdicts')
  await narrow.getByRole('searchbox', { name: 'Text' }).fill('WRITE_report')
  // Once typed, the text is in the address, and the list has changed.
  await expect(page).toHaveURL(/#\/fleet\/timeline\?kinds=verdict&text=WRITE_report$/u)
  await expect(feed.getByRole('article', { name: 'Verified: draw' })).toHaveCount(0)
  const lie = feed.getByRole('article', { name: 'Contradiction: write_report' })
  await expect(lie).toHaveCount(1)
  await page.reload()
  await expect(lie).toHaveCount(1)
  await lie.getByRole('button', { name: 'Contradiction' }).click()
  await expect(page).toHaveURL(/#\/fleet\/timeline\/laptop\/reports-[^/]+\/\d+\?kinds=verdict/u)
  await page.reload()
  await expect(lie.getByRole('button', { name: 'Contradiction' })).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByText('The list starts at the linked entry.')).toBeVisible()
  await expectNothingForAxe({ page })
  await page.getByRole('button', { name: 'Show the newest' }).click()
  await toggleKind(page, 'Everything')
  await narrow.getByRole('searchbox', { name: 'Text' }).fill('')
  await expect(feed.getByRole('article', { name: 'Verified: draw' })).toBeVisible()
  await expect(page).toHaveURL(/#\/fleet\/timeline$/u)
}

/** Checks that what a host recorded before it joined a fleet arrives when it joins, and appears at its own time. */
async function expectLate(page: Page): Promise<void> {
  // Tall enough to draw all of it.
  await page.setViewportSize({ width: 1280, height: 6_000 })
  const entries = page.getByRole('feed', { name: 'Timeline' }).getByRole('article')
  const placeOf = async (words: string): Promise<number> =>
    Number(await entries.filter({ hasText: words }).getAttribute('aria-posinset'))
  await expect(entries.filter({ hasText: 'Written before any joined' })).toContainText('attic · old')
  expect(await placeOf('Written before any joined')).toBeGreaterThan(await placeOf('Write the report first'))
  await expect(entries.first()).not.toContainText('Written before any joined')
}

test.describe(`the screen of a fleet (${NATS})`, () => {
  test.skip(natsServer === null, 'there is no nats-server here')
  /** The hosts of a test. */
  const children: ChildProcess[] = []
  test.afterEach(async () => {
    for (const child of children.splice(0)) await endProcess(child)
  })

  test('shows hosts as they join, the one that needs the operator first, and claim beside measurement', async ({
    hub,
    folder,
    startHost,
  }) => {
    const { url } = await startHost('--fleet', hub.directory)
    const { page, close } = await openBrowser()
    await page.goto(url)
    await expect(page.getByRole('heading', { level: 1, name: 'Fleet' })).toBeVisible()
    const empty = page.getByRole('region', { name: 'No host yet' })
    await expect(empty).toContainText('pulseward fleet hub add build-1')
    await expect(empty).toContainText('pulseward fleet join tls://HUB:4222 --token …')
    await expectNothingForAxe({ page })

    // Does what the two commands do, on each machine.
    const join_ = async (name: string, group: string): Promise<string> => {
      const machine = join(folder, name)
      await mkdir(machine, { recursive: true })
      const { token } = await hub.add(name)
      const joined = await pulseward(machine, ['fleet', 'join', hub.url, '--token', token, '--group', group])
      expect({ exitCode: joined.exitCode, stderr: joined.stderr }).toEqual({ exitCode: 0, stderr: '' })
      return machine
    }
    const late = join(folder, 'attic')
    await mkdir(late)
    await pulseward(late, ['add', await writeWorkspace(join(late, 'old'), 'write'), '--trust'])
    expect((await pulseward(late, ['note', 'Written before any joined'])).exitCode).toBe(0)
    const one = await join_('build-1', 'ci')
    const two = await join_('laptop', 'office')
    await pulseward(one, ['add', await writeWorkspace(join(one, 'backend'), 'write', 'draw'), '--trust'])
    await pulseward(two, ['add', await writeLiar(join(two, 'reports')), '--trust'])
    for (const machine of [one, two]) children.push((await serve(machine)).child)

    await expect(rows(page)).toHaveCount(2)
    await expect(rows(page).first()).toContainText('reports')
    await expect(rows(page).first()).toContainText('laptop')
    await expect(page.getByText('Can you trust your agents?')).toBeVisible()
    await expectNothingForAxe({ page })

    // By keyboard: one tab stop for the list, the arrow keys within it, Enter opens.
    await rows(page).first().focus()
    await page.keyboard.press('ArrowDown')
    await expect(rows(page).nth(1)).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'reports' })).toBeVisible()
    const attempts = page.getByRole('region', { name: 'Last attempts' })
    await expect(attempts).toContainText('Contradiction')
    await expect(attempts.getByRole('listitem').filter({ hasText: 'report.md' }).last()).toContainText(
      'not written',
    )
    await expectNothingForAxe({ page })
    await page.getByRole('link', { name: 'All workspaces' }).click()

    await page.getByRole('combobox', { name: 'Group' }).selectOption('ci')
    await expect(rows(page)).toHaveCount(1)
    await expect(rows(page)).toContainText('backend')
    expect(new URL(page.url()).hash).toBe('#/fleet?group=ci')
    await page.reload()
    await expect(rows(page)).toHaveCount(1)

    await tab(page, '7 days').click()
    await expect(page.getByRole('row')).toHaveCount(2)
    await expectNothingForAxe({ page })
    await page.getByRole('button', { name: 'Table' }).click()
    await expect(page.getByRole('region', { name: 'Seven days of the fleet' })).toContainText('build-1')
    await expectNothingForAxe({ page })
    await tab(page, /^Hosts/u).click()
    const listed = page.getByRole('list', { name: 'Hosts of the fleet' }).getByRole('listitem')
    await expect(listed).toHaveCount(1)
    await expect(listed).toContainText('heard from')
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect(listed).toHaveCount(2)
    await expectNothingForAxe({ page })

    await tab(page, 'Timeline').click()
    const feed = page.getByRole('feed', { name: 'Timeline' })
    await expect(feed.getByRole('article', { name: 'Contradiction: write_report' })).toContainText(
      'laptop · reports',
    )
    await expect(feed.getByRole('article', { name: 'Verified: draw' })).toContainText('build-1 · backend')
    await expectNothingForAxe({ page })
    await expectNarrowed(page)
    // The same document from the button and from the command, with the host added.
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'As JSON' }).click()
    const entries = JSON.parse(await readFile(await (await saved).path(), 'utf8'))
    expect(entries).toContainEqual(expect.objectContaining({ host: 'laptop', title: 'Contradiction' }))
    const exported = await pulseward(folder, ['fleet', 'export', 'all.csv', '--host', 'laptop', '--json'])
    expect(JSON.parse(exported.stdout)).toMatchObject({ format: 'csv' })
    expect(await readFile(join(folder, 'all.csv'), 'utf8')).toContain('laptop,reports-')
    expect((await pulseward(folder, ['fleet', 'export', 'all.csv'])).stderr).toContain('does not exist yet')
    const narrowed = ['fleet', 'timeline', '--kind', 'verdict', '--text', 'WRITE_report', '--json']
    expect(JSON.parse((await pulseward(folder, narrowed)).stdout)).toMatchObject([
      { host: 'laptop', entry: { title: 'Contradiction' } },
    ])

    // New events arrive without a reload.
    await pulseward(two, ['note', 'Write the report first'])
    await expect(feed).toContainText('Write the report first')

    // By now the center has all events of the other hosts, and this host's events are older than their newest ones.
    children.push((await serve(await join_('attic', 'office'))).child)
    await expectLate(page)

    await close()
  })
})
