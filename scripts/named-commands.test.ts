import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from '../src/cli/testing/cli-fixture.ts'
import { namedCommands } from './document-commands.ts'

/* Every command that a document names is one that the program has. Those in its blocks are run as they stand by e2e/cli/documents.spec.ts. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})

afterEach(() => cli.close())

it('exists, with its options', async () => {
  const { stdout: list } = await cli.run(['--help'])
  const help = new Map<string, string>()
  for (const { document, line, command } of namedCommands()) {
    const where = `${document}:${line}: pulseward ${command}`
    const [name = ''] = command.split(' ')
    // An option of the program itself, such as `--version`.
    if (name.startsWith('-')) {
      expect(list, where).toContain(name)
      continue
    }
    expect(list, where).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'))
    const second = /^\S+ ([a-z]+)\b(?![^[]*\])/.exec(command)?.[1]
    const path = [name, ...(second === undefined ? [] : [second])]
    const key = path.join(' ')
    if (!help.has(key)) help.set(key, (await cli.run([...path, '--help'])).stdout)
    // What follows `--` is another program's.
    const [own = ''] = command.split(' -- ')
    for (const [option] of own.matchAll(/--[a-z-]+/g)) expect(help.get(key), where).toContain(option)
  }
})

/** What commands say that were understood where there is nothing for them to do. */
const nothingHere = new RegExp(
  [
    'Nothing is running',
    'Nothing waits',
    'No test runner that writes a report was found',
    'centre of no fleet',
    'There is no hub in',
    'has no update source',
    'There is no update to roll back',
    'is in no git repository',
    'Name the task to unblock',
  ].join('|'),
)

/** What goes on until it is ended, or changes this machine, is not run. */
const notHere = /^(serve|mcp|sample inbox|service (install|remove)|hook |acp -- )/

it('answers, where it is named without a placeholder', async () => {
  await cli.serve('one')
  const plain = namedCommands()
    .map(({ command }) => command.replace(/ ?\[[^\]]*\]/g, ''))
    .filter((command) => !/[A-Z…/]/.test(command) && !notHere.test(command))
  for (const command of new Set(plain)) {
    const { exitCode, stderr } = await cli.run(command.split(' '), { currentDirectory: 'one' })
    // Named alone, as a word for what it does.
    if (/missing required argument|required option/.test(stderr)) continue
    // Understood, and there is nothing to do here.
    if (nothingHere.test(stderr)) continue
    // 1 says that what was asked about is bad; 2 would be a command that is no longer understood.
    expect.soft([0, 1], `pulseward ${command}: ${stderr}`).toContain(exitCode)
  }
})
