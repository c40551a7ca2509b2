import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from '../src/cli/testing/cli-fixture.ts'
import { namedCommands } from './document-commands.ts'

/* Every command that a document names must exist in the program. e2e/cli/documents.spec.ts runs those in code blocks as they are. */

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

/** What commands print if they were understood but have nothing to do here. */
const nothingHere = new RegExp(
  [
    'Nothing is running',
    'Nothing is waiting',
    'No test runner that writes a report was found',
    'not the center of a fleet',
    'There is no hub in',
    'has no update source',
    'There is no update to roll back',
    'is in no git repository',
    'Name the task to unblock',
  ].join('|'),
)

/** Commands that run until they are stopped, or change this machine, are not run. */
const notHere = /^(serve|mcp|sample inbox|service (install|remove)|hook |acp -- )/

it('answers if it is named without a placeholder', async () => {
  await cli.serve('one')
  const plain = namedCommands()
    .map(({ command }) => command.replace(/ ?\[[^\]]*\]/g, ''))
    .filter((command) => !/[A-Z…/]/.test(command) && !notHere.test(command))
  for (const command of new Set(plain)) {
    const { exitCode, stderr } = await cli.run(command.split(' '), { currentDirectory: 'one' })
    // The text names the command without its arguments.
    if (/missing required argument|required option/.test(stderr)) continue
    // The command was understood, but has nothing to do here.
    if (nothingHere.test(stderr)) continue
    // Exit code 1 reports a bad state; 2 would mean that the command is no longer understood.
    expect.soft([0, 1], `pulseward ${command}: ${stderr}`).toContain(exitCode)
  }
})
