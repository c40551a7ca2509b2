import { z } from 'zod'
import { PUBLISHED_SCHEMAS } from '../src/core/attestation/statement.ts'

/** Returns the JSON schemas of attestations, by file name in docs/schemas. */
export function publishedSchemas(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(PUBLISHED_SCHEMAS).map(([name, schema]) => [
      name,
      `${JSON.stringify({ $id: `https://pulseward.dev/schemas/${name}`, ...z.toJSONSchema(schema) }, null, 2)}\n`,
    ]),
  )
}
