import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { holdClaims } from '../../core/change/claims.ts'
import { type ChangedFile, type CustodyResult, findCustody } from '../../core/change/custody-findings.ts'
import { type Description, readDescription } from '../../core/change/description.ts'
import { judgeChange } from '../../core/change/judge-change.ts'
import { mayContainTests } from '../../core/change/own-tests.ts'
import type { ChangeVerdict, CustodyFinding, Finding } from '../../core/change/types.ts'
import { mayChangeBy } from '../../core/custody/may-change.ts'
import { toldBy } from '../../core/custody/protected.ts'
import { mayReach } from '../../core/custody/reaching.ts'
import { sha256 } from '../files/sha256.ts'
import type { TreeChange } from '../snapshot/git-status.ts'
import { type RawPath, toText } from '../snapshot/raw-path.ts'
import { MAX_TEXT_BYTES, TreeFiles, textOf } from './base-files.ts'
import { claimContext, measuredOf } from './claim-context.ts'
import { lostOf, measureScopes, roomOf, type ScopeResult, type TasksByScope } from './measure-scopes.ts'
import { type ObjectReader, openObjects } from './object-reader.ts'
import { findScopes, guardOf, isPolicyFile, type Scope, type ScopeGuard } from './policy.ts'
import { ChangeProblem, openRepository, type Repository } from './repository.ts'
import { findRevisions, type Revisions, treesOf } from './revisions.ts'
import { loadedByChecks } from './script-ends.ts'
import type { NamedTask } from './tasks.ts'
import type { VerifyOptions } from './verify-options.ts'
import { readWorkTree } from './work-tree.ts'

/** Judges a change. Rejects with a `ChangeProblem` if the request cannot be carried out; leaves nothing behind. */
export async function verifyChange(options: VerifyOptions): Promise<ChangeVerdict> {
  const started = options.clock.monotonicMs()
  if (options.worktree && options.head !== undefined)
    throw new ChangeProblem(2, '--worktree and --head name two heads: give one of them.')
  const repository = await openRepository(options.directory)
  const objects = await openObjects(repository)
  try {
    const verdict = await judge(options, repository, objects)
    return {
      ...verdict,
      durationMs: Math.round(options.clock.monotonicMs() - started),
      verifier: { version: options.version },
    }
  } finally {
    await objects.close()
  }
}

type Judged = Omit<ChangeVerdict, 'durationMs' | 'verifier'>

/** The two sides of the change. */
interface Sides {
  readonly revisions: Revisions
  readonly baseTree: string
  readonly headTree: string
  /** The tree of the work tree; `null` if there is none. */
  readonly workTree: string | null
  readonly isDirty: boolean
}

async function findSides(
  options: VerifyOptions,
  repository: Repository,
  objects: ObjectReader,
): Promise<Sides> {
  const revisions = await findRevisions(repository, options)
  const { base: baseTree, head: committed } = await treesOf(repository, revisions)
  const needsWorkTree = options.worktree || options.head === undefined || options.part !== 'custody'
  const workTree =
    repository.top === null && !options.worktree
      ? null
      : needsWorkTree
        ? await readWorkTree(repository, objects)
        : null
  const judgesWorkTree =
    workTree !== null && options.head === undefined && (options.worktree || workTree !== committed)
  return {
    revisions,
    baseTree,
    headTree: judgesWorkTree ? workTree : committed,
    workTree,
    isDirty: judgesWorkTree && workTree !== committed,
  }
}

async function judge(options: VerifyOptions, repository: Repository, objects: ObjectReader): Promise<Judged> {
  const sides = await findSides(options, repository, objects)
  const { revisions, baseTree, headTree } = sides
  const raw =
    baseTree === headTree ? new Map<RawPath, TreeChange>() : await objects.changes(baseTree, headTree)
  const base = new TreeFiles(objects, await objects.files(baseTree))
  const hasOnDisk = (path: string): boolean =>
    repository.top !== null && existsSync(join(repository.top, path))
  const scopes = await findScopes(base, [...raw.keys()].map(toText), options.configuration, hasOnDisk)
  const subject = {
    base: { commit: revisions.base, tree: baseTree },
    head: { commit: revisions.head, tree: headTree, dirty: sides.isDirty },
    policy: policyOf(scopes),
  }
  if (baseTree === headTree) {
    // An unknown task is a mistake in the request, whether something changed or not.
    const policies = options.taskIds.length === 0 ? [] : [...base.files.keys()].filter(isPolicyFile)
    const all = await findScopes(base, policies, options.configuration, hasOnDisk)
    namedTasks(options.taskIds, readDescription(''), all)
    return { ...subject, ...nothingJudged('head is equal to base: there is no change') }
  }
  const head = new TreeFiles(objects, await objects.files(headTree))
  return {
    ...subject,
    ...(await judgeFiles(options, { repository, objects, sides, raw, base, head, scopes })),
  }
}

interface ChangeSubject {
  readonly repository: Repository
  readonly objects: ObjectReader
  readonly sides: Sides
  readonly raw: ReadonlyMap<RawPath, TreeChange>
  readonly base: TreeFiles
  readonly head: TreeFiles
  readonly scopes: readonly Scope[]
}

