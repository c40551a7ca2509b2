/*
 * What CMake files list for building: sources and targets. An added one changes nothing of what was built and tested before; everything
 * else in such a file steers.
 */

/** Whether a path is one of CMake's files. */
export function isCMake(path: string): boolean {
  return /(?:^|\/)CMakeLists\.txt$|\.cmake$/i.test(path)
}

const MAX_LENGTH = 256 * 1024
const TOKEN = /#\[=*\[|\[=*\[|#[^\n]*|"(?:[^"\\]|\\[\s\S])*"|[()]|[^\s()#"]+|"/g

interface Command {
  readonly name: string
  readonly words: readonly string[]
  readonly start: number
  /** Of its closing parenthesis. */
  readonly end: number
}

/** Reads the commands of a file, without its comments; `null` where they can't be told for sure. */
function commandsOf(text: string): readonly Command[] | null {
  if (text.length > MAX_LENGTH) return null
  const commands: Command[] = []
  let name: string | null = null
  let words: string[] = []
  let depth = 0
  let start = 0
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    // Text and comments in brackets, and a quotation without an end.
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
/** Commands that list sources after their first word. */
const LISTS = new Set(['add_library', 'add_executable', 'target_sources', 'set', 'list'])
const PLAIN = /^[\w./+:-]+$/
const ADDS_TARGET = new Set(['add_library', 'add_executable'])
const OF_TARGET = new Set([
  'target_sources',
  'target_link_libraries',
  'target_include_directories',
  'target_compile_features',
])

/** Test programs are built from sources that the base does not have. */
const OF_TESTS = /(?:^|[/_.-])(?:unit)?tests?(?:[/_.-]|$)|(?:^|[/_.-])spec(?:[/_.-]|$)/i

/**
 * The base's file with the sources and targets that the agent's adds, except those of tests: the base's tests are built and run as they
 * were, on the agent's work. The base's file where more than that changed, or it can't be told. Pure; never throws.
 */
export function withAddedSources(base: string, now: string): string {
  const [before, after] = [commandsOf(base), commandsOf(now)]
  if (before === null || after === null) return base
  const known = new Set(before.flatMap(({ words }) => words))
  const targets: Targets = { known, added: new Set(), ofTests: new Set() }
  const inserted: { readonly at: number; readonly text: string }[] = []
  let index = 0
  for (const command of after) {
    const next = before[index]
    const longer = next === undefined ? null : addedWords(next, command, targets.added)
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

interface Targets {
  /** All words of the base. */
  readonly known: ReadonlySet<string>
  /** New ones of the work, and of its tests. */
  readonly added: Set<string>
  readonly ofTests: Set<string>
}

/** Whether a command that the base does not have adds to what is built, is of tests that the base does not have, or is neither. */
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
    ;(isOfTests ? ofTests : added).add(first)
    return isOfTests ? 'of-tests' : 'added'
  }
  if (!OF_TARGET.has(name)) return 'other'
  if (ofTests.has(first)) return 'of-tests'
  return added.has(first) ? 'added' : 'other'
}

/** Words that a command has beside the base's; `null`: it is another one. */
function addedWords(base: Command, now: Command, added: ReadonlySet<string>): readonly string[] | null {
  if (base.name !== now.name || base.words[0] !== now.words[0]) return null
  const more: string[] = []
  let at = 0
  for (const word of now.words) {
    if (word === base.words[at]) at += 1
    else if (LISTS.has(now.name) && SOURCE.test(word)) more.push(word)
    else if (now.name === 'target_link_libraries' && added.has(word)) more.push(word)
    else return null
  }
  return at === base.words.length ? more.filter((word) => !OF_TESTS.test(word)) : null
}
