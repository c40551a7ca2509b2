import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { decideVerdict } from '../../core/judgement/verdict.ts'
import { changedPaths } from '../../core/verification/difference.ts'
import type {
  ExpressionResult,
  GateResult,
  Measurement,
  ProbeReading,
  VerdictInput,
} from '../../core/verification/types.ts'
import type { CheckRoom, EarlierFiles } from '../ports/custody.ts'
import type { Verifier } from '../ports/verifier.ts'
import type { CycleContext, PlannedAttempt } from './cycle-context.ts'
import { commandCheck, earlierAttempts, gateCheck, probeCheck } from './earlier-answers.ts'
import { hintProbes } from './measure.ts'
import type { RunFindings } from './run-findings.ts'

/** A check that was silenced. */
export interface SilencedCheck {
  /** As it is recorded. */
  readonly name: string
  readonly sentence: string
}

/**
 * Checks that were silenced: they give no answer now, twice, and do where the files stand as they did before the
 * attempt, or before those since the task was last verified, whose changes still stand. So the world is not blamed for what was
 * deleted or broken, nor the agent for a world that is down, or for what the operator did between. What a check executes is
 * custody's, and where the files of before are not known, or nothing tells that the check ever answered, nobody is accused.
 * `gates`: their results, once they were run; commands of hints were asked before.
 */
export async function findSilenced(
  context: CycleContext,
  attempt: PlannedAttempt,
  findings: RunFindings,
  input: VerdictInput,
  gates?: readonly GateResult[],
): Promise<readonly SilencedCheck[]> {
  const probes = silentProbes(input)
  const commands = gates === undefined ? silentCommands(input) : []
  const unavailable = (gates ?? []).filter(({ status }) => status === 'unavailable')
  if (probes.length + commands.length + unavailable.length === 0) return []
  if (decideVerdict({ ...input, gates: gates ?? [] }).verdict !== 'unclear') return []
  if (findings.differences.some(({ executedBy }) => executedBy.length > 0)) return []
  const { verifier, ports, signal } = context
  const { attemptIds, answered: recorded } = await earlierAttempts(ports.ledger, attempt.task.id)
  const hasChanged = changedPaths(findings.difference).length > 0
  if (!hasChanged && attemptIds.length === 0) return []
  const earlier = hasChanged
    ? await ports.snapshotter.filesBefore(findings.textsBefore, findings.difference)
    : { write: [], remove: [] }
  if (earlier === null) return []
  const answered = answeredBefore(attempt)
  const isFresh = (probe: string | null): boolean => hasChanged && (probe === null || answered.has(probe))
  const isKnown = (name: string, probe: string | null): boolean =>
    (probe !== null && answered.has(probe)) || recorded.has(name)
  const isAnyKnown =
    probes.some((probe) => isKnown(probeCheck(probe), probe)) ||
    commands.some((command) => isKnown(commandCheck(command), null)) ||
    unavailable.some(({ command }) => isKnown(gateCheck(command), null))
  const longAgo =
    attemptIds.length === 0 || !isAnyKnown ? null : await ports.undo.filesBefore(attemptIds, earlier)
  // What nothing can be told of is not read a second time: it may take as long as it may.
  const mayBeFresh = hasChanged && commands.length + unavailable.length > 0
  if (longAgo === null && !probes.some(isFresh) && !mayBeFresh) return []
  const stillSilent = [
    ...(await silentIn(verifier, probes, unavailable, signal)),
    ...(await silentCommandsIn(verifier, commands, signal)),
  ]
  const fresh = stillSilent.filter(({ probe }) => isFresh(probe))
  const byNow = await answeringBefore(context, fresh, earlier, findings)
  const left = await withoutChangedFiles(
    context,
    stillSilent.filter(({ name, probe }) => !byNow.has(name) && isKnown(name, probe)),
  )
  const byEarlier = longAgo === null ? new Set() : await answeringBefore(context, left, longAgo, findings)
  return stillSilent.flatMap(({ name, words, reason }) => {
    const [when, how] = byNow.has(name)
      ? ['the attempt', 'the files']
      : byEarlier.has(name)
        ? ['earlier attempts', 'the files that they changed']
        : []
    if (when === undefined) return []
    const sentence = `${words} answered before ${when} and gives no answer any more (${reason}); with ${how} as they were it does`
    return [{ name, sentence }]
  })
}

/** Without probes of a file that is there: whether it could be read as it was, long ago, is known of no room. */
async function withoutChangedFiles(
  { ports, config }: CycleContext,
  checks: readonly SilentCheck[],
): Promise<readonly SilentCheck[]> {
  const isThere = await Promise.all(
    checks.map(async ({ probe }) => {
      const source = probe === null ? undefined : config.probes[probe]?.source
      if (source?.kind !== 'file') return false
      return lstat(join(ports.directory, source.file)).then(
        () => true,
        () => false,
      )
    }),
  )
  return checks.filter((_check, index) => isThere[index] === false)
}

interface SilentCheck {
  readonly name: string
  readonly words: string
  readonly reason: string
  /** The name of a probe; `null`: it is none. */
  readonly probe: string | null
  /** The command of `succeeds("…")`; left out: it is none. */
  readonly command?: string
}

