import type { ClaimSource } from '../vocabulary/evidence.ts'
import type { ClaimStatus } from '../vocabulary/task.ts'

/** Any JSON value: what a claim, a probe or an expression can contain. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

/** A file that the agent points at, with the lines it names (from 1, inclusive) if any. */
export interface FileReference {
  /** As the agent wrote it, relative to the workspace or absolute; not normalized here. */
  readonly path: string
  /** The whole entry of a report if it contains more than the path, because that may be part of the name: `copy (2)`, `a:12`. */
  readonly entry?: string
  readonly startLine?: number
  readonly endLine?: number
}

/** What an agent says about one task at the end of an attempt. */
export interface Claim {
  /** `null`: the agent gave none. */
  readonly status: ClaimStatus | null
  /** Values by probe name; a dotted path is allowed (`tests.passed`). */
  readonly values: Readonly<Record<string, JsonValue>>
  /** Files that it says it wrote, modified or deleted. */
  readonly files: readonly FileReference[]
  /** What it offers as evidence, as written. */
  readonly evidence: readonly string[]
  /** The value of `EXIT_SIGNAL`; `null` if the agent gave none. */
  readonly exitSignal: boolean | null
  readonly source: ClaimSource
  /** Problems with the report itself, in words: not valid JSON, wrong shape, names another task. */
  readonly notes: readonly string[]
  /** True if it claims more values or files than are read; the rest may be anything. */
  readonly isPartlyUnread?: boolean
  /** Why it does not claim completion although it says how the work ended: another status, or unfinished work that it names. In words. */
  readonly incomplete?: string
  /** True if it says that nothing had to be changed, and names what shows it. */
  readonly alreadyTrue?: true
}

/** The claim of an agent that said nothing. */
export const NO_CLAIM: Claim = {
  status: null,
  values: {},
  files: [],
  evidence: [],
  exitSignal: null,
  source: 'none',
  notes: [],
}
