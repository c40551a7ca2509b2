import { parseHint } from '../../../../../core/contract/hint.ts'

/** Returns the names in a check that match no probe. */
export function unknownNames(source: string, probeNames: readonly string[]): readonly string[] {
  const hint = parseHint(source, probeNames)
  const names = hint.kind === 'expression' ? hint.probes : hint.kind === 'probe' ? [hint.name] : []
  return names.filter((name) => !probeNames.includes(name))
}

/** Returns the names for which a probe could be defined: `unknownNames`, or a bare name that is the whole check. */
export function definableNames(source: string, probeNames: readonly string[]): readonly string[] {
  const isBare = /^[A-Za-z_]\w*$/.test(source) && parseHint(source, probeNames).kind === 'words'
  return isBare ? [source] : unknownNames(source, probeNames)
}

/** Returns the most similar name, if it could be meant: if at most a third of its letters differ, or two. */
export function nearestName(
  name: string,
  known: readonly string[],
  distance: (one: string, other: string) => number,
): string | null {
  const ranked = known
    .map((each) => ({ each, far: distance(name.toLowerCase(), each.toLowerCase()) }))
    .toSorted((one, other) => one.far - other.far)
  const [best] = ranked
  return best !== undefined && best.far <= Math.max(2, Math.floor(name.length / 3)) ? best.each : null
}

/** Renames a name in a check, except in quotes or after a dot. Returns `null` if the check does not use it. */
export function renameInHint(source: string, from: string, to: string): string | null {
  const parts = source.split(/("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/)
  // Names in the expression language contain no special characters of regular expressions.
  const name = new RegExp(`(?<![\\w.])${from}(?!\\w)`, 'g')
  const renamed = parts.map((part, index) => (index % 2 === 1 ? part : part.replace(name, to))).join('')
  return renamed === source ? null : renamed
}

/** Common mistakes in an expression, and how to correct them. */
const SLIPS: readonly ((source: string) => string)[] = [
  (source) => source.replace(/[“”„]/g, '"').replace(/[‘’‚]/g, "'"),
  (source) => source.replace(/(?<![=!<>])=(?!=)/g, '=='),
  (source) => source.replace(/\band\b/gi, '&&').replace(/\bor\b/gi, '||'),
  (source) => source.replace(/(?<![&|])([&|])(?![&|])/g, '$1$1'),
  (source) => source.replace(/(?:&&|\|\||[<>=!]=?)\s*$/, '').trimEnd(),
  (source) => `${source})`,
  (source) => `${source}")`,
  (source) => source.replace(/\)\s*$/, ''),
]

/** Corrects a check that cannot be parsed to what was probably meant; `null` if that is unknown. */
export function fixHint(source: string, probeNames: readonly string[]): string | null {
  for (const fix of SLIPS) {
    const fixed = fix(source)
    const { kind } = parseHint(fixed, probeNames)
    if (fixed !== source && (kind === 'expression' || kind === 'probe')) return fixed
  }
  return null
}
