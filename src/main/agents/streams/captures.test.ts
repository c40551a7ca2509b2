import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../core/activity/types.ts'
import { type PresetId, STREAM_PROGRAMS } from '../../../core/agents/programs.ts'
import { createStreamReader } from './read-stream.ts'

/*
 * The exact output of real programs: fixtures/streams. Each was told to write hello.txt and then to say that it is done. The write was
 * allowed or not, or the service refused.
 */

const FIXTURES = join(import.meta.dirname, '../fixtures/streams')
const FILE = '/home/operator/project/hello.txt'

function replay(name: string) {
  const program = STREAM_PROGRAMS.find((known) => name.startsWith(known)) as PresetId
  const events: AgentEvent[] = []
  const reader = createStreamReader(program, (event) => events.push(event))
  const text = readFileSync(join(FIXTURES, name), 'utf8')
  if (name.endsWith('.stderr.txt')) reader.stderr(text)
  else reader.stdout(text)
  reader.end()
  const reading = reader.reading()
  return {
    events,
    reading,
    summary: {
      said: reading.said.trim(),
      final: reading.final?.status ?? null,
      calls: reading.activity.calls.map((call) =>
        'status' in call
          ? `${call.kind} ${call.kind === 'edit' ? call.path : call.kind === 'command' ? `${call.command} (${call.exitCode})` : ''} ${call.status}`
          : `${call.kind} ${call.kind === 'permission' ? `${call.tool} ${call.decision}, grant ${call.grant}` : ''}`,
      ),
      tokens: [reading.activity.usage?.inputTokens ?? null, reading.activity.usage?.outputTokens ?? null],
      costUsd: reading.activity.usage?.costUsd ?? null,
    },
  }
}

const done = { said: 'All done. EXIT_SIGNAL: true', final: 'success' }
const nothing = { said: '', final: null, calls: [], tokens: [null, null], costUsd: null }
const written = [`edit ${FILE} succeeded`]
const refused = [`edit ${FILE} denied`, 'permission edit denied, grant edit']

const EXPECTED: Readonly<Record<string, object>> = {
  'claude-edit-allowed.jsonl': { ...done, calls: written, tokens: [20, 32], costUsd: 0.00072 },
  'claude-edit-denied.jsonl': { ...done, calls: refused, tokens: [20, 32], costUsd: 0.00072 },
  'claude-max-turns.jsonl': { said: '', final: 'limit', calls: written, tokens: [10, 20], costUsd: 0.00044 },
  'claude-max-budget.jsonl': {
    said: '',
    final: 'limit',
    calls: [],
    tokens: [0, 0],
    costUsd: 0.00028000000000000003,
  },
  'claude-not-logged-in.jsonl': { said: '', final: 'unauthenticated', calls: [], tokens: [0, 0], costUsd: 0 },
  'claude-unauthorised.jsonl': { said: '', final: 'unauthenticated', calls: [], tokens: [0, 0], costUsd: 0 },
  'claude-server-error.jsonl': { said: '', final: 'service-error', calls: [], tokens: [0, 0], costUsd: 0 },
  'claude-bad-resume.stderr.txt': nothing,
  'codex-edit-allowed.jsonl': {
    ...done,
    calls: ['command echo hi > hello.txt (0) succeeded'],
    tokens: [22, 14],
    costUsd: null,
  },
  // Codex does not report what its sandbox blocked.
  'codex-edit-denied.jsonl': { ...done, calls: [], tokens: [22, 14], costUsd: null },
  'codex-file-change.jsonl': { ...done, calls: written, tokens: [22, 14], costUsd: null },
  'codex-patch-rejected.stderr.txt': { ...nothing, calls: ['permission edit denied, grant edit'] },
  'codex-unauthorised.jsonl': { ...nothing, final: 'unauthenticated' },
  'codex-bad-resume.stderr.txt': nothing,
  'copilot-edit-allowed.jsonl': { ...done, calls: written, tokens: [null, null], costUsd: null },
  'copilot-edit-denied.jsonl': { ...done, calls: refused, tokens: [null, null], costUsd: null },
  'copilot-shell-write.jsonl': {
    ...done,
    calls: [`command echo hi > ${FILE} (0) succeeded`],
    tokens: [null, null],
    costUsd: null,
  },
  'copilot-unauthorised.jsonl': { ...nothing, final: 'unauthenticated' },
  'gemini-edit-allowed.jsonl': { ...done, calls: written, tokens: [22, 14], costUsd: null },
  // Its tool was never offered.
  'gemini-edit-withheld.jsonl': { ...done, calls: [], tokens: [11, 7], costUsd: null },
  'gemini-unauthorised.jsonl': {
    said: '',
    final: 'unauthenticated',
    calls: [],
    tokens: [0, 0],
    costUsd: null,
  },
  'gemini-untrusted-folder.stderr.txt': nothing,
  'opencode-edit-allowed.jsonl': { ...done, calls: written, tokens: [22, 14], costUsd: 0 },
  // The program stops silently after the refusal.
  'opencode-edit-denied.jsonl': { said: '', final: null, calls: refused, tokens: [11, 7], costUsd: 0 },
  'opencode-shell-write.jsonl': {
    ...done,
    calls: [`command echo hi > ${FILE} (0) succeeded`],
    tokens: [22, 14],
    costUsd: 0,
  },
  'opencode-unauthorised.jsonl': { ...nothing, final: 'unauthenticated' },
  'qwen-edit-allowed.jsonl': {
    ...done,
    said: `I will do that now.\n\n${done.said}`,
    calls: written,
    tokens: [200, 40],
    costUsd: null,
  },
  // Its tool was never offered.
  'qwen-edit-withheld.jsonl': { ...done, calls: [], tokens: [300, 60], costUsd: null },
  'qwen-unauthorised.jsonl': {
    said: '',
    final: 'unauthenticated',
    calls: [],
    tokens: [0, 0],
    costUsd: null,
  },
}

describe('the output of real programs', () => {
  it('has an expectation for every capture', () => {
    expect(Object.keys(EXPECTED).sort()).toEqual(readdirSync(FIXTURES).sort())
  })

  it.each(Object.entries(EXPECTED))('is read from the capture %s', (name, expected) => {
    expect(replay(name).summary).toEqual(expected)
  })

  it.each(
    readdirSync(FIXTURES).filter((name) => name.endsWith('.jsonl') && name !== 'claude-max-budget.jsonl'),
  )('names its session in %s', (name) => {
    expect(replay(name).reading.activity.sessionId).toMatch(/^(?:ses_\w+|[0-9a-f-]{36})$/)
  })

  it('reports retries while a service struggles', () => {
    expect(replay('claude-server-error.jsonl').events).toContainEqual({
      kind: 'retry',
      reason: 'server_error (HTTP 500), try 1 of 1',
    })
    expect(replay('copilot-unauthorised.jsonl').events).toContainEqual({
      kind: 'retry',
      reason: 'transient_auth_error',
    })
  })

  it('contains only known events', () => {
    const unknown = readdirSync(FIXTURES).flatMap((name) =>
      Object.keys(replay(name).reading.activity.unknownEvents),
    )
    // Part of this capture's name was redacted.
    expect(unknown).toEqual(['session.******ills_loaded'])
  })

  it('gives the model and version of the agent', () => {
    expect(replay('claude-edit-allowed.jsonl').reading.activity).toMatchObject({
      model: 'claude-opus-5-5',
      version: '2.1.329',
    })
    expect(replay('copilot-edit-allowed.jsonl').reading.activity.model).toBe('gpt-4.1')
  })
})
