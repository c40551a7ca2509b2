import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lastMessageIn } from './last-message.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pulseward-transcript-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const SAID = '{"type":"assistant.message","data":{"content":"Done."}}\n'

describe('a transcript', () => {
  it.each<readonly [string, (path: string) => void, string | null | undefined]>([
    ['of Copilot', (path) => writeFileSync(path, `{"type":"user"}\n${SAID}{"type":"tool"}\n`), 'Done.'],
    [
      'of Claude Code',
      (path) =>
        writeFileSync(
          path,
          '{"type":"assistant","message":{"content":[{"type":"text","text":"Do"},{"type":"text","text":"ne."}]}}\n',
        ),
      'Do\nne.',
    ],
    ['in which the agent said nothing', (path) => writeFileSync(path, '{"type":"user"}\n'), null],
    ['that is cut off', (path) => writeFileSync(path, `${SAID}{"type":"assistant.mess`), 'Done.'],
    [
      'of many gigabytes',
      (path) => {
        writeFileSync(path, '')
        truncateSync(path, 64 * 1024 ** 3)
      },
      null,
    ],
    [
      'behind a link',
      (path) => {
        writeFileSync(`${path}.real`, SAID)
        symlinkSync(`${path}.real`, path)
      },
      'Done.',
    ],
    ['that is not there', () => undefined, undefined],
    ['that is a pipe', (path) => void execFileSync('mkfifo', [path]), undefined],
    ['that is a device', (path) => symlinkSync('/dev/zero', path), undefined],
    ['that is a folder', (path) => mkdirSync(path), undefined],
    ['that leads to itself', (path) => symlinkSync(path, path), undefined],
  ])('%s', async (_title, make, expected) => {
    const path = join(root, 'transcript.jsonl')
    make(path)
    expect(await lastMessageIn(path)).toBe(expected)
  })
})
