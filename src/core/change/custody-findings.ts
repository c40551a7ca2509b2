import { contractItems } from '../contract/difference.ts'
import { asksLess, sayItem } from '../contract/proposal-items.ts'
import { isReadable, isStub, shadowedBy } from '../custody/compiled.ts'
import { countsAsCheck } from '../custody/emptied.ts'
import { mayReach, reachesFor } from '../custody/reaching.ts'
import { isMixed, steeringParts, steersDifferently } from '../custody/steering.ts'
import { isCiFile } from '../verification/ci-steps.ts'
import { findWeakenings } from '../verification/protected-files.ts'
import { NO_WEIGHT, type TestWeight, weighTests } from '../verification/test-weight.ts'
import { AGENT_RULES } from '../vocabulary/agent-rules.ts'
import { SILENCES_BY_KEY, SILENCES_BY_LINE } from '../vocabulary/supervisor-variable.ts'
import { asksPulsewardLess, findCiWeakenings, runsPulseward } from './ci.ts'
import { findUnlockedDependencies } from './dependencies.ts'
import { type FormerTests, findFormerTests, mayContainTests } from './own-tests.ts'
import { namesTests } from './test-cases.ts'
import { findTestChanges, type TestChanges, type TextChange } from './test-changes.ts'
import { newHooks } from './test-hooks.ts'
import type { CustodyFinding, FindingCode } from './types.ts'

/** A path that differs between base and head. Paths are from the top of the repository, with `/`. */
export interface ChangedFile extends TextChange {
  /** Git's mode on either side (`100644`, `120000`, `160000`); `null` if nothing is there. */
  readonly modeBefore: string | null
  readonly modeAfter: string | null
}

/** What the base's rules say about its files. */
export interface CustodyPolicy {
  readonly isProtected: (path: string) => boolean
  /** Files that checks execute, by path. `part` is the part that matters (`scripts.test`); `null` for the whole file. */
  readonly executed: ReadonlyMap<
    string,
    readonly { readonly part: string | null; readonly perhapsSubject: boolean }[]
  >
  /** Whether the claimed tasks allow changes to this file. */
  readonly mayChange: (path: string) => boolean
  /** Whether this is a contract or configuration that decides verdicts. */
  readonly isPolicy: (path: string) => boolean
  /** Whether a path is a file of head. */
  readonly isFile: (path: string) => boolean
  /** Whether a check is known to load this file, so that it may not end itself, whatever it is called. */
  readonly isLoaded: (path: string) => boolean
}

export interface CustodyResult {
  /** Sorted by severity, then by path. */
  readonly findings: readonly CustodyFinding[]
  readonly tests: TestChanges
  /** Changed paths that decide check results and that no task may change; restored to the base in a clean room. */
  readonly guarded: readonly string[]
  /** Sources outside every task's permission whose own tests were changed, with those tests as in the base. */
  readonly formerTests: readonly FormerTests[]
}

/** Returns everything that a change did to the files that decide its verdict, judged by contents alone. Pure; never throws. */
export function findCustody(changes: readonly ChangedFile[], policy: CustodyPolicy): CustodyResult {
  const guarded = changes.filter((change) => isGuarded(change, policy)).map(({ path }) => path)
  const isGuardedPath = new Set(guarded)
  const ci = changes.filter(({ path }) => isCiFile(path))
  const sources = changes.filter((change) => !policy.isPolicy(change.path) && !isCiFile(change.path))
  const texts = sources.filter(({ path }) => namesTests(path))
  const tests = findTestChanges(texts)
  const formerTests = findFormerTests(sources.filter(({ path }) => mayContainTests(path))).filter(
    ({ path }) => !isGuardedPath.has(path) && !policy.mayChange(path),
  )
  const findings = [
    ...changes.filter(({ path }) => policy.isPolicy(path)).map(policyFinding),
    ...ciFindings(ci),
    ...changes.flatMap(agentFindings),
    ...testFindings(tests, policy),
    ...guardedFindings(
      sources.filter(({ path }) => !isAgentFile(path)),
      policy,
      tests,
    ),
    ...formerTests.map(({ path }) =>
      finding('protected-file-changed', 'info', path, 'Tests or examples that it contains were changed.', {
        subject: 'tests',
      }),
    ),
    ...findUnlockedDependencies(changes, policy.isFile).map(({ path, name, lock }) =>
      finding(
        'dependency-without-lock',
        'warning',
        path,
        `\`${name}\` was added or changed here, and ${lock} has no new entry for it.`,
        {
          subject: name,
        },
      ),
    ),
    ...changes.flatMap((change) => gitFindings(change, isGuardedPath.has(change.path))),
    ...sources.flatMap((change) =>
      isGuardedPath.has(change.path) ? [] : reachingFindings(change, policy.isLoaded(change.path)),
    ),
  ]
  return { findings: ordered(findings), tests, guarded, formerTests }
}

