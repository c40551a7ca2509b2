import { readJson } from '../text/json.ts'
import { canonical, type Sha256, sealsOf } from './build-statements.ts'
import { type TrustedKey, whyNotAt, whyNotFor } from './keys.ts'
import {
  type Policy,
  type Sealed,
  type Statement,
  SVR,
  statementSchema,
  VERDICT,
  type VerdictStatement,
} from './statement.ts'

/** The parts that an alteration can affect. */
export const ALTERATIONS = [
  'envelope',
  'signature',
  'key',
  'statement',
  'subject',
  'tree',
  'policy',
  'claims',
  'record',
  'verdict',
  'tests',
  'properties',
] as const
export type Alteration = (typeof ALTERATIONS)[number]

export interface AttestationProblem {
  /** Line of the file or note, from 1; 0 for all of it. */
  readonly line: number
  readonly what: Alteration
  /** A sentence: what was found, and what was expected. */
  readonly message: string
}

/** One opened envelope: its shape was parsed and its signature compared with every trusted key. */
export interface OpenedEnvelope {
  readonly line: number
  /** The envelope's own claim about its key. Not reliable until it agrees with what is signed. */
  readonly keyid: string
  /** The signed text. */
  readonly payload: string
  /** The trusted keys that verify the signature. */
  readonly signedBy: readonly TrustedKey[]
}

/** What statements are compared with on this machine. Anything missing here is reported as not compared. */
export interface Surroundings {
  readonly trusted: readonly TrustedKey[]
  /** The required subject of the statements; `null` for any. */
  readonly expected: { readonly commit: string | null; readonly tree: string } | null
  /** Returns the tree of a commit; `null` if the commit is not here. */
  treeOf(commit: string): string | null
  /**
   * Returns the hex SHA-256 of a file of a commit; `null` if the commit is here but has no such file, `undefined` if the commit is not
   * here.
   */
  fileOf(commit: string, path: string): string | null | undefined
  /**
   * Returns the hex SHA-256 of a line of the record; `null` if the record is here but has no such line, `undefined` if the record is not
   * here.
   */
  lineOf(workspace: string, seq: number): string | null | undefined
  readonly sha256: Sha256
}

export interface CheckedStatement {
  readonly line: number
  readonly keyid: string
  readonly statement: Statement
}

export interface AttestationCheck {
  readonly problems: readonly AttestationProblem[]
  /** The statements without alterations. */
  readonly sound: readonly CheckedStatement[]
  /** The newest sound verdict, of those signed together the last one recorded; `null` if there is none. */
  readonly verdict: VerdictStatement | null
  /** What could not be compared here, one sentence each. */
  readonly notCompared: readonly string[]
}

/** Compares envelopes with keys, with each other and with this machine's data, and names every alteration. */
export function checkAttestation(
  opened: readonly OpenedEnvelope[],
  surroundings: Surroundings,
): AttestationCheck {
  const read = opened.map((envelope) => ({ envelope, reading: readStatement(envelope) }))
  const verdicts = read.flatMap(({ reading }) =>
    'statement' in reading && reading.statement.predicateType === VERDICT ? [reading.statement] : [],
  )
  const notCompared = new Set<string>()
  const checked = read.map(({ envelope, reading }) => {
    const found: Found[] = [
      ...keyProblems(envelope, surroundings),
      ...('problem' in reading
        ? [{ what: 'statement' as const, message: reading.problem }]
        : [
            ...signerProblems(envelope, reading.statement),
            ...ownProblems(reading.statement, surroundings.sha256),
            ...siblingProblems(reading.statement, verdicts, surroundings.sha256),
            ...placeProblems(reading.statement, surroundings, notCompared),
          ]),
    ]
    return { envelope, reading, found }
  })
  const sound = checked.flatMap(({ envelope: { line, keyid }, reading, found }) =>
    'statement' in reading && found.length === 0 ? [{ line, keyid, statement: reading.statement }] : [],
  )
  const soundVerdicts = sound.flatMap(({ statement }) =>
    statement.predicateType === VERDICT ? [statement] : [],
  )
  const newest = soundVerdicts.toSorted(
    (left, right) => timeOf(right) - timeOf(left) || placeInRecord(right) - placeInRecord(left),
  )
  return {
    problems: checked.flatMap(({ envelope: { line }, found }) => found.map((one) => ({ line, ...one }))),
    sound,
    verdict: newest[0] ?? null,
    notCompared: [...notCompared],
  }
}

