import type { VerdictFacts } from './facts.ts'
import type { TestResult } from './statement.ts'
import {
  bounded,
  first,
  type Property,
  type Sealed,
  STATEMENT_TYPE,
  type Statement,
  type Subject,
  SVR,
  TEST_RESULT,
  VERDICT,
  type VerdictStatement,
} from './statement.ts'

/** Returns the hex SHA-256 of a text's UTF-8 bytes. */
export type Sha256 = (text: string) => string

/**
 * Returns the statements of one verdict: always ours; a Test Result if a check ran; a Simple Verification Result only if a property is
 * true, so a rejected verdict has none.
 */
export function buildStatements(facts: VerdictFacts, keyid: string, sha256: Sha256): readonly Statement[] {
  const subject = [subjectOf(facts, keyid)] satisfies [Subject]
  const properties = propertiesOf(facts)
  const policies = first(facts.policies)
  const tests = { result: resultOf(facts), ...namesByResult(facts) }
  const seals = {
    tests: facts.checks.length === 0 ? null : sha256(canonical(tests)),
    properties: properties.length === 0 ? null : sha256(canonical(properties)),
  }
  return [
    {
      _type: STATEMENT_TYPE,
      subject,
      predicateType: VERDICT,
      predicate: verdictPredicate(facts, subject[0], sha256, seals),
    },
    ...(facts.checks.length === 0
      ? []
      : [
          {
            _type: STATEMENT_TYPE,
            subject,
            predicateType: TEST_RESULT,
            predicate: { ...tests, configuration: policies },
          } as const,
        ]),
    ...(properties.length === 0
      ? []
      : [
          {
            _type: STATEMENT_TYPE,
            subject,
            predicateType: SVR,
            predicate: {
              verifier: { id: facts.verifier.id, policies },
              timeCreated: facts.timeCreated,
              properties,
            },
          } as const,
        ]),
  ]
}

/** Returns the properties that a verdict's measurements show. An operator's verdict, a rejection and held work show none. */
export function propertiesOf(facts: VerdictFacts): Property[] {
  const { verdict, decidedBy, held, contradiction, checks, claims, testsLost } = facts
  if (verdict !== 'verified' || decidedBy !== 'measurement' || held !== null || contradiction) return []
  const properties: Property[] = []
  if (checks.length > 0 && checks.every(({ passed }) => passed === true))
    properties.push('PULSEWARD_CHECKS_HOLD_WITH_BASE_INSTRUMENTS')
  if (testsLost === 0) properties.push('PULSEWARD_TESTS_KEPT')
  if (claims.some(({ equal }) => equal === true) && claims.every(({ equal }) => equal !== false))
    properties.push('PULSEWARD_CLAIMS_MEASURED')
  return properties
}

function subjectOf({ subject, verifier, timeCreated }: VerdictFacts, keyid: string): Subject {
  const { name, commit, tree } = subject
  return {
    name: bounded(name),
    digest: { ...(commit !== null && { gitCommit: commit }), gitTree: tree },
    annotations: { verifier: verifier.id, keyid, timeCreated },
  }
}

function resultOf({ verdict, checks }: VerdictFacts): TestResult {
  if (verdict === 'not_verified' || checks.some(({ passed }) => passed === false)) return 'FAILED'
  return verdict === 'verified' && checks.every(({ passed }) => passed === true) ? 'PASSED' : 'WARNED'
}

function namesByResult({ checks }: VerdictFacts) {
  const named = (result: boolean | null): string[] =>
    first(checks.filter(({ passed }) => passed === result).map(({ name }) => bounded(name)))
  return { passedTests: named(true), warnedTests: named(null), failedTests: named(false) }
}

function verdictPredicate(
  facts: VerdictFacts,
  subject: Subject,
  sha256: Sha256,
  beside: { readonly tests: string | null; readonly properties: string | null },
): VerdictStatement['predicate'] {
  const { task, record, base, held } = facts
  const predicate = {
    verifier: measured({ id: facts.verifier.id, version: facts.verifier.version }),
    timeCreated: measured(facts.timeCreated),
    source: measured(facts.source),
    verdict: measured(facts.verdict),
    decidedBy: measured(facts.decidedBy),
    measuredVerdict: measured(facts.measuredVerdict),
    contradiction: measured(facts.contradiction),
    fault: measured(facts.fault),
    held: measured(held === null ? null : { because: held.because, files: first(held.files).map(bounded) }),
    reasons: measured(first(facts.reasons).map(bounded)),
    claims: first(facts.claims).map(({ text, subject: about, claimed: said, measured: found, equal }) => ({
      text: claimed(text === null ? null : bounded(text)),
      subject: claimed(bounded(about)),
      claimed: claimed(said === null ? null : bounded(said)),
      measured: measured(found === null ? null : bounded(found)),
      equal: measured(equal),
    })),
    task: measured(task === null ? null : { id: bounded(task.id), digest: { sha256: task.sha256 } }),
    policies: measured(first(facts.policies)),
    base: measured(base === null ? null : { gitCommit: base.commit, gitTree: base.tree }),
    record: measured(record === null ? null : { ...record }),
  }
  const seals = sealsOf({ subject, predicate }, sha256)
  return { ...predicate, seals: measured({ ...seals, ...beside }) }
}

/** Returns a digest of each part, so that a changed part can be named. A digest alone proves nothing: the signature covers it. */
export function sealsOf(
  statement: { readonly subject: Subject; readonly predicate: Omit<VerdictStatement['predicate'], 'seals'> },
  sha256: Sha256,
): Record<Sealed, string> {
  const { policies, claims, record, ...verdict } = statement.predicate
  const digest = (part: unknown): string => sha256(canonical(part))
  return {
    subject: digest(statement.subject),
    policy: digest(policies),
    claims: digest(claims),
    record: digest(record),
    verdict: digest(verdict),
  }
}

/** Returns JSON with the keys of every object sorted, so that equal values give equal text. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1)))
      : inner,
  )
}

function measured<Value>(value: Value): { by: 'verifier'; value: Value } {
  return { by: 'verifier', value }
}

function claimed<Value>(value: Value): { by: 'claimant'; value: Value } {
  return { by: 'claimant', value }
}
