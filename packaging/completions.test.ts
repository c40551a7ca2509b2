import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commandWords } from './command-words.ts'
import { bashCompletion, fishCompletion, zshCompletion } from './completions.ts'
import { manualPage } from './manual.ts'

const program = await commandWords('1.2.3')
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pulseward-completions-'))
  writeFileSync(join(folder, 'completion.bash'), bashCompletion(program))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Returns what bash offers after these words, the last of which is being typed. */
function offered(...words: string[]): string[] {
  // Split in two, so that the linter does not take it for a template placeholder.
  const script =
    'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pulseward; printf "%s\\n" "$' +
    '{COMPREPLY[@]}"'
  const args = ['-c', script, 'bash', join(folder, 'completion.bash'), 'pulseward', ...words]
  return execFileSync('bash', args, { encoding: 'utf8', cwd: folder }).trim().split('\n')
}

describe('completion in bash', () => {
  test('begins with the commands', () => {
    expect(offered('sta')).toEqual(['status'])
    expect(offered('')).toEqual(expect.arrayContaining(['check', 'serve', 'doctor', '--json']))
  })

  test('knows the options of a command, and those that every command has', () => {
    expect(offered('serve', '--')).toEqual([
      '--port',
      '--open',
      '--fleet',
      '--sample',
      '--version',
      '--json',
      '--data-dir',
      '--workspace',
    ])
  })

  test('is not confused by options before the command', () => {
    expect(offered('--json', 'serve', '--po')).toEqual(['--port'])
  })

  test('offers files if no command or option matches', () => {
    expect(offered('check', 'compl')).toEqual(['completion.bash'])
  })
})

test('includes every command in the completions of all shells and in the manual', () => {
  const texts = [zshCompletion(program), fishCompletion(program), manualPage(program, '1.2.3', '2026-01-01')]
  for (const { name } of program.commands) {
    for (const text of texts) expect(text.replaceAll('\\-', '-')).toMatch(new RegExp(`[ '.]${name}\\b`))
  }
})

test('escapes what the manual’s formatter would take for a formatter request', () => {
  const page = manualPage({ ...program, description: '.so /etc/passwd' }, '1.2.3', '2026-01-01')
  expect(page).toContain('\\&.so /etc/passwd')
})
