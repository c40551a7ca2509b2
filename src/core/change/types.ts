import type { Fault } from '../vocabulary/fault.ts'
import type { GateStatus } from '../vocabulary/gate.ts'
import type { PolicySource } from '../vocabulary/policy-source.ts'
import type { Severity } from '../vocabulary/severity.ts'
import type { Verdict } from '../vocabulary/verdict.ts'

/** Which half of a change is judged: `custody` reads git objects only, `measure` runs the base's checks. */
export const CHANGE_PARTS = ['all', 'custody', 'measure'] as const
export type ChangePart = (typeof CHANGE_PARTS)[number]

/** One thing that the change did to the files that decide its verdict. */
export interface Finding {
  readonly code: FindingCode
  readonly severity: Severity
  /** Relative to the top of the repository, with `/`. */
  readonly path: string
  /** Line of head's file, from 1; `null` if the finding is about no particular line. */
  readonly line: number | null
  readonly message: string
  /** Stays the same when lines move and numbers change. */
  readonly fingerprint: string
}

/** Every code with a one-line description, as SARIF lists them. */
export const FINDING_CODES = {
  'test-removed': 'A test of the base is gone.',
  'test-skipped': 'A test of the base is switched off.',
  'protected-file-removed': 'A file that decides what checks say was deleted.',
  'protected-file-weakened': 'A file that decides what checks say asks for less.',
  'protected-file-changed': 'A file that decides what checks say was changed.',
  'check-file-removed': 'A file that a check executes was deleted.',
  'check-file-changed': 'A file that a check executes was changed.',
  'policy-weakened': 'The contract or configuration was weakened. The base’s copy decides this verdict.',
  'policy-changed': 'The contract or configuration was changed. The base’s copy decides this verdict.',
  'ci-weakened': 'A step of the CI workflow is gone or can no longer fail.',
  'ci-changed': 'The CI configuration was changed.',
  'gate-workflow-changed': 'The workflow that runs Pulseward was changed.',
  'review-rules-changed': 'The rules for who reviews a change were changed.',
  'agent-hooks-off': 'Hooks of an agent program are switched off.',
  'agent-config-changed': 'Configuration or rules of an agent program were changed.',
  'dependency-without-lock': 'A dependency was changed and its lock entry was not.',
  'gitattributes-changed': 'The rules for how git stores and shows files were changed.',
  'gitignore-changed': 'The rules for what git ignores were changed.',
  'submodule-changed': 'A submodule was changed.',
  'mode-changed': 'The executable bit of a file was changed.',
  'link-changed': 'A symbolic link was added, changed or replaced by a file.',
  'reaches-test-runner': 'A source reaches for what runs its tests.',
} as const satisfies Record<string, string>
export type FindingCode = keyof typeof FINDING_CODES

/** A finding before it gets its fingerprint, with its effect on the verdict. */
export interface CustodyFinding extends Omit<Finding, 'fingerprint'> {
  /** What it is about, without line or number; code, path and subject together make the fingerprint. */
  readonly subject: string
  /**
   * Whether it holds the change for review: `never` only reports it; `measured` holds it unless the checks pass with the base's files;
   * `always` holds it whatever is measured.
   */
  readonly holds: 'never' | 'measured' | 'always'
}

export const CLAIM_KINDS = [
  'file',
  'tests-added',
  'tests-pass',
  'tests-unchanged',
  'docs-only',
  'regression-test',
  'value',
  'box',
  'issue',
  'quality',
  'coverage',
] as const
export type ClaimKind = (typeof CLAIM_KINDS)[number]

/** What a claim of each kind is about, in words, if the claim doesn't name it. */
export const CLAIM_SUBJECTS: Readonly<Record<ClaimKind, string>> = {
  file: 'files',
  'tests-added': 'new tests',
  'tests-pass': 'tests',
  'tests-unchanged': 'existing tests',
  'docs-only': 'what changed',
  'regression-test': 'regression test',
  value: 'value',
  box: 'checklist',
  issue: 'issue',
  quality: 'quality',
  coverage: 'coverage',
}

/** A claim of the description, compared with what was measured. */
export interface ChangeClaim {
  /** The claim's own words, on one line. */
  readonly text: string
  readonly kind: ClaimKind
  /** What it is about: a path, a probe, an issue; empty if it is the change as a whole. */
  readonly subject: string
  readonly claimed: string
  /** `null` if nothing was measured about it. */
  readonly measured: string | null
  /** `null` if it was not measured; it can't count against the author then. */
  readonly equal: boolean | null
}

/** How one check ended on one side. */
export interface CheckSide {
  readonly status: GateStatus
  readonly exitCode: number | null
  readonly durationMs: number
  /** What it printed last, or why it could not run. */
  readonly detail: string
  readonly passed: number | null
  readonly failed: number | null
  readonly skipped: number | null
  /** Names of the tests that failed, at most 50. */
  readonly failing: readonly string[]
}

export interface CheckResult {
  readonly name: string
  /** The folder it runs in, relative to the top; empty for the top itself. */
  readonly folder: string
  readonly command: readonly string[]
  readonly base: CheckSide | null
  readonly head: CheckSide | null
  /** `null`: every check file matches the base, so no clean room was needed. */
  readonly cleanRoom: CheckSide | null
  /** The runner whose report was read; `null` if judged by its exit code alone. */
  readonly report: string | null
}

export interface AddedTest {
  readonly name: string
  /** Whether it fails on the base; `null` if unknown. */
  readonly redFirst: boolean | null
}

/** The document of `pulseward verify --json`. */
export interface ChangeVerdict {
  /** `null`: there was nothing to judge, or nothing could be measured. */
  readonly verdict: Verdict | null
  readonly applicable: boolean
  readonly held: boolean
  readonly groundTruthContradiction: boolean
  readonly fault: Fault | null
  readonly reasons: readonly string[]
  readonly base: { readonly commit: string; readonly tree: string }
  readonly head: { readonly commit: string; readonly tree: string; readonly dirty: boolean }
  readonly policy: {
    /** Paths at the base; `null` if there is none. */
    readonly contract: string | null
    readonly config: string | null
    readonly source: PolicySource
    readonly sha256: string | null
  }
  readonly contracts: readonly {
    readonly path: string
    readonly tasks: readonly {
      readonly taskId: string
      readonly verdict: Verdict | null
      readonly reasons: readonly string[]
    }[]
  }[]
  readonly custody: readonly Finding[]
  readonly checks: readonly CheckResult[]
  readonly tests: {
    readonly lost: readonly string[]
    readonly added: readonly AddedTest[]
    readonly skipped: readonly string[]
  }
  readonly claims: readonly ChangeClaim[]
  readonly durationMs: number
  readonly verifier: { readonly version: string }
}
