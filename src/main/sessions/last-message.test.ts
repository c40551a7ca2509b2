import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSimulatedClock } from '../testing/simulated-clock.ts'
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
    ['without an agent message', (path) => writeFileSync(path, '{"type":"user"}\n'), null],
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
    ['that is missing', () => undefined, undefined],
    ['that is a pipe', (path) => void execFileSync('mkfifo', [path]), undefined],
    ['that is a device', (path) => symlinkSync('/dev/zero', path), undefined],
    ['that is a folder', (path) => mkdirSync(path), undefined],
    ['that links to itself', (path) => symlinkSync(path, path), undefined],
  ])('%s', async (_title, make, expected) => {
    const path = join(root, 'transcript.jsonl')
    make(path)
    expect(await lastMessageIn(path, createSimulatedClock(0))).toBe(expected)
  })
})

describe('a transcript of Copilot whose last lines are being written', () => {
  const hook = (type: string, hookType: string): string => JSON.stringify({ type, data: { hookType } })
  const EARLIER = [hook('hook.start', 'agentStop'), hook('hook.end', 'agentStop')]
  const PROMPT = hook('hook.start', 'userPromptSubmitted')
  const BEGUN = ['{"type":"user.message","data":{}}', '{"type":"assistant.turn_start","data":{}}']
  const NO = '{"type":"assistant.message","data":{"content":"No."}}'
  const TOOL = [
    '{"type":"assistant.message","data":{"content":""}}',
    '{"type":"tool.execution_complete","data":{}}',
  ]
  const STOP = hook('hook.start', 'agentStop')

  /** Returns what is read while the program writes the later lines, one per look. */
  async function readWhile(
    lines: readonly string[],
    later: readonly string[],
  ): Promise<string | null | undefined> {
    const path = join(root, 'transcript.jsonl')
    const write = (count: number): void =>
      writeFileSync(path, [...lines, ...later.slice(0, count)].map((line) => `${line}\n`).join(''))
    write(0)
    let [nowMs, looks] = [0, 0]
    const sleep = async (ms: number): Promise<void> => {
      nowMs += ms
      looks += 1
      write(looks)
    }
    return lastMessageIn(path, { monotonicMs: () => nowMs, sleep })
  }

  it.each<readonly [string, readonly string[], readonly string[], string | null]>([
    [
      'is read until it reaches this stop',
      [SAID.trim(), ...EARLIER, PROMPT],
      [...BEGUN, ...TOOL, NO, STOP],
      'No.',
    ],
    ['is read until the message appears', [SAID.trim(), ...BEGUN], [...TOOL, NO], 'No.'],
    ['does not return the message of an earlier turn', [SAID.trim(), ...EARLIER, PROMPT, ...BEGUN], [], null],
    [
      'returns no message for a turn without one',
      [SAID.trim(), ...EARLIER, PROMPT, ...BEGUN, ...TOOL, STOP],
      [],
      null,
    ],
    ['is read only once if it is complete', [...BEGUN, NO, STOP], [SAID.trim()], 'No.'],
  ])('%s', async (_title, lines, later, expected) => {
    expect(await readWhile(lines, later)).toBe(expected)
  })
})
