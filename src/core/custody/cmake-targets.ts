/*
 * The sources and targets that CMake files list for building. An added one doesn't change what was built and tested before; everything else
 * in such a file steers checks.
 */

/** Returns whether a path is one of CMake's files. */
export function isCMake(path: string): boolean {
  return /(?:^|\/)CMakeLists\.txt$|\.cmake$/i.test(path)
}

const MAX_LENGTH = 256 * 1024
const TOKEN = /#\[=*\[|\[=*\[|#[^\n]*|"(?:[^"\\]|\\[\s\S])*"|[()]|[^\s()#"]+|"/g

interface Command {
  readonly name: string
  readonly words: readonly string[]
  readonly start: number
  /** Position of its closing parenthesis. */
  readonly end: number
}

/** Returns the commands of a file, without comments; `null` if they can't be read reliably. */
function commandsOf(text: string): readonly Command[] | null {
  if (text.length > MAX_LENGTH) return null
  const commands: Command[] = []
  let name: string | null = null
  let words: string[] = []
  let depth = 0
  let start = 0
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    // Text or comments in brackets, or a quotation without an end.
    if (/^#?\[=*\[$/.test(token) || token === '"') return null
    if (token.startsWith('#')) continue
    if (token === '(') {
      if (name === null) return null
      if (depth > 0) words.push(token)
      depth += 1
    } else if (token === ')') {
      depth -= 1
      if (depth < 0 || name === null) return null
      if (depth > 0) {
        words.push(token)
        continue
      }
      commands.push({ name, words, start, end: index })
      name = null
      words = []
    } else if (depth > 0) words.push(token)
    else if (name === null) {
      name = token.toLowerCase()
      start = index
    } else return null
  }
  return name === null ? commands : null
}

const SOURCE =
  /^(?:\$\{(?:CMAKE_CURRENT_SOURCE_DIR|CMAKE_CURRENT_LIST_DIR|PROJECT_SOURCE_DIR|CMAKE_SOURCE_DIR)\}\/)?[\w.][\w.+/-]*\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|inl|ipp|S|asm|f|f90|m|mm|cu)$/
const PLAIN = /^[\w./+:-]+$/
const ADDS_TARGET = new Set(['add_library', 'add_executable'])
/** Commands that only build a source. */
const BUILDS = new Set([...ADDS_TARGET, 'target_sources'])
const OF_TARGET = new Set(['target_link_libraries', 'target_include_directories'])

/** Test programs are built from sources that the base does not have. */
const OF_TESTS = /(?:^|[/_.-])(?:unit)?tests?(?:[/_.-]|$)|(?:^|[/_.-])spec(?:[/_.-]|$)/i

/**
 * Returns the base's file plus the sources and targets that the agent's adds, except those of tests, so that the base's tests are built and
 * run unchanged on the agent's work. Returns the base's file if anything else changed, or if that can't be told. Pure; never throws.
 */
export function withAddedSources(base: string, now: string): string {
  const [before, after] = [commandsOf(base), commandsOf(now)]
  if (before === null || after === null) return base
  const known = new Set(before.flatMap(({ words }) => words))
  const targets: Targets = { known, added: new Map(), ofTests: new Set() }
  const inserted: { readonly at: number; readonly text: string }[] = []
  let index = 0
  for (const command of after) {
    const next = before[index]
    const longer = next === undefined ? null : addedWords(next, command, before, targets)
    if (next !== undefined && longer !== null) {
      if (longer.length > 0) inserted.push({ at: next.end, text: ` ${longer.join(' ')}` })
      index += 1
    } else {
      const { name, words } = command
      const kind = kindOf(command, targets)
      if (kind === 'other') return base
      if (kind === 'added')
        inserted.push({ at: next?.start ?? base.length, text: `\n${name}(${words.join(' ')})\n` })
    }
  }
  if (index < before.length) return base
  return inserted.reduceRight((text, { at, text: more }) => text.slice(0, at) + more + text.slice(at), base)
}

/** What a CMake file builds, as written. The values of variables are not known. */
export interface BuiltByCMake {
  readonly sources: readonly string[]
  /** Those of programs that ctest runs. */
  readonly ofTests: readonly string[]
  /** Folders whose CMake files it includes. */
  readonly folders: readonly string[]
}

const DISCOVERS = /^(?:gtest_(?:discover|add)_tests|catch_discover_tests|doctest_discover_tests)$/
const FOLDER_OF_FILE = /^\$\{\w{1,40}_(?:SOURCE|LIST)_DIR\}\//