type Found = Omit<AttestationProblem, 'line'>

function timeOf({ predicate }: VerdictStatement): number {
  return Date.parse(predicate.timeCreated.value)
}

/** Orders the verdicts of several attempts that left one tree: `attest COMMIT` signs them at the same time. */
function placeInRecord({ predicate }: VerdictStatement): number {
  return predicate.record.value?.seq ?? 0
}

function readStatement({ payload }: OpenedEnvelope): { statement: Statement } | { problem: string } {
  let json: unknown
  try {
    json = JSON.parse(payload)
  } catch {
    return { problem: 'the signed text is not JSON' }
  }
  const parsed = statementSchema.safeParse(json)
  if (parsed.success) return { statement: parsed.data }
  const [issue] = parsed.error.issues
  const path = issue?.path.map(String).join('.') || 'the whole'
  return { problem: `not a statement of Pulseward (${path}: ${issue?.message})` }
}

function keyProblems({ keyid, payload, signedBy }: OpenedEnvelope, { trusted }: Surroundings): Found[] {
  if (signedBy.length === 0) {
    const isNamed = trusted.some((key) => key.keyid === keyid)
    const isUnnamed = trusted.some((key) => key.keyid === null)
    if (!isNamed && !isUnnamed)
      return [{ what: 'key', message: `signed by ${keyid}, which is not trusted here` }]
    const whose = isNamed ? `of ${keyid}` : 'of any trusted key'
    return [
      {
        what: 'signature',
        message: `not the signature ${whose}: the contents or the signature were changed`,
      },
    ]
  }
  const about = readJson(statementSchema, payload)?.subject[0] ?? null
  if (about === null) return []
  const reasons = signedBy.map(
    (key) =>
      (key.keyid !== null && key.keyid !== keyid
        ? `the envelope names ${keyid}, and ${key.keyid} signed it`
        : null) ??
      whyNotAt(key, about.annotations.timeCreated) ??
      whyNotFor(key, about.annotations.verifier, about.name),
  )
  // A key may be listed several times, for several repositories; one match is enough.
  const [first] = reasons
  return reasons.includes(null) || first == null ? [] : [{ what: 'key', message: first }]
}

/** Returns where envelope, subject and predicate disagree about the signer and the time. */
function signerProblems({ keyid }: OpenedEnvelope, { subject: [subject], ...statement }: Statement): Found[] {
  const { annotations } = subject
  const found: Found[] = []
  if (annotations.keyid !== keyid)
    found.push({
      what: 'key',
      message: `the envelope names ${keyid}, and what is signed names ${annotations.keyid}`,
    })
  const signer =
    statement.predicateType === SVR
      ? { id: statement.predicate.verifier.id, time: statement.predicate.timeCreated }
      : statement.predicateType === VERDICT
        ? { id: statement.predicate.verifier.value.id, time: statement.predicate.timeCreated.value }
        : null
  if (signer !== null && (signer.id !== annotations.verifier || signer.time !== annotations.timeCreated))
    found.push({ what: 'statement', message: 'subject and predicate name different verifiers or times' })
  return found
}

const SEAL_WORDS: Readonly<Record<Sealed, string>> = {
  subject: 'the subject of the statement was changed',
  policy: 'the policy digests were changed',
  claims: 'a claim or its measurement was changed',
  record: 'the position in the record was changed',
  verdict: 'the verdict, or the description of how it was reached, was changed',
}

function ownProblems(statement: Statement, sha256: Sha256): Found[] {
  if (statement.predicateType !== VERDICT) return []
  const { seals, ...predicate } = statement.predicate
  const actual = sealsOf({ subject: statement.subject[0], predicate }, sha256)
  return (Object.keys(SEAL_WORDS) as Sealed[])
    .filter((part) => seals.value[part] !== actual[part])
    .map((part) => ({ what: part, message: SEAL_WORDS[part] }))
}

/**
 * Returns where a Test Result or Simple Verification Result disagrees with the verdict it came with, or is not the one that the verdict
 * names.
 */