const ORDER = { critical: 0, warning: 1, info: 2 }

function ordered(findings: readonly CustodyFinding[]): readonly CustodyFinding[] {
  return findings.toSorted(
    (one, other) =>
      ORDER[one.severity] - ORDER[other.severity] ||
      compare(one.path, other.path) ||
      compare(one.code, other.code) ||
      compare(one.subject, other.subject),
  )
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

interface Further {
  readonly subject?: string
  readonly line?: number | null
  readonly holds?: CustodyFinding['holds']
}

function finding(
  code: FindingCode,
  severity: CustodyFinding['severity'],
  path: string,
  message: string,
  { subject = '', line = null, holds = 'never' }: Further = {},
): CustodyFinding {
  return { code, severity, path, line, message, subject, holds }
}

/** Returns whether this change may decide check results, by the base's rules. */
function isGuarded({ path, before, after }: ChangedFile, policy: CustodyPolicy): boolean {
  if (policy.mayChange(path) || policy.isPolicy(path) || isCiFile(path) || isAgentFile(path)) return false
  const executed = policy.executed.get(path) ?? []
  if (executed.some(({ part, perhapsSubject }) => counts({ path, before, after }, part, perhapsSubject)))
    return true
  const isShadow = isStub(path) ? before === null : !isReadable(path)
  if (after !== null && isShadow && shadowedBy(path).some(policy.isFile)) return true
  return policy.isProtected(path) && (!isMixed(path) || steersDifferently(path, before, after))
}

/** Returns whether the part of a file that a check executes has changed. */
function counts({ path, before, after }: TextChange, part: string | null, perhapsSubject: boolean): boolean {
  if (perhapsSubject) return countsAsCheck(part, before, after)
  if (part === null || !part.startsWith('scripts.'))
    return !isMixed(path) || steersDifferently(path, before, after)
  return scriptOf(before, part) !== scriptOf(after, part)
}

function scriptOf(text: string | null, part: string): string | null {
  try {
    const { scripts } = JSON.parse((text ?? '').replace(/^\uFEFF/, '')) as {
      scripts?: Record<string, unknown>
    }
    const value = scripts?.[part.slice('scripts.'.length)]
    return typeof value === 'string' ? value : null
  } catch {
    return text
  }
}

function policyFinding({ path, before, after }: ChangedFile): CustodyFinding {
  const isContract = path.endsWith('.md')
  if (after === null)
    return finding(
      'policy-weakened',
      'critical',
      path,
      'It was deleted. The base’s copy decides this verdict.',
      { subject: 'deleted' },
    )
  if (!isContract || before === null)
    return finding(
      'policy-changed',
      'warning',
      path,
      'It was changed. The base’s copy decides this verdict.',
      { subject: 'changed' },
    )
  const less = contractItems(before, after).filter(asksLess)
  return less.length === 0
    ? finding(
        'policy-changed',
        'info',
        path,
        'It was changed and asks for no less. The base’s copy decides this verdict.',
        { subject: 'changed' },
      )
    : finding(
        'policy-weakened',
        'critical',
        path,
        `It asks for less: ${less.slice(0, 5).map(sayItem).join('; ')}${less.length > 5 ? `, and ${less.length - 5} more` : ''}. The base’s copy decides this verdict.`,
        { subject: 'less' },
      )
}

function ciFindings(changes: readonly ChangedFile[]): readonly CustodyFinding[] {
  const weakenings = findCiWeakenings(changes)
  const weakened = weakenings.map(({ path, line, words, subject }) =>
    finding('ci-weakened', 'critical', path, `${sentence(words)} A person has to look.`, {
      subject,
      line,
      holds: 'always',
    }),
  )
  const told = new Set(weakenings.map(({ path }) => path))
  const plain = changes.flatMap(({ path, before, after }): CustodyFinding[] => {
    const [ran, runs] = [before !== null && runsPulseward(before), after !== null && runsPulseward(after)]
    if (ran && !runs)
      return [
        finding(
          'gate-workflow-changed',
          'critical',
          path,
          'It no longer runs Pulseward. A person has to look.',
          {
            subject: 'gone',
            holds: 'always',
          },
        ),
      ]
    if (ran) {
      const less = asksPulsewardLess(before ?? '', after ?? '')
      const words =
        less === null
          ? 'This workflow runs Pulseward, and the change edits it.'
          : `It asks less of Pulseward: ${less}. A person has to look.`
      return [
        finding('gate-workflow-changed', 'critical', path, words, {
          subject: less === null ? 'changed' : 'less',
          holds: less === null ? 'never' : 'always',
        }),
      ]
    }
    return told.has(path)
      ? []
      : [
          finding(
            'ci-changed',
            before === null ? 'info' : 'warning',
            path,
            before === null ? 'A CI file was added.' : 'A CI file was changed.',
            { subject: 'changed' },
          ),
        ]
  })
  return [...weakened, ...plain]
}

const AGENT_FOLDERS =
  /(?:^|\/)\.(?:claude|codex|gemini|cursor|opencode|qoder|qwen|copilot|kiro|windsurf)\/|(?:^|\/)\.github\/(?:hooks|instructions|agents|prompts|chatmodes)\//
const AGENT_NAMES = new RegExp(
  `(?:^|/)(?:(?:${AGENT_RULES.join('|')})\\.md|\\.cursorrules|\\.windsurfrules|\\.mcp\\.json|\\.github/copilot-instructions\\.md)$`,
)
const SWITCHED_OFF =
  /["']?disableAllHooks["']?\s*[:=]\s*["']?(?:true|1|yes|on)\b|["']?hooksConfig["']?\s*[:=]\s*\{[^}]*["']?enabled["']?\s*[:=]\s*["']?false|["']?enableHooks["']?\s*[:=]\s*["']?false|(?:^|[{,.])\s*["']?(?:codex_)?hooks["']?\s*=\s*false|["']hooks["']\s*:\s*false|["']disabled["']\s*:\s*\[[^\]]*["']pulseward["']/m
const HOOKS_OFF = new RegExp(`${SWITCHED_OFF.source}|${SILENCES_BY_KEY.source}`, 'm')
/** Gemini and Qwen Code add such a file to their environment. */
const ENVIRONMENT = /(?:^|\/)\.env$/
/** Rules are sentences: they can mention a switch without switching anything. */
const SENTENCES = /\.(?:md|mdc|mdx|txt)$/

function isAgentFile(path: string): boolean {
  return AGENT_FOLDERS.test(path) || AGENT_NAMES.test(path)
}

function agentFindings({ path, before, after }: ChangedFile): readonly CustodyFinding[] {
  const isEnvironment = ENVIRONMENT.test(path)
  if (!isAgentFile(path) && !isEnvironment) return []
  const off = isEnvironment ? SILENCES_BY_LINE : HOOKS_OFF
  const switchesOff = (text: string | null): boolean =>
    text !== null && !SENTENCES.test(path) && off.test(text)
  if (after !== null && switchesOff(after) && !switchesOff(before))
    return [
      finding(
        'agent-hooks-off',
        'critical',
        path,
        'It switches the hooks of an agent program off, for every session in this repository.',
        {
          subject: 'off',
          line: lineOf(after, off),
        },
      ),
    ]
  if (!isAgentFile(path)) return []
  const words = after === null ? 'was deleted' : before === null ? 'was added' : 'was changed'
  return [
    finding('agent-config-changed', 'warning', path, `Configuration or rules of an agent program ${words}.`, {
      subject: 'changed',
    }),
  ]
}

function lineOf(text: string, pattern: RegExp): number | null {
  const at = text.search(pattern)
  return at < 0 ? null : text.slice(0, at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0)).split('\n').length
}

/** Limit of findings listed per change; the rest is only counted. */
const MAX_NAMED = 100

function testFindings(
  { removed, skipped }: TestChanges,
  { mayChange }: CustodyPolicy,
): readonly CustodyFinding[] {
  // Tests that no task may remove come first, so that many permitted removals don't hide them.
  const listed = <T extends { readonly path: string }>(tests: readonly T[]): readonly T[] =>
    tests
      .toSorted((one, other) => Number(mayChange(one.path)) - Number(mayChange(other.path)))
      .slice(0, MAX_NAMED)
  return [
    ...listed(removed).map(({ name, path }) =>
      finding('test-removed', 'critical', path, `The test "${name}" is gone.`, {
        subject: name,
        holds: mayChange(path) ? 'never' : 'measured',
      }),
    ),
    ...listed(skipped).map(({ name, path, line }) =>
      finding('test-skipped', 'critical', path, `The test "${name}" is switched off.`, {
        subject: name,
        line,
        holds: mayChange(path) ? 'never' : 'measured',
      }),
    ),
  ]
}

const REVIEW_RULES = /(?:^|\/)CODEOWNERS$/

function guardedFindings(
  changes: readonly ChangedFile[],
  policy: CustodyPolicy,
  tests: TestChanges,
): readonly CustodyFinding[] {
  const weakened = new Map(
    findWeakenings(
      changes
        .filter(({ path }) => policy.isProtected(path))
        .map(({ path, before, after, modeBefore, modeAfter }) => ({
          path,
          before: weightOf(path, before, modeBefore),
          after: weightOf(path, after, modeAfter),
        })),
      policy.mayChange,
    ).map(({ path, lost }) => [path, lost]),
  )
  const named = new Set([...tests.removed, ...tests.skipped].map(({ path }) => path))
  return changes.flatMap((change): readonly CustodyFinding[] => {
    const { path } = change
    if (REVIEW_RULES.test(path))
      return [
        finding('review-rules-changed', 'warning', path, 'Who has to review changes was changed.', {
          subject: 'changed',
        }),
      ]
    if (policy.mayChange(path)) return []
    const executed = policy.executed.get(path) ?? []
    if (executed.some(({ part, perhapsSubject }) => counts(change, part, perhapsSubject)))
      return [checkFileFinding(change)]
    return isGuarded(change, policy) ? protectedFindings(change, weakened.get(path), named.has(path)) : []
  })
}

function checkFileFinding(change: ChangedFile): CustodyFinding {
  const { path, modeBefore, modeAfter } = change
  if (modeAfter === null)
    return finding(
      'check-file-removed',
      'critical',
      path,
      'A check executes this file, and it was deleted.',
      {
        subject: 'deleted',
        holds: 'measured',
      },
    )
  const words =
    modeBefore === null
      ? 'A check would execute this new file'
      : 'A check executes this file, and it was changed'
  return finding('check-file-changed', 'warning', path, `${words}${sayParts(change)}.`, {
    subject: 'changed',
    holds: 'measured',
  })
}

/** `isNamed`: true if other findings already name the lost tests. */
function protectedFindings(
  change: ChangedFile,
  loss: string | undefined,
  isNamed: boolean,
): readonly CustodyFinding[] {
  const { path, modeBefore, modeAfter, after, before } = change
  if (modeAfter === null) {
    const gone = { subject: 'deleted', holds: 'measured' } as const
    return loss === undefined || isNamed
      ? []
      : [finding('protected-file-removed', 'critical', path, `It was ${loss}.`, gone)]
  }
  if (loss !== undefined) {
    const weaker = { subject: 'weakened', holds: 'measured' } as const
    return isNamed ? [] : [finding('protected-file-weakened', 'critical', path, sentence(loss), weaker)]
  }
  const hooks = newHooks(path, before, after)
  const isOfTests = hooks.length === 0 && isTestData(path, after ?? before)
  if (isNamed || (modeBefore === null && isOfTests)) return []
  const words =
    modeBefore === null
      ? 'A new file that decides what checks say'
      : 'It decides what checks say, and was changed'
  return [
    finding(
      'protected-file-changed',
      isOfTests ? 'info' : 'warning',
      path,
      `${words}${sayParts(change)}.${sayHooks(hooks)}`,
      { subject: 'changed' },
    ),
  ]
}

/** Returns a file's weight; `NO_WEIGHT` for one that exists but was not read. */
function weightOf(path: string, text: string | null, mode: string | null): TestWeight | null {
  if (mode === null) return null
  return text === null ? NO_WEIGHT : weighTests(path, text)
}

/** Returns whether a file is a test or test data, which a good change should add. */
function isTestData(path: string, text: string | null): boolean {
  const isSteering =
    /(?:^|\/)(?:conftest\.py|sitecustomize\.py|usercustomize\.py|[^/]*\.pth|[^/]*(?:config|setup|preset)[^/]*\.[cm]?[jt]s|[^/]*\.(?:toml|ini|cfg))$/.test(
      path,
    )
  if (isSteering) return false
  return (
    (text !== null && weighTests(path, text).tests > 0) ||
    /(?:^|\/)(?:tests?|__tests__|specs?|e2e|fixtures|__fixtures__|testdata|test-data|goldens?|snapshots|__snapshots__|expected)\//.test(
      path,
    )
  )
}

