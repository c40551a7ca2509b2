/*
 * Build files that also list the project's dependencies. A list that is plain data steers nothing, as in `package.json`; everything else in
 * the file does.
 */

interface BuildFile {
  readonly names: RegExp
  /** Matches a whole list. One without an end reaches to the end of the text, so that the search is linear. Global. */
  readonly list: RegExp
  /** Matches what makes a list more than data: code, or a package that is a file of the project. */
  readonly steers?: RegExp
  /** Matches each trimmed line of a list that is only data. */
  readonly line?: RegExp
  /** Matches sections whose lists belong to a plugin, or steer versions. Global. */
  readonly elsewhere?: RegExp
}

const BUILD_FILES: readonly BuildFile[] = [
  {
    names: /^pom\.xml$/,
    list: /<dependencies>[\s\S]*?(?:<\/dependencies>|(?![\s\S]))/g,
    steers: /<systemPath>|<!--/,
    elsewhere:
      /<(build|profiles|reporting|dependencyManagement)>[\s\S]*?(?:<\/\1>|(?![\s\S]))|<!--[\s\S]*?(?:-->|(?![\s\S]))/g,
  },
  {
    names: /\.(?:cs|fs|vb)proj$/,
    list: /<PackageReference\b[^<>]*\/>/g,
    steers: /\bCondition\s*=/,
    elsewhere: /<Target\b[\s\S]*?(?:<\/Target>|(?![\s\S]))|<!--[\s\S]*?(?:-->|(?![\s\S]))/g,
  },
  {
    names: /^mix\.exs$/,
    list: /^[ \t]*defp? deps do\n[\s\S]*?(?:^[ \t]*end$|(?![\s\S]))/gm,
    steers: /[()&|]|\b(?:path|override|manager|compile|System|Code|File)\b/,
  },
  {
    names: /^build\.gradle(?:\.kts)?$/,
    list: /^dependencies[ \t]*\{[^{}]*\}/gm,
    line: /^(?:dependencies[ \t]*\{|\}|\/\/.*|\w+[ \t(]+(?:platform\()?["'][\w.:-]+["'][ \t)]*)?$/,
  },
]

interface Range {
  readonly start: number
  readonly end: number
}

/** Returns whether a file of that name lists dependencies in addition to what steers checks. */
export function listsDependencies(name: string): boolean {
  return BUILD_FILES.some(({ names }) => names.test(name))
}

/**
 * Returns the text of such a file without its lists of dependencies, with white space collapsed. Two files with equal results affect checks
 * in the same way.
 */
export function withoutDependencies(name: string, text: string): string {
  return cut(text, listsIn(name, text)).replace(/\s+/g, ' ').trim()
}

/** Returns the base's file with the agent's dependencies; `null` if the base has no list that could be replaced. */
export function withDependenciesOf(name: string, base: string, now: string): string | null {
  const [before, after] = [listsIn(name, base), listsIn(name, now)]
  const [first, ...others] = before
  if (first === undefined) return after.length === 0 ? base : null
  const listed = after.map(({ start, end }) => now.slice(start, end)).join('\n')
  const shift = listed.length - (first.end - first.start)
  return cut(
    base.slice(0, first.start) + listed + base.slice(first.end),
    others.map(({ start, end }) => ({ start: start + shift, end: end + shift })),
  )
}

function listsIn(name: string, text: string): readonly Range[] {
  const file = BUILD_FILES.find(({ names }) => names.test(name))
  if (file === undefined) return []
  const elsewhere = file.elsewhere === undefined ? [] : rangesOf(text, file.elsewhere)
  const isData = (list: string): boolean =>
    file.steers?.test(list) !== true &&
    (file.line === undefined || list.split('\n').every((line) => file.line?.test(line.trim())))
  return rangesOf(text, file.list).filter(
    ({ start, end }) =>
      isData(text.slice(start, end)) && !elsewhere.some((other) => start >= other.start && end <= other.end),
  )
}

function rangesOf(text: string, pattern: RegExp): readonly Range[] {
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }))
}

function cut(text: string, ranges: readonly Range[]): string {
  let kept = ''
  let at = 0
  for (const { start, end } of ranges) {
    kept += text.slice(at, start)
    at = end
  }
  return kept + text.slice(at)
}
