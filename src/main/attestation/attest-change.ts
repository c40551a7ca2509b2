import { buildStatements } from '../../core/attestation/build-statements.ts'
import type { VerdictFacts } from '../../core/attestation/facts.ts'
import { attestableChangeSchema, factsOfChange } from '../../core/attestation/facts-of-change.ts'
import { VERDICT, VERIFIER_ID } from '../../core/attestation/statement.ts'
import { sha256 } from '../files/sha256.ts'
import type { SigningKey } from './envelope.ts'
import { digestOfFile, type Git, readRepositoryName } from './repository.ts'
import { signFacts } from './sign-facts.ts'

/** Signs what `pulseward verify` found; signs nothing if nothing was judged. `document`: the output of `verify --json`. */
export async function attestChange(
  document: unknown,
  { key, ...place }: Place & { readonly key: SigningKey },
): Promise<readonly string[]> {
  const facts = await factsOf(document, place)
  return facts === null ? [] : signFacts(facts, key)
}

/** Returns what `pulseward verify` found as a predicate for others to sign, such as GitHub; `null` if nothing was judged. */
export async function predicateOfChange(
  document: unknown,
  place: Place,
): Promise<{ readonly type: string; readonly predicate: unknown } | null> {
  const facts = await factsOf(document, place)
  const [verdict] = facts === null ? [] : buildStatements(facts, '', sha256)
  return verdict === undefined ? null : { type: VERDICT, predicate: verdict.predicate }
}

interface Place {
  readonly directory: string
  readonly git: Git
}

async function factsOf(document: unknown, { directory, git }: Place): Promise<VerdictFacts | null> {
  const change = attestableChangeSchema.parse(document)
  const { contract, config, source, sha256: digest } = change.policy
  const atBase = async (path: string | null) => {
    const found =
      path === null || source !== 'base' ? null : await digestOfFile(git, change.base.commit, path)
    return found === null || path === null
      ? []
      : [{ name: path, digest: { sha256: found }, annotations: { commit: change.base.commit, path } }]
  }
  return factsOfChange(change, {
    verifierId: VERIFIER_ID,
    name: await readRepositoryName(git, directory),
    nowIso: new Date().toISOString(),
    policies: [
      ...(await atBase(contract)),
      ...(await atBase(config)),
      // The digest of contract, NUL and configuration, as `verify` prints it.
      ...(digest === null ? [] : [{ name: 'policy', digest: { sha256: digest } }]),
    ],
  })
}
