import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { ChangedFile, CustodyResult } from '../../core/change/custody-findings.ts'
import type { Description } from '../../core/change/description.ts'
import type { MeasuredChange } from '../../core/change/measured-change.ts'
import { namesTests } from '../../core/change/test-cases.ts'
import type { CheckResult } from '../../core/change/types.ts'
import { protectionBy } from '../../core/custody/protected.ts'
import { isOfAWhole } from '../../core/reports/test-report.ts'
import { weighTests } from '../../core/verification/test-weight.ts'
import type { TreeChange } from '../snapshot/git-status.ts'
import { type RawPath, toText } from '../snapshot/raw-path.ts'
import type { TreeFiles } from './base-files.ts'
import { type Measured, nameOf } from './measure.ts'
import type { ScopeResult } from './measure-scopes.ts'
import type { Scope } from './policy.ts'
import type { Repository } from './repository.ts'
import { type Revisions, touchedPaths } from './revisions.ts'

/** What claims are compared with, besides measurements. */
export interface ClaimSubject {
  readonly repository: Repository
  readonly revisions: Revisions
  readonly changes: readonly ChangedFile[]
  readonly raw: ReadonlyMap<RawPath, TreeChange>
  readonly base: TreeFiles
  readonly head: TreeFiles
  readonly custody: CustodyResult
  readonly description: Description
  /** Agents name files from the top, or from the folder of their contract. */
  readonly scopes: readonly Pick<Scope, 'folder'>[]
}

/** Returns what git says about a change, for comparison with its claims. */
export async function claimContext({
  repository,
  revisions,
  changes,
  raw,
  base,
  head,
  custody,
  description,
  scopes,
}: ClaimSubject): Promise<
  Omit<MeasuredChange, 'suite' | 'isGreen' | 'commands' | 'readings' | 'probeNames' | 'boxes'>
> {
  const { top } = repository
  const folders = ['', ...scopes.map(({ folder }) => folder)]
  const saysAnything = description.entries.length > 0 || description.units.length > 0
  const touched = saysAnything ? await touchedPaths(repository, revisions) : new Set<string>()
  return {
    changes,
    renamed: renamesOf(raw),
    isFileNow: (path) => head.files.has(path),
    isFileBefore: (path) => base.files.has(path),
    endingIn: (path) => endingIn(head, path),
    touched,
    isIgnored: (path) =>
      top !== null &&
      folders.some(
        (folder) => !head.files.has(posix.join(folder, path)) && existsSync(join(top, folder, path)),
      ),
    isTestFile: (path) => protectionBy(['default'])(path) && isOfTests(path, changes),
    tests: custody.tests,
  }
}

/** Compares contents only: git's own detection of similar files is a guess, not a measurement. */
function renamesOf(
  raw: ReadonlyMap<RawPath, TreeChange>,
): readonly { readonly from: string; readonly to: string }[] {
  const gone = new Map(
    [...raw].flatMap(([path, { before, after }]) =>
      before !== null && after === null ? [[before.id, toText(path)] as const] : [],
    ),
  )
  return [...raw].flatMap(([path, { before, after }]) => {
    const from = before === null && after !== null ? gone.get(after.id) : undefined
    return from === undefined ? [] : [{ from, to: toText(path) }]
  })
}

function endingIn(head: TreeFiles, path: string): readonly string[] {
  const found: string[] = []
  for (const each of head.files.keys())
    if (each.endsWith(`/${path}`) || each.startsWith(`${path}/`)) found.push(each)
  return found
}

function isOfTests(path: string, changes: readonly ChangedFile[]): boolean {
  if (
    /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testdata|fixtures|__fixtures__|__snapshots__|snapshots|androidTest|Tests)\//.test(
      path,
    )
  )
    return true
  const change = changes.find((each) => each.path === path)
  return [change?.before, change?.after].some(
    (text) =>
      text != null &&
      weighTests(path, text).tests + weighTests(path, text).assertions > 0 &&
      namesTests(path),
  )
}

/** Returns what the checks measured about a change, for comparison with its claims. */
export function measuredOf(
  scopes: readonly Scope[],
  measured: readonly ScopeResult[],
): Pick<MeasuredChange, 'suite' | 'isGreen' | 'commands' | 'readings' | 'probeNames' | 'boxes'> {
  const gates = measured.flatMap(({ scope, whole }) =>
    whole.gates.map((gate, at) => ({ ...gate, folder: scope.folder, check: whole.checks[at] })),
  )
  const passed = gates.map(({ check }) => hasPassed(check))
  const reports = gates.flatMap(({ report, check }) => (isNeverLoaded(check) ? [] : (report ?? [])))
  const readings = measured.flatMap(({ whole }) => whole.readings)
  const commands = new Map(
    gates.flatMap(({ command, folder }, at) =>
      [command.join(' '), nameOf(folder, command)].map((name) => [name, passed[at] ?? null] as const),
    ),
  )
  return {
    suite:
      reports.length === 0
        ? null
        : {
            passed: reports.reduce((sum, { passed }) => sum + passed, 0),
            failed: reports.reduce((sum, { failed }) => sum + failed, 0),
            executed: reports.reduce((sum, { executed }) => sum + executed, 0),
            failing: reports.flatMap(({ names }) => names.failed),
            added: measured.flatMap(({ whole }) => whole.added),
          },
    isGreen: passed.includes(false) ? false : passed.length > 0 && !passed.includes(null) ? true : null,
    commands,
    readings,
    probeNames: scopes.flatMap(({ configuration }) => Object.keys(configuration.probes)),
    boxes: new Map(
      scopes.flatMap(({ boxes }) =>
        [...boxes].map(([text, check]) => {
          const reading = readings.find(({ name }) => name === check)
          const byProbe = reading?.kind === 'value' ? isGreenValue(reading) : null
          return [
            text,
            { check, passed: commands.has(check) ? (commands.get(check) ?? null) : byProbe },
          ] as const
        }),
      ),
    ),
  }
}

/**
 * Returns whether a check passes both as it is and with the base's check files: passing only with the change's own proves
 * nothing. `null` if unknown.
 */
function hasPassed(check: CheckResult | undefined): boolean | null {
  const { head = null, cleanRoom = null } = check ?? {}
  if (head === null || head.status === 'unavailable' || isNeverLoaded(check)) return null
  if (head.status === 'failed') return false
  return cleanRoom === null || cleanRoom.status === 'passed' ? true : null
}

/**
 * Returns whether no test could be loaded, on the base either. In that case the change is not the reason that they are
 * missing, and nothing is known about its tests.
 */
function isNeverLoaded(check: CheckResult | undefined): boolean {
  return [check?.base, check?.head].every(
    (side) =>
      side?.status === 'failed' &&
      side.passed === 0 &&
      side.failing.length > 0 &&
      side.failing.every(isOfAWhole),
  )
}

/** Returns whether a reading is green: no failures in a report, an exit code of 0, or true. `null` for other values, which don't tell. */
function isGreenValue({
  value,
  report,
}: Extract<Measured['readings'][number], { kind: 'value' }>): boolean | null {
  if (report !== undefined) return report.failed === 0
  return typeof value === 'boolean' ? value : value === 0 ? true : null
}
