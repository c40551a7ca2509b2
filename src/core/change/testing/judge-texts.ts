import { protectionBy } from '../../custody/protected.ts'
import { holdClaims } from '../claims.ts'
import { type ChangedFile, findCustody } from '../custody-findings.ts'
import { readDescription } from '../description.ts'
import { exitCodeOf, judgeChange } from '../judge-change.ts'
import type { MeasuredChange } from '../measured-change.ts'
import { namesTests } from '../test-cases.ts'
import type { ChangeClaim, CustodyFinding } from '../types.ts'

export type Texts = Readonly<Record<string, string>>

/** An in-memory change, judged as by `--part custody`: the base, where head differs (`null` if deleted), and its own description. */
export interface TextScene {
  readonly base: Texts
  readonly head: Readonly<Record<string, string | null>>
  readonly claims?: string
  readonly template?: string
  /** Files that checks execute. */
  readonly executed?: readonly string[]
  readonly suite?: MeasuredChange['suite']
  /** Files that the claimed tasks may change. */
  readonly mayChange?: readonly string[]
}

export interface TextAnswer {
  readonly exit: 0 | 1 | 3 | 4
  readonly codes: readonly string[]
  readonly findings: readonly CustodyFinding[]
  readonly claims: readonly ChangeClaim[]
}

export function judgeTexts({
  base,
  head,
  claims = '',
  template = '',
  executed = [],
  suite = null,
  mayChange = [],
}: TextScene): TextAnswer {
  const after = new Map(
    Object.entries({ ...base, ...head }).filter((entry): entry is [string, string] => entry[1] !== null),
  )
  const changes = Object.keys({ ...base, ...head }).flatMap((path): ChangedFile[] => {
    const [before, now] = [base[path] ?? null, after.get(path) ?? null]
    if (before === now) return []
    return [
      {
        path,
        before,
        after: now,
        modeBefore: before === null ? null : '100644',
        modeAfter: now === null ? null : '100644',
      },
    ]
  })
  const isProtected = protectionBy(['default'])
  const custody = findCustody(changes, {
    isProtected,
    executed: new Map(executed.map((path) => [path, [{ part: null, perhapsSubject: false }]])),
    mayChange: (path) => mayChange.includes(path),
    isPolicy: (path) => /(?:^|\/)(?:HEARTBEAT\.md|pulseward\.toml)$/.test(path),
    isFile: (path) => after.has(path),
    isLoaded: () => false,
  })
  const held = holdClaims(readDescription(claims, { template }), {
    changes,
    renamed: [],
    isFileNow: (path) => after.has(path),
    isFileBefore: (path) => Object.hasOwn(base, path),
    endingIn: (path) => [...after.keys()].filter((each) => each.endsWith(`/${path}`)),
    touched: new Set(),
    isIgnored: () => false,
    isTestFile: (path) => isProtected(path) && (namesTests(path) || /(?:^|\/)tests?\//.test(path)),
    tests: custody.tests,
    suite,
    isGreen: suite === null ? null : suite.failed === 0,
    commands: new Map(suite === null ? [] : [['npm test', suite.failed === 0]]),
    readings: [],
    probeNames: [],
    boxes: new Map([
      ['tests pass', { check: 'npm test', passed: suite === null ? null : suite.failed === 0 }],
    ]),
  })
  const decision = judgeChange({
    claims: held,
    findings: custody.findings,
    gates: [],
    cleanRoom: null,
    lost: [],
    silenced: [],
    unreached: [],
    tasks: [],
  })
  return {
    exit: exitCodeOf({ ...decision, applicable: true }, { held: 'fail' }),
    codes: custody.findings.map(({ code }) => code),
    findings: custody.findings,
    claims: held,
  }
}