function siblingProblems(
  statement: Statement,
  verdicts: readonly VerdictStatement[],
  sha256: Sha256,
): Found[] {
  if (statement.predicateType === VERDICT || verdicts.length === 0) return []
  const [subject] = statement.subject
  const same = verdicts.filter((verdict) => canonical(verdict.subject[0]) === canonical(subject))
  if (same.length === 0)
    return [{ what: 'subject', message: 'has a different subject than the verdict beside it' }]
  const policies = policiesOf(statement)
  const found: Found[] = []
  if (!same.some(({ predicate }) => canonical(predicate.policies.value) === canonical(policies)))
    found.push({ what: 'policy', message: 'has different policy digests than the verdict beside it' })
  const [what, part] = besidePart(statement)
  const digest = sha256(canonical(part))
  // Verdicts of earlier versions do not name it.
  if (!same.some(({ predicate }) => (predicate.seals.value[what] ?? digest) === digest))
    found.push({ what, message: BESIDE_WORDS[what] })
  return found
}

const BESIDE_WORDS = {
  tests: 'the results of checks were changed: the verdict beside it names others',
  properties: 'the properties were changed: the verdict beside it names others',
} as const

/** Returns the part of a statement that the verdict beside it names by digest. */
function besidePart(statement: Exclude<Statement, VerdictStatement>): [keyof typeof BESIDE_WORDS, unknown] {
  if (statement.predicateType === SVR) return ['properties', statement.predicate.properties]
  const { configuration: _, ...results } = statement.predicate
  return ['tests', results]
}

function policiesOf(statement: Statement): readonly Policy[] {
  if (statement.predicateType === VERDICT) return statement.predicate.policies.value
  return statement.predicateType === SVR
    ? statement.predicate.verifier.policies
    : statement.predicate.configuration
}

/** Compares a statement with this machine's data: the commit, the tree, the policy's files and the record. */
function placeProblems(statement: Statement, surroundings: Surroundings, notCompared: Set<string>): Found[] {
  const [{ digest }] = statement.subject
  const { expected, treeOf } = surroundings
  const found: Found[] = []
  if (expected?.commit != null && digest.gitCommit !== undefined && digest.gitCommit !== expected.commit)
    found.push({ what: 'subject', message: `about commit ${digest.gitCommit}, not ${expected.commit}` })
  if (expected !== null && digest.gitTree !== expected.tree)
    found.push({ what: 'tree', message: `about tree ${digest.gitTree}, not ${expected.tree}` })
  if (digest.gitCommit !== undefined) {
    const tree = treeOf(digest.gitCommit)
    if (tree === null) notCompared.add(`commit ${digest.gitCommit}: it is not in this repository`)
    else if (tree !== digest.gitTree)
      found.push({
        what: 'tree',
        message: `commit ${digest.gitCommit} has tree ${tree}, and the statement names ${digest.gitTree}`,
      })
  }
  return [
    ...found,
    ...policiesOf(statement).flatMap((policy) => policyProblem(policy, surroundings, notCompared)),
    ...recordProblem(statement, surroundings, notCompared),
  ]
}

function policyProblem(
  { name, digest, annotations }: Policy,
  { fileOf }: Surroundings,
  notCompared: Set<string>,
): Found[] {
  if (annotations === undefined) {
    notCompared.add(`${name}: no commit contains the version that decided`)
    return []
  }
  const { commit, path } = annotations
  const actual = fileOf(commit, path)
  if (actual === undefined) notCompared.add(`${name}: commit ${commit} is not in this repository`)
  if (actual === undefined || actual === digest.sha256) return []
  return [
    {
      what: 'policy',
      message:
        actual === null
          ? `commit ${commit} has no ${path}`
          : `${path} of commit ${commit} has the digest ${actual}, and the statement names ${digest.sha256}`,
    },
  ]
}

function recordProblem(statement: Statement, { lineOf }: Surroundings, notCompared: Set<string>): Found[] {
  const record = statement.predicateType === VERDICT ? statement.predicate.record.value : null
  if (record === null) return []
  const actual = lineOf(record.workspace, record.seq)
  if (actual === undefined)
    notCompared.add(`record: the record of ${record.workspace} is not on this machine`)
  if (actual === undefined || actual === record.lineSha256) return []
  const what = actual === null ? 'is gone' : 'is not the line that was attested'
  return [{ what: 'record', message: `line ${record.seq} of the record of ${record.workspace} ${what}` }]
}
