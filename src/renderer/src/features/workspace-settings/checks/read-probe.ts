import type { ApiClient } from '../../../../../api/client.ts'
import type { JsonValue } from '../../../../../core/claims/types.ts'
import { valueAt } from '../../../../../core/verification/values.ts'

interface Reading {
  /** `undefined` if there is no value at that path. */
  readonly value: JsonValue | undefined
  /** The whole text or JSON that it is taken from. */
  readonly whole: JsonValue
}

/** Identifies a probe in a text. */
interface Which {
  readonly workspaceId: string
  readonly text: string
  readonly name: string
  /** For JSON, where the value is in it; empty for all of it. `null`: not JSON. */
  readonly place: string | null
}

/**
 * Reads a probe once as a text defines it; JSON is read completely, to show which places it has. Rejects with the reason if it cannot be
 * read.
 */
export async function readProbe(
  api: ApiClient,
  { workspaceId: workspace, text, name, place }: Which,
  signal: AbortSignal,
): Promise<Reading> {
  const read = async (of: string): Promise<JsonValue> =>
    taken(await api.configuration.tryProbe({ workspace, text: of, name }, { signal }))
  if (place === null || place === '') {
    const whole = await read(text)
    return { value: whole, whole }
  }
  const edits = [{ path: ['probes', name, 'path'], value: null }]
  const edited = await api.configuration.check({ workspace, text, edits }, { signal })
  const whole = await read(edited.text)
  return { value: valueAt(whole, place.split('.')), whole }
}

function taken({ value, problem }: { value?: unknown; problem: string | null }): JsonValue {
  if (problem !== null) throw new Error(`It could not be read: ${problem}`)
  // Safe: it is JSON from the API.
  return value as JsonValue
}
