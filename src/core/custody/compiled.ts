/*
 * Compiled code, and sources that git ignores, that are loaded instead of the source beside them, and stubs, which type checkers read
 * instead of it. Only a run without them shows whether the source does the work.
 */

interface CompiledRule {
  /** Matches a file's name; the first group is the name of its source, without an extension. */
  readonly compiled: RegExp
  readonly sources: readonly string[]
  /** The name of a file that makes its folder a module, which takes precedence over a source with the folder's name beside it. */
  readonly ofFolder?: string
}

const RULES: readonly CompiledRule[] = [
  { compiled: /^(\w+)(?:\.[\w-]+)?\.(?:so|pyd)$/, sources: ['.py'], ofFolder: '__init__' },
  // Beside its source it is loaded only if the source is gone; in a folder, it takes precedence over a source beside the folder.
  { compiled: /^(\w+)\.pyc$/, sources: ['.py'], ofFolder: '__init__' },
  // A source too, if git ignores it.
  { compiled: /^(__init__)\.py$/, sources: ['.py'], ofFolder: '__init__' },
  { compiled: /^(\w+)\.pyi$/, sources: ['.py'], ofFolder: '__init__' },
  // `javac` takes the newer one, `java Check.java` always the class.
  { compiled: /^(\w+?)(?:Kt)?(?:\$[\w$]*)?\.class$/, sources: ['.java', '.kt', '.groovy', '.scala'] },
  { compiled: /^(\w+)\.pmc$/, sources: ['.pm'] },
  // Vite and Jest look for JavaScript first if an import names no extension.
  { compiled: /^([\w.-]+)\.[cm]?jsx?$/, sources: ['.ts', '.tsx', '.mts', '.cts'] },
]
const SOURCE = /\.(?:py|java|kt|groovy|scala|pm)$|(?<!\.d)\.[cm]?tsx?$/

/** Returns whether compiled code may be loaded instead of a file with this name. */
export function mayBeShadowed(name: string): boolean {
  return SOURCE.test(name)
}

/** Returns whether the file at this path is text like a source, so that it counts as one if git shows it. */
export function isReadable(path: string): boolean {
  return /\.(?:[cm]?jsx?|pyi?)$/.test(path)
}

/** Returns whether a type checker would read the file at this path, a stub, instead of a source. */
export function isStub(path: string): boolean {
  return path.endsWith('.pyi')
}

/** Returns whether a task's words ask for such files, under whatever name. */
export function asksForStubs(words: string): boolean {
  return /\bstubs?\b|\.pyi\b/i.test(words)
}

/** Returns the paths of the sources that a file would replace if it is compiled code; empty if it is not. */
export function shadowedBy(path: string): readonly string[] {
  const slash = path.lastIndexOf('/') + 1
  const [folder, name] = [path.slice(0, slash), path.slice(slash)]
  return RULES.flatMap(({ compiled, sources, ofFolder }) => {
    const stem = compiled.exec(name)?.[1]
    if (stem === undefined) return []
    const stems = stem === ofFolder && slash > 0 ? [folder + stem, folder.slice(0, -1)] : [folder + stem]
    return stems.flatMap((one) => sources.map((source) => one + source)).filter((one) => one !== path)
  })
}
