import { changedPaths } from '../../core/verification/difference.ts'
import type { GateResult, Measurement, ProbeReading, VerdictInput } from '../../core/verification/types.ts'
import { decideVerdict } from '../../core/verification/verdict.ts'
import type { CheckRoom, EarlierFiles } from '../ports/custody.ts'
import type { Verifier } from '../ports/verifier.ts'
import type { CycleContext, PlannedAttempt } from './cycle-context.ts'
import type { RunFindings } from './run-findings.ts'

/**
 * Checks that the attempt silenced, a sentence each: they answered, give no answer now, twice, and do where the files stand as they did
 * before the attempt. So the world is not blamed for what was deleted or broken, nor the agent for a world that is down. What a check
 * executes is custody's, and where the files of before are not known nobody is accused.
 */
export async function findSilenced(
  context: CycleContext,
  attempt: PlannedAttempt,
  findings: RunFindings,
  input: VerdictInput,
  gates: readonly GateResult[] = [],
): Promise<readonly string[]> {
  const probes = silentProbes(attempt, input)
  const unavailable = gates.filter(({ status }) => status === 'unavailable')
  if (probes.length + unavailable.length === 0 || changedPaths(findings.difference).length === 0) return []
  if (decideVerdict({ ...input, gates }).verdict !== 'unclear') return []
  if (findings.differences.some(({ executedBy }) => executedBy.length > 0)) return []
  const { verifier, ports, signal } = context
  const stillSilent = await silentIn(verifier, probes, unavailable, signal)
  if (stillSilent.length === 0) return []
  const earlier = await ports.snapshotter.filesBefore(findings.textsBefore, findings.difference)
  if (earlier === null) return []
  const answering = await answeringBefore(context, stillSilent, earlier, findings)
  return stillSilent
    .filter((check) => answering.has(check.name))
    .map(
      ({ words, reason }) =>
        `${words} answered before the attempt and gives no answer any more (${reason}); with the files as they were it does`,
    )
}

interface SilentCheck {
  readonly name: string
  readonly words: string
  readonly reason: string
  /** The file that a probe reads by itself; `null`: something is run. */
  readonly probe: string | null
}

/** Probes of the task that had a value before the attempt and have none now. */
function silentProbes({ before, criteria }: PlannedAttempt, input: VerdictInput): readonly string[] {
  const values = new Set(
    [before, ...criteria.map((one) => one.before)].flatMap((one) => namesOf(one, 'value')),
  )
  const now = [input.after, ...(input.criteria ?? []).map(({ after }) => after)]
  return [...new Set(now.flatMap((one) => namesOf(one, 'unreadable')))].filter((name) => values.has(name))
}

function namesOf(measurement: Measurement | null, kind: ProbeReading['kind']): readonly string[] {
  return (measurement?.probes ?? []).filter((reading) => reading.kind === kind).map(({ name }) => name)
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
  const wasSilent = new Set(gates.map(({ command }) => gateName(command)))
  return [
    ...readings.flatMap((reading): SilentCheck[] =>
      reading.kind === 'value'
        ? []
        : [
            {
              name: `probe ${reading.name}`,
              words: `the probe ${reading.name}`,
              reason: reading.reason,
              probe: reading.name,
            },
          ],
    ),
    ...again.flatMap(({ command, status, detail }): SilentCheck[] =>
      status !== 'unavailable' || !wasSilent.has(gateName(command))
        ? []
        : [
            {
              name: gateName(command),
              words: `the gate \`${command.join(' ')}\``,
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
  const gates = checks.some(({ probe }) => probe === null) ? await verifier.runGates(signal) : []
  return [
    ...readings.filter(({ kind }) => kind === 'value').map(({ name }) => `probe ${name}`),
    ...gates.filter(({ status }) => status !== 'unavailable').map(({ command }) => gateName(command)),
  ]
}

function gateName(command: readonly string[]): string {
  return `gate ${JSON.stringify(command)}`
}
