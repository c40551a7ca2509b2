import { z } from 'zod'
import { readToml } from '../text/toml-document.ts'
import { revocationSchema, type TrustedKey } from './keys.ts'

/** Its file name in the data folder. */
export const TRUSTED_VERIFIERS = 'trusted-verifiers.toml'

const moment = z.union([z.date().transform((value) => value.toISOString()), z.iso.datetime({ offset: true })])

const fileSchema = z.strictObject({
  verifier: z
    .array(
      z.strictObject({
        id: z.string().min(1).max(2000),
        keyid: z.string().min(1).max(200).optional(),
        key: z.string().min(1).max(4000),
        repositories: z.array(z.string().min(1).max(2000)).min(1).max(1000).optional(),
        revoked: z
          .array(
            revocationSchema.extend({
              from: moment.nullable().default(null),
              until: moment.nullable().default(null),
            }),
          )
          .max(100)
          .default([]),
      }),
    )
    .max(1000)
    .default([]),
})

/** Returns the keys that a `trusted-verifiers.toml` trusts, or its first mistake with its location. Never throws. */
export function readTrustedVerifiers(
  text: string,
):
  | { readonly ok: true; readonly keys: readonly TrustedKey[] }
  | { readonly ok: false; readonly problem: string } {
  const toml = readToml(text)
  if (!toml.ok)
    return { ok: false, problem: `${toml.problem.line}:${toml.problem.column}: ${toml.problem.message}` }
  const file = fileSchema.safeParse(toml.document.root)
  if (!file.success) {
    const [issue] = file.error.issues
    const path = (issue?.path ?? []).filter((part) => typeof part !== 'symbol')
    const { line, column } = toml.document.valuePlace(path)
    return {
      ok: false,
      problem: `${line}:${column}: ${path.join('.') || 'the file'}: ${issue?.message ?? 'not valid'}`,
    }
  }
  return {
    ok: true,
    keys: file.data.verifier.map(({ id, key, keyid, repositories, revoked }) => ({
      keyid: keyid ?? null,
      publicKey: key,
      createdAt: null,
      retiredAt: null,
      revoked,
      verifier: id,
      repositories: repositories ?? null,
    })),
  }
}
