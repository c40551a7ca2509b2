import { buildStatements } from '../../core/attestation/build-statements.ts'
import type { VerdictFacts } from '../../core/attestation/facts.ts'
import { sha256 } from '../files/sha256.ts'
import { type SigningKey, seal } from './envelope.ts'

/** Returns the envelopes of one verdict, one per line. */
export function signFacts(facts: VerdictFacts, key: SigningKey): readonly string[] {
  return buildStatements(facts, key.keyid, sha256).map((statement) => seal(statement, key))
}
