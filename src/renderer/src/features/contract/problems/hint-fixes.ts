import { parseHint } from '../../../../../core/contract/hint.ts'

/** The names in a hint that no probe has. */
export function unknownNames(source: string, probeNames: readonly string[]): readonly string[] {
  const hint = parseHint(source, probeNames)
  const names = hint.kind === 'expression' ? hint.probes : hint.kind === 'probe' ? [hint.name] : []
  return names.filter((name) => !probeNames.includes(name))
}

/** As `unknownNames`, and a bare name that stands for the whole hint: what a probe could be defined for. */
export function definableNames(source: string, probeNames: readonly string[]): readonly string[] {
  const isBare = /^[A-Za-z_]\w*$/.test(source) && parseHint(source, probeNames).kind === 'words'
  return isBare ? [source] : unknownNames(source, probeNames)
}

/** The name that differs least, if it could be meant: by at most a third of its letters, or two. */
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

/** The hint with a name written otherwise wherever it stands as a name: not in quotes, not behind a dot. */
export function renameInHint(source: string, from: string, to: string): string | null {
  const parts = source.split(/("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/)
  // A name of the expression language has no character that a regular expression would read otherwise.
  const name = new RegExp(`(?<![\\w.])${from}(?!\\w)`, 'g')
  const renamed = parts.map((part, index) => (index % 2 === 1 ? part : part.replace(name, to))).join('')
  return renamed === source ? null : renamed
}

/** Slips of the pen in an expression, and what was meant. */
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

/** A hint that cannot be understood, as it was probably meant; `null` where that cannot be known. */
export function fixHint(source: string, probeNames: readonly string[]): string | null {
  for (const fix of SLIPS) {
    const fixed = fix(source)
    const { kind } = parseHint(fixed, probeNames)
    if (fixed !== source && (kind === 'expression' || kind === 'probe')) return fixed
  }
  return null
}