/** Probes that the task's own hints refer to, can be read as configured, and have no value now; not what was merely claimed. */
function silentProbes({ hint, after, criteria = [] }: VerdictInput): readonly string[] {
  const names = [{ hint, after }, ...criteria].flatMap((one) => {
    const own = new Set(hintProbes(one.hint))
    return namesOf(one.after, 'unreadable').filter((name) => own.has(name))
  })
  return [...new Set(names)]
}

/** Commands of `succeeds("…")` by which the task's own hints cannot be evaluated now. */
function silentCommands({ after, criteria = [] }: VerdictInput): readonly string[] {
  const commands = [{ after }, ...criteria].flatMap(({ after: { expression } }) =>
    expression?.kind === 'error' ? (expression.command ?? []) : [],
  )
  return [...new Set(commands)]
}

/** Which of them give no answer at a second try either. */
async function silentCommandsIn(
  verifier: Verifier,
  commands: readonly string[],
  signal: AbortSignal,
): Promise<readonly SilentCheck[]> {
  const silent: SilentCheck[] = []
  for (const command of commands) {
    const answer = await askCommand(verifier, command, signal)
    if (answer.kind === 'value') continue
    const words = `the command \`${command}\``
    silent.push({ name: commandCheck(command), words, reason: answer.reason, probe: null, command })
  }
  return silent
}

function askCommand(verifier: Verifier, command: string, signal: AbortSignal): Promise<ExpressionResult> {
  const source = `succeeds(${JSON.stringify(command)})`
  return verifier.evaluate(
    { kind: 'expression', source, probes: [], functions: ['succeeds'] },
    [],
    [],
    signal,
  )
}

/** Probes of the task that had a value before the attempt. */
function answeredBefore({ before, criteria }: PlannedAttempt): ReadonlySet<string> {
  return new Set([before, ...criteria.map((one) => one.before)].flatMap((one) => namesOf(one, 'value')))
}

function namesOf(measurement: Measurement | null, kind: ProbeReading['kind']): readonly string[] {
  return (measurement?.probes ?? [])
    .filter((reading) => reading.kind === kind && (reading.kind === 'value' || reading.configured))
    .map(({ name }) => name)
}

/** Which of them give no answer at a second try either. */
async function silentIn(
  verifier: Verifier,
  probes: readonly string[],
  gates: readonly GateResult[],
  signal: AbortSignal,
): Promise<readonly SilentCheck[]> {
  const readings = probes.length === 0 ? [] : await verifier.readProbes(probes, signal)
  const again = gates.length === 0 ? [] : await verifier.runGates(signal)
  const wasSilent = new Set(gates.map(({ command }) => gateCheck(command)))
  return [
    ...readings.flatMap((reading): SilentCheck[] =>
      reading.kind === 'value'
        ? []
        : [
            {
              name: probeCheck(reading.name),
              words: probeWords(reading.name),
              reason: reading.reason,
              probe: reading.name,
            },
          ],
    ),
    ...again.flatMap(({ command, status, detail }): SilentCheck[] =>
      status !== 'unavailable' || !wasSilent.has(gateCheck(command))
        ? []
        : [
            {
              name: gateCheck(command),
              words: gateWords(command),
              reason: detail,
              probe: null,
            },
          ],
    ),
  ]
}

/** Which of them answer where the files stand as before the attempt. */
async function answeringBefore(
  context: CycleContext,
  checks: readonly SilentCheck[],
  earlier: EarlierFiles,
  { differences }: RunFindings,
): Promise<ReadonlySet<string>> {
  if (checks.length === 0) return new Set()
  const { ports, config, signal } = context
  const kept = new Set(earlier.write.map(({ path }) => path))
  const files = checks.filter(({ probe }) => {
    const source = probe === null ? undefined : config.probes[probe]?.source
    return source?.kind === 'file' && kept.has(source.file.replace(/^(?:\.\/)+/, ''))
  })
  const run = checks.filter((check) => !files.includes(check))
  const found = new Set(files.map(({ name }) => name))
  if (run.length === 0) return found
  const disputed = differences.map(({ path }) => path)
  const opened = await ports.custody.openRoom(disputed, signal, earlier)
  if (opened.kind === 'none') return found
  try {
    for (const name of await answeringIn(context, opened.room, run)) found.add(name)
    return found
  } finally {
    await opened.room.close()
  }
}

async function answeringIn(
  { ports, config, signal }: CycleContext,
  room: CheckRoom,
  checks: readonly SilentCheck[],
): Promise<readonly string[]> {
  const verifier = ports.createVerifier(config, room)
  const probes = checks.flatMap(({ probe }) => probe ?? [])
  const readings = probes.length === 0 ? [] : await verifier.readProbes(probes, signal)
  const commands = checks.flatMap(({ command }) => command ?? [])
  const asksGates = checks.some(({ probe, command }) => probe === null && command === undefined)
  const gates = asksGates ? await verifier.runGates(signal) : []
  const silent = new Set((await silentCommandsIn(verifier, commands, signal)).map(({ name }) => name))
  return [
    ...commands.map(commandCheck).filter((name) => !silent.has(name)),
    ...readings.filter(({ kind }) => kind === 'value').map(({ name }) => probeCheck(name)),
    ...gates.filter(({ status }) => status !== 'unavailable').map(({ command }) => gateCheck(command)),
  ]
}

function probeWords(name: string): string {
  return `the probe ${name}`
}

function gateWords(command: readonly string[]): string {
  return `the gate \`${command.join(' ')}\``
}
