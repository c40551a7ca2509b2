import type { ApiClient } from '../../../../../api/client.ts'
import type { ReadProbe } from '../editor/completion.ts'

/** Long enough that typing a check does not run a probe for every word. */
const KEPT_MS = 60_000

/** Reads approved probes for completions while typing. Keeps each value for a minute. */
export function probesOf(api: ApiClient, workspace: string): ReadProbe {
  const kept = new Map<string, { readonly atMs: number; readonly value: Promise<unknown> }>()
  const read = async (name: string): Promise<unknown> => {
    try {
      const { trust } = await api.configuration.get({ workspace })
      if (trust.approvedText === null) return undefined
      const { value, problem } = await api.configuration.tryProbe({
        workspace,
        text: trust.approvedText,
        name,
      })
      return problem === null ? value : undefined
    } catch {
      // Then offer nothing; the trial shows what is wrong with a probe.
      return undefined
    }
  }
  return (name) => {
    const nowMs = performance.now()
    const known = kept.get(name)
    if (known !== undefined && nowMs - known.atMs < KEPT_MS) return known.value
    const value = read(name)
    kept.set(name, { atMs: nowMs, value })
    return value
  }
}
