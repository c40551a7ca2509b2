import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { OutsideFile } from '../../core/custody/outside-files.ts'
import { createOutsideCustody } from './outside-custody.ts'

it('returns a different text when a setting outside of the tree changes, and none before it has looked', async () => {
  const root = mkdtempSync(join(tmpdir(), 'pulseward-outside-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const top = join(root, 'w')
  mkdirSync(top)
  const custody = createOutsideCustody(root, { has: async () => () => false }, { warn: () => {} })
  expect(custody.print()).toBe('')
  const counts = (text: string) => text.split('#')[0] ?? ''
  await custody.begin({
    files: [{ path: '.runnerrc', from: 'above', counts }],
    top,
    python: false,
    ruby: false,
  })
  const before = custody.print()
  writeFileSync(join(root, '.runnerrc'), 'fewer tests')
  const after = custody.print()
  expect(after).not.toBe(before)
  writeFileSync(join(root, '.runnerrc'), 'fewer tests# a remark')
  expect(custody.print()).toBe(after)
})

it('names a file that is new in a folder of settings', async () => {
  const init: OutsideFile = { path: '.gradle/init.d', from: 'home', counts: (text) => text }
  const { home, custody } = await begun([init])
  put(join(home, '.gradle/init.d/skip.gradle'), 'allprojects { tasks.withType(Test) { enabled = false } }')
  expect(await custody.touched()).toEqual(['~/.gradle/init.d/skip.gradle'])
})

const SITE = '.local/lib/python3.11/site-packages'

it.each([
  ['a module that Python runs at startup', `${SITE}/usercustomize.py`, 'import x'],
  ['a .pth file', `${SITE}/x.pth`, 'import x'],
  ['a pytest plugin in a package', `${SITE}/e-1.dist-info/entry_points.txt`, '[pytest11]\ne = e\n'],
  ['a pytest plugin in an egg package', `${SITE}/e.egg-info/entry_points.txt`, '[pytest11]\ne = e\n'],
  ['a Minitest plugin', '.gem/ruby/3.1.0/gems/e-1/lib/minitest/e_plugin.rb', 'exit!(0)'],
  [
    'a Minitest plugin in the newer location',
    '.local/share/gem/ruby/3.1.0/gems/e-1/lib/minitest/e_plugin.rb',
    'exit!(0)',
  ],
  ['a RubyGems plugin', '.gem/ruby/3.1.0/gems/e-1/lib/rubygems_plugin.rb', 'exit!(0)'],
])('names %s, installed for the user while an agent ran', async (_, path, text) => {
  const { home, custody } = await begun()
  put(join(home, path), text)
  expect(await custody.touched()).toEqual([`~/${path}`])
})

it.each([
  [
    'a package without plugins',
    `${SITE}/requests-2.dist-info/entry_points.txt`,
    '[console_scripts]\nr = r\n',
  ],
  ['a module', `${SITE}/requests/__init__.py`, ''],
  ['a Ruby package', '.gem/ruby/3.1.0/gems/rack-3/lib/rack.rb', ''],
])('names no settings of %s', async (_, path, text) => {
  const { home, custody } = await begun()
  put(join(home, path), text)
  expect(await custody.touched()).toEqual([])
})

async function begun(files: readonly OutsideFile[] = []) {
  const root = mkdtempSync(join(tmpdir(), 'pulseward-outside-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const home = join(root, 'home')
  vi.stubEnv('HOME', home)
  mkdirSync(home)
  // Treat every change as an agent's.
  const custody = createOutsideCustody(root, { has: async () => () => true }, { warn: () => {} })
  await custody.begin({ files, top: join(root, 'w'), python: true, ruby: true })
  return { home, custody }
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
