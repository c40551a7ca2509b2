import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../activity/types.ts'
import { countEvidence, findEvidence } from '../claims/evidence-references.ts'
import { extractClaims } from '../claims/extract.ts'
import { findTestRuns } from '../claims/prose-tests.ts'
import type { Claim } from '../claims/types.ts'
import { parseHint } from '../contract/hint.ts'
import { detectInterventions } from '../intervention/detect.ts'
import { type EvidenceFile, refutedEvidence, validateEvidence } from '../intervention/evidence.ts'
import { changedPaths } from '../verification/difference.ts'
import { matchFileClaims, relativePath } from '../verification/file-claims.ts'
import { reconcileTests } from '../verification/reconcile-tests.ts'
import { EMPTY_DIFFERENCE, type FileDifference } from '../verification/types.ts'
import type { Outcome } from '../vocabulary/outcome.ts'
import { decideVerdict } from './verdict.ts'

/*
 * The files in fixtures/ contain the output of various agents: `=== honest: what it shows`, then what was found on disk and what
 * is expected, one per line, then `---` and the output.
 *
 *   added|modified PATH LINES, deleted PATH, renamed FROM TO    what changed in the attempt
 *   holds PATH TEXT                                             a line in a changed file
 *   `hint CHECK`, expect SETTING, outcome OUTCOME, exit CODE    default: words, auto, completed and 0
 *   raises EVENT…, `refutes PATH…`, evidence COUNT              expected
 */

const ROOT = '/work/project'
const FOLDER = join(import.meta.dirname, 'fixtures')

/** Existing files that don't change, with their number of lines. */
const UNCHANGED: Readonly<Record<string, number>> = {
  'README.md': 40,
  'package.json': 25,
  'src/app.ts': 120,
  'src/config.ts': 30,
  'src/ui/Chart.tsx': 80,
  'test/app.test.ts': 50,
  'notes/archive.md': 20,
  'packages/core/src/index.ts': 60,
}

interface Transcript {
  readonly name: string
  readonly output: string
  readonly facts: readonly (readonly string[])[]
}

const transcripts = readdirSync(FOLDER).flatMap((file) =>
  readFileSync(join(FOLDER, file), 'utf8')
    .split(/^=== /m)
    .filter((part) => part !== '')
    .map((part): Transcript => {
      const [head = '', ...output] = part.split(/^---\n/m)
      const [name = '', ...lines] = head.trimEnd().split('\n')
      return {
        name: `${file.replace('.txt', '')}: ${name}`,
        output: output.join('---\n'),
        facts: lines.map((line) => line.split(' ')),
      }
    }),
)

function factsOf({ facts }: Transcript, key: string): readonly (readonly string[])[] {
  return facts.filter(([name]) => name === key).map(([, ...values]) => values)
}

function factOf(transcript: Transcript, key: string): string | null {
  return factsOf(transcript, key)[0]?.join(' ') ?? null
}

/** Returns the work tree after the attempt, and its changes. */
function worldOf(transcript: Transcript): { tree: Map<string, string>; difference: FileDifference } {
  const body = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')
  const tree = new Map(Object.entries(UNCHANGED).map(([path, count]) => [path, body(count)]))
  const written = (key: string) =>
    factsOf(transcript, key).map(([path = '', count]) => {
      tree.set(path, body(Number(count)))
      return path
    })
  const difference = {
    ...EMPTY_DIFFERENCE,
    added: written('added'),
    modified: written('modified'),
    deleted: factsOf(transcript, 'deleted').map(([path = '']) => path),
    renamed: factsOf(transcript, 'renamed').map(([from = '', to = '']) => {
      tree.set(to, body(30))
      return { from, to }
    }),
  }
  for (const [path = '', ...words] of factsOf(transcript, 'holds'))
    tree.set(path, `${tree.get(path)}${words.join(' ')}\n`)
  return { tree, difference }
}

/** Returns what the host's reader would find at a path as the agent wrote it. */
function lookUp(tree: ReadonlyMap<string, string>, written: string): EvidenceFile {
  const path = relativePath(written, ROOT)
  if (path.startsWith('/') || path.startsWith('..')) return { kind: 'unmeasurable', reason: 'it is outside' }
  if (path.startsWith('dist/')) return { kind: 'unmeasurable', reason: 'git ignores it' }
  if ([...tree.keys()].some((each) => each.startsWith(`${path}/`))) return { kind: 'folder' }
  const found = tree.has(path) ? path : [...tree.keys()].find((each) => each.endsWith(`/${path}`))
  const text = found === undefined ? undefined : tree.get(found)
  return text === undefined ? { kind: 'missing' } : { kind: 'file', text, lines: text.split('\n').length - 1 }
}