/** Pure; never throws. */
export function builtByCMake(text: string): BuiltByCMake {
  const commands = commandsOf(text) ?? []
  const tested = new Set(
    commands.flatMap(({ name, words: [first = '', ...rest] }) => {
      if (DISCOVERS.test(name)) return [first]
      if (name !== 'add_test') return []
      const command = rest[rest.indexOf('COMMAND') + 1] ?? ''
      return [/^\$<TARGET_FILE:([\w.+-]+)>$/.exec(command)?.[1] ?? command]
    }),
  )
  const built = commands.flatMap(({ name, words: [target = '', ...words] }) =>
    BUILDS.has(name)
      ? words.flatMap((word) =>
          SOURCE.test(word) ? [{ target, path: word.replace(FOLDER_OF_FILE, '') }] : [],
        )
      : [],
  )
  return {
    sources: built.map(({ path }) => path),
    ofTests: built.flatMap(({ target, path }) => (tested.has(target) ? [path] : [])),
    folders: commands.flatMap(({ name, words: [folder = ''] }) =>
      name === 'add_subdirectory' && PLAIN.test(folder) ? [folder] : [],
    ),
  }
}

interface Targets {
  /** All words of the base's commands. */
  readonly known: ReadonlySet<string>
  /** Targets that the agent added, with the command that adds each. */
  readonly added: Map<string, string>
  readonly ofTests: Set<string>
}

/** Returns whether a command that the base does not have adds to what is built, belongs to new tests, or is something else. */
function kindOf(
  { name, words }: Command,
  { known, added, ofTests }: Targets,
): 'added' | 'of-tests' | 'other' {
  const [first = '', second = ''] = words
  if (name === 'add_test') return known.has(first === 'NAME' ? second : first) ? 'other' : 'of-tests'
  if (!words.every((word) => PLAIN.test(word) || SOURCE.test(word))) return 'other'
  if (ADDS_TARGET.has(name)) {
    if (known.has(first) || words.includes('ALIAS') || words.includes('IMPORTED')) return 'other'
    const isOfTests = words.some((word) => OF_TESTS.test(word))
    if (isOfTests) ofTests.add(first)
    else added.set(first, name)
    return isOfTests ? 'of-tests' : 'added'
  }
  if (!OF_TARGET.has(name)) return 'other'
  if (ofTests.has(first)) return 'of-tests'
  // A library's non-private settings apply to everything linked with it: headers could shadow those of the tests.
  const isKept = second === 'PRIVATE' && !words.includes('PUBLIC') && !words.includes('INTERFACE')
  return added.get(first) === 'add_executable' || (added.has(first) && isKept) ? 'added' : 'other'
}

/** Returns the words that a command has in addition to the base's; `null` if it is a different command. */
function addedWords(
  base: Command,
  now: Command,
  all: readonly Command[],
  { added }: Targets,
): readonly string[] | null {
  if (base.name !== now.name || base.words[0] !== now.words[0]) return null
  const more: string[] = []
  let at = 0
  for (const word of now.words) {
    if (word === base.words[at]) at += 1
    else more.push(word)
  }
  if (at < base.words.length) return null
  if (more.length === 0) return more
  const variable = variableOf(base)
  const isSources = BUILDS.has(base.name) || (variable !== null && isOnlyBuilt(variable, all))
  const isTargets = base.name === 'target_link_libraries'
  const isAdded = more.every((word) => (isSources && SOURCE.test(word)) || (isTargets && added.has(word)))
  return isAdded ? more.filter((word) => !OF_TESTS.test(word)) : null
}

/** Returns the variable that a command sets or extends. */
function variableOf({ name, words: [first = '', second = ''] }: Command): string | null {
  if (name === 'set') return first
  return name === 'list' && first === 'APPEND' ? second : null
}

/** Returns whether a variable is only used to build what it lists, under another name too. */
function isOnlyBuilt(variable: string, all: readonly Command[], seen = new Set<string>()): boolean {
  if (seen.has(variable)) return true
  seen.add(variable)
  return all.every((command) => {
    const { name, words } = command
    // A computed name may be any name.
    if (words.some((word) => /\$\{[^}]*\$/.test(word))) return false
    if (!words.some((word) => word === variable || word.includes(`{${variable}}`)) || BUILDS.has(name))
      return true
    const other = variableOf(command)
    return other !== null && isOnlyBuilt(other, all, seen)
  })
}