type Answer = Omit<Judged, 'base' | 'head' | 'policy'>

async function judgeFiles(options: VerifyOptions, subject: ChangeSubject): Promise<Answer> {
  const { repository, objects, sides, raw, base, head, scopes } = subject
  const probeNames = scopes.flatMap(({ configuration }) => Object.keys(configuration.probes))
  const description = readDescription(options.claims, { template: await templateOf(base), probeNames })
  const named = namedTasks(options.taskIds, description, scopes)
  const guards = await Promise.all(scopes.map((scope) => guardOf(base, scope)))
  options.onStep?.('custody')
  const changes = await readChanges(objects, raw, guards)
  const loaded = await loadedOf(head, scopes, guards)
  const found = custodyOf(changes, guards, mayChangeOf(named), { head, loaded })
  const custody = options.part === 'measure' ? { ...found, findings: [] } : found
  const trees = { base: sides.baseTree, head: sides.headTree, workTree: sides.workTree }
  const measured =
    options.part === 'custody'
      ? []
      : await measureScopes(options, repository, objects, {
          ...{ trees, scopes, custody, changes, raw, named, base, head },
        })
  const claims = holdClaims(description, {
    ...(await claimContext({
      repository,
      revisions: sides.revisions,
      changes,
      raw,
      base,
      head,
      custody,
      description,
      scopes,
    })),
    ...measuredOf(scopes, measured),
  })
  const hasChecks = scopes.some(({ configuration }) => configuration.gates.commands.length > 0)
  if (!hasChecks && custody.findings.length === 0 && claims.length === 0 && named.size === 0)
    return nothingJudged('no test runner was found, and there is no claim and no finding to judge')
  return answerOf(scopes, custody, measured, claims)
}

function answerOf(
  scopes: readonly Scope[],
  custody: CustodyResult,
  measured: readonly ScopeResult[],
  claims: ChangeVerdict['claims'],
): Answer {
  const whole = measured.map((each) => each.whole)
  const added = whole.flatMap((each) => each.added)
  const lost = lostOf(measured, custody)
  const skipped = [...whole.flatMap((each) => each.skipped), ...custody.tests.skipped.map(({ name }) => name)]
  const decision = judgeChange({
    claims,
    findings: custody.findings,
    gates: whole.flatMap(({ gates }) => gates),
    cleanRoom: roomOf(measured),
    lost,
    silenced: whole.flatMap(({ silenced }) => silenced),
    unreached: measured.flatMap(({ unreached }) => unreached),
    tasks: measured.flatMap(({ tasks }) => tasks),
  })
  return {
    applicable: true,
    verdict: decision.verdict,
    held: decision.held,
    groundTruthContradiction: decision.contradiction,
    fault: decision.fault,
    reasons: decision.reasons,
    contracts: contractsOf(scopes, measured),
    custody: custody.findings.map(withFingerprint),
    checks: whole.flatMap(({ checks }) => checks),
    tests: { lost, added, skipped: [...new Set(skipped)] },
    claims,
  }
}

function nothingJudged(reason: string): Answer {
  return {
    verdict: null,
    applicable: false,
    held: false,
    groundTruthContradiction: false,
    fault: null,
    reasons: [reason],
    contracts: [],
    custody: [],
    checks: [],
    tests: { lost: [], added: [], skipped: [] },
    claims: [],
  }
}

/** Returns the policy to show: if there are several, the one nearest the top. */
function policyOf(scopes: readonly Scope[]): ChangeVerdict['policy'] {
  const [scope] = scopes
  return {
    contract: scope?.contractPath ?? null,
    config: scope?.configPath ?? null,
    source: scope?.source ?? 'detected',
    sha256: scope?.sha256 ?? null,
  }
}

const TEMPLATES =
  /^(?:\.github\/|docs\/|\.gitlab\/|\.forgejo\/|\.gitea\/)?(?:pull_request_template(?:\/[^/]+)?|merge_request_templates\/[^/]+)\.(?:md|txt)$/i

async function templateOf(base: TreeFiles): Promise<string> {
  const paths = [...base.files.keys()]
    .filter((path) => path.length < 200 && TEMPLATES.test(path))
    .slice(0, 20)
  await base.load(paths)
  return paths.map((path) => base.loaded(path) ?? '').join('\n')
}

/** Returns the requested tasks, and those that reports or the description name. Rejects if a requested one is unknown. */
function namedTasks(
  asked: readonly string[],
  description: Description,
  scopes: readonly Scope[],
): TasksByScope {
  const found = new Map<Scope, NamedTask[]>()
  const known = new Set<string>()
  for (const scope of scopes) {
    const tasks = (scope.contract?.tasks ?? []).filter(
      ({ id }) => asked.includes(id) || description.taskIds.includes(id),
    )
    for (const task of tasks) known.add(task.id)
    const named = tasks.map((task) => ({
      task,
      claim: description.entries.findLast(({ taskId }) => taskId === task.id)?.claim ?? null,
    }))
    if (named.length > 0) found.set(scope, named)
  }
  const unknown = asked.filter((id) => !known.has(id))
  if (unknown.length > 0)
    throw new ChangeProblem(
      2,
      `There is no task ${unknown.join(', ')} in a contract of the base that covers this change. See \`pulseward check\` there.`,
    )
  return found
}

