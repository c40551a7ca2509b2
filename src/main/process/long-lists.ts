/** Number of list items handled within a few milliseconds: receiving 20,000 objects in one message blocks the host's event loop. */
export const PART = 1000

/** How deep in an answer long lists are searched. */
const DEPTH = 3

/** Part of a long list, and its path in the answer (empty if it is the answer itself). */
export interface ListPart {
  readonly path: readonly string[]
  readonly part: readonly unknown[]
}

/** A list too long to send in one message, its path in an answer, and the answer with an empty list instead. */
export interface LongList {
  readonly path: readonly string[]
  readonly list: readonly unknown[]
  readonly rest: unknown
}

/** Finds the first list in an answer that is too long to send in one message; null if there is none. */
export function takeLongList(output: unknown): LongList | null {
  const path = longListIn(output, [])
  if (path === null) return null
  let list: readonly unknown[] = []
  const rest = replacedAt(output, path, (found) => {
    list = found
    return []
  })
  return { path, list, rest }
}

/** Returns an answer with its list parts inserted, in the order in which they were taken. */
export function putTogether(parts: readonly ListPart[], rest: unknown): unknown {
  const lists = new Map<string, { readonly path: readonly string[]; readonly list: unknown[] }>()
  for (const { path, part } of parts) {
    const key = JSON.stringify(path)
    const list = lists.get(key)?.list ?? []
    list.push(...part)
    lists.set(key, { path, list })
  }
  let whole = rest
  for (const { path, list } of lists.values()) whole = replacedAt(whole, path, (last) => [...list, ...last])
  return whole
}

function longListIn(value: unknown, path: readonly string[]): readonly string[] | null {
  if (Array.isArray(value)) return value.length > PART ? path : null
  if (!isPlainObject(value) || path.length === DEPTH) return null
  for (const [key, each] of Object.entries(value)) {
    const found = longListIn(each, [...path, key])
    if (found !== null) return found
  }
  return null
}

function replacedAt(
  value: unknown,
  [key, ...path]: readonly string[],
  replace: (list: readonly unknown[]) => readonly unknown[],
): unknown {
  if (key === undefined) return replace(value as readonly unknown[])
  const object = value as Readonly<Record<string, unknown>>
  return { ...object, [key]: replacedAt(object[key], path, replace) }
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
