import { z } from 'zod'
import { hostNameSchema, publicKeySchema } from './names.ts'

/** Private half of a key. */
export const seedSchema = z.string().regex(/^SU[A-Z2-7]{56}$/, { error: 'the private half of a key' })

/** The credentials that admit one host or the center to a hub. The seed is a secret. */
export const hubPassSchema = z.object({
  v: z.literal(1),
  name: hostNameSchema,
  seed: seedSchema,
  /** The certificate that the hub must have, as PEM; `null` if this machine already trusts it. */
  ca: z.string().max(20_000).nullable(),
  /**
   * Public key of the authority that names this hub's operators. Older passes lack it, so their hosts accept no remote
   * requests.
   */
  authority: publicKeySchema.nullable().default(null),
})

export type HubPass = z.infer<typeof hubPassSchema>

const MARK = 'pwf1.'
const MAX_LENGTH = 64_000

/** Returns the pass as a single word that can be pasted. */
export function tokenOf(pass: HubPass, encode: (text: string) => string): string {
  return `${MARK}${encode(JSON.stringify(pass))}`
}

/** Returns the pass of a token, or the problem in words. `decode` decodes base64url and may throw. */
export function passOf(
  token: string,
  decode: (text: string) => string,
): HubPass | { readonly problem: string } {
  const text = token.trim()
  if (!text.startsWith(MARK))
    return { problem: 'A token begins with pwf1. and is printed by `pulseward fleet hub add`.' }
  if (text.length > MAX_LENGTH) return { problem: 'This is too long for a token.' }
  try {
    const parsed = hubPassSchema.safeParse(JSON.parse(decode(text.slice(MARK.length))))
    if (parsed.success) return parsed.data
    const issue = parsed.error.issues[0]
    return { problem: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not understood'}` }
  } catch {
    return { problem: 'A part of it is missing or changed. Copy the whole line.' }
  }
}
