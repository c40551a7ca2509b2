import { attestableChangeSchema, factsOfChange } from '../../core/attestation/facts-of-change.ts'
import { VERIFIER_ID } from '../../core/attestation/statement.ts'
import type { SigningKey } from './envelope.ts'
import { digestOfFile, type Git, readRepositoryName } from './repository.ts'
import { signFacts } from './sign-facts.ts'

/** Signs what `pulseward verify` found; none if nothing was judged. `document`: as `verify --json` prints it. */
export async function attestChange(
  document: unknown,
  { directory, git, key }: { readonly directory: string; readonly git: Git; readonly key: SigningKey },
): Promise<readonly string[]> {
  const change = attestableChangeSchema.parse(document)
  const { contract, config, source, sha256: digest } = change.policy
  const atBase = async (path: string | null) => {
    const found =
      path === null || source !== 'base' ? null : await digestOfFile(git, change.base.commit, path)
    return found === null || path === null
      ? []
      : [{ name: path, digest: { sha256: found }, annotations: { commit: change.base.commit, path } }]
  }
  const facts = factsOfChange(change, {
    verifierId: VERIFIER_ID,
    name: await readRepositoryName(git, directory),
    nowIso: new Date().toISOString(),
    policies: [
      ...(await atBase(contract)),
      ...(await atBase(config)),
      // Contract, NUL, configuration: as `verify` prints it.
      ...(digest === null ? [] : [{ name: 'policy', digest: { sha256: digest } }]),
    ],
  })
  return facts === null ? [] : signFacts(facts, key)
}