function sayHooks(hooks: readonly string[]): string {
  return hooks.length === 0
    ? ''
    : ` It runs around every test: ${hooks.map((hook) => `\`${hook}\``).join(', ')}.`
}

function sayParts({ path, before, after }: TextChange): string {
  if (!isMixed(path) || before === null || after === null) return ''
  const [old, now] = [steeringParts(path, before), steeringParts(path, after)]
  if (old === null || now === null) return ''
  const parts = [...new Set([...old.keys(), ...now.keys()])].filter((part) => old.get(part) !== now.get(part))
  return parts.length === 0 ? '' : `: ${parts.slice(0, 5).join(', ')}`
}

function gitFindings(
  { path, modeBefore, modeAfter, after }: ChangedFile,
  isGuardedPath: boolean,
): readonly CustodyFinding[] {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const found: CustodyFinding[] = []
  if (name === '.gitattributes')
    found.push(
      finding(
        'gitattributes-changed',
        'warning',
        path,
        'Rules for how git stores, filters or shows files were changed.',
        { subject: 'changed' },
      ),
    )
  if (name === '.gitignore')
    found.push(
      finding('gitignore-changed', 'info', path, 'Rules for what git ignores were changed.', {
        subject: 'changed',
      }),
    )
  if (name === '.gitmodules' || modeBefore === '160000' || modeAfter === '160000')
    found.push(
      finding(
        'submodule-changed',
        'warning',
        path,
        'A submodule was added, moved or removed: its contents are not part of this change.',
        { subject: 'changed' },
      ),
    )
  const isLink = modeAfter === '120000'
  if (isLink || (modeBefore === '120000' && modeAfter !== null))
    found.push(
      finding(
        'link-changed',
        'warning',
        path,
        isLink
          ? `${modeBefore === modeAfter ? 'The symbolic link leads elsewhere now' : 'It is a symbolic link now'}${after === null ? '' : `, to ${JSON.stringify(after.slice(0, 200))}`}.`
          : 'It is no longer a symbolic link.',
        { subject: 'link' },
      ),
    )
  else if (
    modeBefore !== null &&
    modeAfter !== null &&
    modeBefore !== modeAfter &&
    isRegular(modeBefore) &&
    isRegular(modeAfter)
  ) {
    const lost = modeAfter === '100644'
    found.push(
      finding(
        'mode-changed',
        isGuardedPath && lost ? 'critical' : 'info',
        path,
        lost ? 'It is no longer executable.' : 'It became executable.',
        {
          subject: modeAfter,
          holds: isGuardedPath && lost ? 'measured' : 'never',
        },
      ),
    )
  }
  return found
}

function isRegular(mode: string): boolean {
  return mode === '100644' || mode === '100755'
}

function reachingFindings(
  { path, before, after }: ChangedFile,
  isLoaded: boolean,
): readonly CustodyFinding[] {
  if (after === null || !mayReach(path)) return []
  const known = before === null ? [] : reachesFor(path, before, isLoaded)
  return reachesFor(path, after, isLoaded)
    .filter((words) => !known.includes(words))
    .map((words) =>
      finding(
        'reaches-test-runner',
        'warning',
        path,
        `It reaches for ${words} since this change. A person has to look.`,
        { subject: words, holds: 'always' },
      ),
    )
}

function sentence(words: string): string {
  const text = words.charAt(0).toUpperCase() + words.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