export function mayChangeOf(named: TasksByScope): (path: string) => boolean {
  const rules = [...named].flatMap(([{ folder }, tasks]) =>
    tasks.flatMap(({ task }) =>
      task.mayChange.length === 0
        ? []
        : [{ start: folder === '' ? '' : `${folder}/`, isAllowed: mayChangeBy(task.mayChange) }],
    ),
  )
  return (path) =>
    rules.some(({ start, isAllowed }) => path.startsWith(start) && isAllowed(path.slice(start.length)))
}

/** Reads the texts on both sides that custody and claims need. */
export async function readChanges(
  objects: ObjectReader,
  raw: ReadonlyMap<RawPath, TreeChange>,
  guards: readonly ScopeGuard[],
): Promise<readonly ChangedFile[]> {
  const isRead = (path: string): boolean =>
    mayReach(path) ||
    mayContainTests(path) ||
    toldBy(['default'])(path) ||
    guards.some((guard) => guard.isPolicy(path) || guard.isProtected(path) || guard.executed.has(path)) ||
    TEXTS.test(path)
  const entries = [...raw].map(([path, change]) => ({ path: toText(path), ...change }))
  const wanted = entries.filter(
    ({ path, before, after }) => isRead(path) || before?.mode === '120000' || after?.mode === '120000',
  )
  const ids = wanted.flatMap(({ before, after }) =>
    [before, after].flatMap((side) => (side === null || side.mode === '160000' ? [] : [side.id])),
  )
  const contents = await objects.read(ids, MAX_TEXT_BYTES)
  const isWanted = new Set(wanted.map(({ path }) => path))
  const text = (path: string, side: TreeChange['before']): string | null => {
    const bytes = side === null || !isWanted.has(path) ? undefined : contents.get(side.id)
    return bytes === undefined ? null : textOf(bytes)
  }
  return entries.map(({ path, before, after }) => ({
    path,
    // A file that was not read (too large, or not text) still exists.
    before: before === null ? null : (text(path, before) ?? ''),
    after: after === null ? null : (text(path, after) ?? ''),
    modeBefore: before?.mode ?? null,
    modeAfter: after?.mode ?? null,
  }))
}

/** Files that other rules read, besides the protected ones. */
const TEXTS =
  /(?:^|\/)(?:\.git(?:attributes|ignore|modules)|CODEOWNERS|\.mcp\.json|[^/]*lock[^/]*|go\.sum|go\.mod|Gemfile|Pipfile|composer\.json|Dockerfile|Makefile)$|\.(?:md|json|toml|ya?ml|css|scss|less|ini|cfg|swift|c|cc|cpp|cxx|h|hpp|cs|dart|scala|ex|exs)$/

/** Returns what the checks of the scopes load on head, from the top. */
export async function loadedOf(
  head: TreeFiles,
  scopes: readonly Scope[],
  guards: readonly ScopeGuard[],
): Promise<ReadonlySet<string>> {
  const loaded = await Promise.all(
    scopes.map((scope, at) => {
      const guard = guards[at]
      return guard === undefined ? [] : loadedByChecks(scope, guard, head)
    }),
  )
  return new Set(loaded.flat())
}

export function custodyOf(
  changes: readonly ChangedFile[],
  guards: readonly ScopeGuard[],
  mayChange: (path: string) => boolean,
  { head, loaded }: { readonly head: TreeFiles; readonly loaded: ReadonlySet<string> },
): CustodyResult {
  const executed = new Map<string, { part: string | null; perhapsSubject: boolean }[]>()
  for (const guard of guards)
    for (const [path, parts] of guard.executed) executed.set(path, [...(executed.get(path) ?? []), ...parts])
  return findCustody(changes, {
    executed,
    isProtected: (path) => guards.some((guard) => guard.isProtected(path)),
    mayChange,
    isPolicy: (path) => guards.some((guard) => guard.isPolicy(path)),
    isFile: (path) => head.isFile(path),
    isLoaded: (path) => loaded.has(path),
  })
}

function withFingerprint({ subject, holds: _, ...finding }: CustodyFinding): Finding {
  const identity = [finding.code, finding.path, subject].join('\0')
  return { ...finding, fingerprint: sha256(identity).slice(0, 32) }
}

function contractsOf(scopes: readonly Scope[], measured: readonly ScopeResult[]): ChangeVerdict['contracts'] {
  return scopes.flatMap((scope) =>
    scope.contractPath === null
      ? []
      : [
          {
            path: scope.contractPath,
            tasks: (measured.find((each) => each.scope === scope)?.tasks ?? []).map(
              ({ taskId, verdict, reasons }) => ({ taskId, verdict, reasons }),
            ),
          },
        ],
  )
}
