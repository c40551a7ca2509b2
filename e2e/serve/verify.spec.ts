import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { writeFiles } from '../support/files.ts'
import { expectNothingForAxe } from '../support/page.ts'

const CHECK = `import test from 'node:test'
import assert from 'node:assert'
import { add } from './add.mjs'
test('adds', () => assert.equal(add(1, 2), 3))
test('adds zero', () => assert.equal(add(0, 2), 2))
`
const BASE = {
  'add.mjs': 'export const add = (a, b) => a + b\n',
  'add.test.mjs': CHECK,
  'package.json': '{"type":"module","scripts":{"test":"node --test"}}\n',
}

/** Adds a supervised repository with `main`, which is checked out, and these branches with their files. */
async function shop(folder: string, base: Files, branches: Readonly<Record<string, Files>>): Promise<string> {
  const directory = join(folder, 'shop')
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', directory, '-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args])
  const commit = async (files: Files) => {
    await writeFiles(directory, files)
    git('add', '--all')
    git('commit', '--quiet', '--message', 'change')
  }
  await writeFiles(directory, {
    'HEARTBEAT.md': '# Shop\n\n## Tasks\n',
    'pulseward.toml': '[agent]\ncommand = ["true"]\n',
    '.gitignore': 'HEARTBEAT.md\npulseward.toml\n',
  })
  git('init', '--quiet', '--initial-branch', 'main')
  await commit(base)
  for (const [name, files] of Object.entries(branches)) {
    git('checkout', '--quiet', '-b', name, 'main')
    await commit(files)
  }
  git('checkout', '--quiet', 'main')
  await pulseward(folder, ['add', directory, '--trust'])
  return directory
}

type Files = Readonly<Record<string, string>>

async function openByPalette(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Workspaces' }).getByRole('link', { name: /shop/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'shop' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('combobox', { name: 'Find anything' })).toBeFocused()
  await page.keyboard.type('verify a change')
  await expect(page.getByRole('option', { selected: true })).toHaveText(/^Verify a change…/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Verify a change' })).toBeVisible()
}

test('once the commands are allowed, a liar’s branch is shown as a contradiction, and an honest one as verified', async ({
  app,
  folder,
}) => {
  const { page } = app
  await shop(folder, BASE, {
    rigged: {
      'add.mjs': 'export const add = (a, b) => a - b\n',
      'add.test.mjs': CHECK.replace("test('adds zero'", "test.skip('adds zero'").replace('2), 3', '2), -1'),
    },
    honest: {
      'add.mjs': `${BASE['add.mjs']}export const sub = (a, b) => a - b\n`,
      'sub.test.mjs': CHECK.replaceAll("'adds", "'subtracts")
        .replaceAll('add(', 'sub(')
        .replaceAll('add }', 'sub }')
        .replace('2), 3', '2), -1')
        .replace('2), 2', '2), -2'),
    },
  })
  await openByPalette(page)
  const form = page.getByRole('form', { name: 'What to verify' })
  const verdict = page.getByRole('article', { name: 'Verdict' })

  await form.getByLabel('Head', { exact: true }).selectOption('rigged')
  await form.getByLabel('Description').fill('Added `docs.md`. Fixes #12.')
  await form.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByRole('list', { name: 'Commands' })).toHaveText('npm test')
  await expectNothingForAxe(app)
  await page.getByRole('button', { name: 'Run and verify' }).click()
  await expect(verdict.getByRole('heading', { name: 'Contradiction' })).toBeVisible({ timeout: 90_000 })
  await expect(verdict.getByRole('list', { name: 'Claim and measurement' })).toContainText('no such file')
  await expect(verdict.getByRole('list', { name: 'Unread claims' })).toContainText('#12')
  await expect(verdict.getByRole('region', { name: 'Custody' })).toContainText('add.test.mjs:5')
  const row = verdict.getByRole('row', { name: /npm test/ })
  await expect(row.getByRole('cell')).toHaveText([/2 passed/, /1 passed, 1 skipped/, /2 failed/])
  await expect(verdict.getByRole('list', { name: 'Tests lost' })).toHaveText('adds zero')

  // The host keeps it, so a reload loses nothing.
  await page.reload()
  await expect(verdict.getByRole('heading', { name: 'Contradiction' })).toBeVisible()
  await expectNothingForAxe(app)
  await page.setViewportSize({ width: 480, height: 700 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(480)
  const downloading = page.waitForEvent('download')
  await verdict.getByRole('button', { name: 'Save attestation' }).click()
  const saved = await readFile(await (await downloading).path(), 'utf8')
  expect(JSON.parse(saved.split('\n')[0] ?? '')).toMatchObject({ payloadType: expect.any(String) })

  await page.getByText('Verify another change').press('Enter')
  await expect(form.getByLabel('Head', { exact: true })).toHaveValue('refs/heads/rigged')
  await form.getByLabel('Head', { exact: true }).selectOption('honest')
  await form.getByLabel('Description').fill('Added 2 tests. All tests pass.')
  await form.getByRole('button', { name: 'Verify' }).click()
  await page.getByRole('button', { name: 'Run and verify' }).click()
  await expect(verdict.getByRole('heading', { name: 'Verified' })).toBeVisible({ timeout: 90_000 })
  await expect(verdict.getByRole('region', { name: 'Added tests' }).getByRole('row')).toHaveText([
    /^Test/,
    /^subtractsfails/,
    /^subtracts zerofails/,
  ])
})

test('a run continues over a reload until it is canceled; a revision that does not exist is named', async ({
  app,
  folder,
}) => {
  const { page } = app
  await shop(folder, { Makefile: 'test:\n\tsleep 600\n' }, { feature: { 'a.txt': 'a' } })
  await openByPalette(page)
  const form = page.getByRole('form', { name: 'What to verify' })
  await form.getByLabel('Head', { exact: true }).selectOption('Another branch, tag or commit…')
  await form.getByLabel('Head: branch, tag or commit').fill('nope')
  await form.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByText('Head nope is no commit of this repository.')).toBeVisible()

  await page.getByRole('button', { name: 'Choose again' }).click()
  await form.getByLabel('Head: branch, tag or commit').fill('feature')
  await form.getByRole('button', { name: 'Verify' }).click()
  await page.getByRole('button', { name: 'Run and verify' }).click()
  await expect(page.getByText('Running the checks on head').first()).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Verifying feature against main' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Nothing was judged, and nothing was left behind.')).toBeVisible()
})