function inspect(transcript: Transcript) {
  const { tree, difference } = worldOf(transcript)
  const claim = extractClaims(transcript.output, { taskIds: ['job'], probeNames: [] }).get('job') as Claim
  const references = findEvidence(claim, transcript.output)
  const paths = references.flatMap((reference) => (reference.kind === 'file' ? [reference.file.path] : []))
  const evidence = validateEvidence(references, {
    files: new Map(paths.map((path) => [path, lookUp(tree, path)])),
    difference,
    root: ROOT,
  })
  const measurable = claim.files.map(({ path }) => {
    const found = lookUp(tree, path)
    return found.kind === 'unmeasurable' ? found.reason : true
  })
  const fileClaims = matchFileClaims(claim.files, difference, measurable, ROOT)
  const hint = parseHint(factOf(transcript, 'hint') ?? 'task_completed', [])
  const outcome = (factOf(transcript, 'outcome') ?? 'completed') as Outcome
  const isChanged = changedPaths(difference).length > 0
  const decision = decideVerdict({
    required: false,
    outcome,
    environmentFault: null,
    claim,
    hint,
    before: null,
    after: {
      probes: [],
      expression: hint.kind === 'expression' ? { kind: 'value', holds: isChanged } : null,
    },
    difference,
    fileClaims,
    gates: [],
    judge: null,
  })
  const evidenceCount = countEvidence(claim, references)
  const interventions = detectInterventions({
    taskId: 'job',
    outcome,
    exitCode: Number(factOf(transcript, 'exit') ?? 0),
    claim,
    hint,
    decision,
    difference,
    work: difference,
    fileClaims,
    evidence,
    evidenceCount,
    contradictions: [],
    expectFiles: (factOf(transcript, 'expect') ?? 'auto') as 'auto',
    dirty: false,
    feedback: null,
    refusals: [],
    remedy: null,
  })
  return { evidence, evidenceCount, interventions, decision }
}

describe('comparing what agents print with the files', () => {
  test('is tested with at least 60 transcripts, honest and dishonest ones', () => {
    const honest = transcripts.filter(({ name }) => name.includes(': honest:'))
    const dishonest = transcripts.filter(({ name }) => name.includes(': dishonest:'))
    expect(transcripts.length).toBeGreaterThanOrEqual(60)
    expect(honest.length + dishonest.length).toBe(transcripts.length)
    expect(Math.min(honest.length, dishonest.length)).toBeGreaterThanOrEqual(20)
  })

  test.each(transcripts)('$name', (transcript) => {
    const { evidence, evidenceCount, interventions, decision } = inspect(transcript)
    const refuted = refutedEvidence(evidence).map(({ reference }) =>
      reference.kind === 'file' ? reference.file.path : reference.command,
    )
    expect({
      raises: interventions.map(({ event_type }) => event_type),
      refutes: refuted,
      evidence: evidenceCount,
    }).toEqual({
      raises: factsOf(transcript, 'raises')[0] ?? [],
      refutes: factsOf(transcript, 'refutes')[0] ?? [],
      evidence: Number(factOf(transcript, 'evidence') ?? 0),
    })
    if (transcript.name.includes(': honest:')) expect(decision.groundTruthContradiction).toBe(false)
  })
})

/** Returns the kinds of contradictions between claimed test runs and those that the agent's program reports. */
function refutedRuns(
  { output }: Transcript,
  calls: readonly AgentEvent[],
  readsProse: boolean,
): readonly string[] {
  const claim = extractClaims(output, { taskIds: ['job'], probeNames: [] }).get('job') as Claim
  const named = findTestRuns(claim, output).flatMap(({ command, words }) =>
    command === null ? [] : [`\`${command}\`: ${words}`],
  )
  const { contradictions } = reconcileTests({
    claim: readsProse ? claim : { ...claim, evidence: named },
    output: readsProse ? output : '',
    activity: {
      sessionId: null,
      model: null,
      version: null,
      usage: null,
      calls: [...calls],
      omittedCalls: 0,
      unknownEvents: {},
      final: null,
    },
    reach: { commands: true, edits: true },
    fileClaims: [],
    difference: EMPTY_DIFFERENCE,
    comparisons: [],
    gates: [],
    root: ROOT,
  })
  return contradictions.map(({ kind }) => kind)
}

const testRun = (exitCode: number): AgentEvent => ({
  kind: 'command',
  callId: null,
  tool: 'Bash',
  command: 'npm test',
  exitCode,
  status: exitCode === 0 ? 'succeeded' : 'failed',
})

test('reads test runs from prose, because the only untrue claim about one names no command, and accuses no agent whose tests ran', () => {
  const refuted = (calls: readonly AgentEvent[], readsProse: boolean) =>
    transcripts
      .filter((transcript) => refutedRuns(transcript, calls, readsProse).length > 0)
      .map(({ name }) => name)
  const lie = 'opencode: dishonest: quotes its own command output as a file'
  expect(refuted([], true)).toHaveLength(5)
  expect(refuted([], true)).toContain(lie)
  expect(refuted([], false)).toHaveLength(4)
  expect(refuted([], false)).not.toContain(lie)
  expect(refuted([testRun(1)], true)).toContain(lie)
  expect(refuted([testRun(0)], true)).toEqual([])
})
