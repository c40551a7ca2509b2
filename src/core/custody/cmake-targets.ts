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
const PLAIN = /^[\w./+:-]+$/
const ADDS_TARGET = new Set(['add_library', 'add_executable'])
/** Commands in which a source is only built. */
const BUILDS = new Set([...ADDS_TARGET, 'target_sources'])
const OF_TARGET = new Set(['target_link_libraries', 'target_include_directories'])

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

interface Targets {
  /** All words of the base. */
  readonly known: ReadonlySet<string>
  /** New ones of the work, with the command that adds each. */
  readonly added: Map<string, string>
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
    if (isOfTests) ofTests.add(first)
    else added.set(first, name)
    return isOfTests ? 'of-tests' : 'added'
  }
  if (!OF_TARGET.has(name)) return 'other'
  if (ofTests.has(first)) return 'of-tests'
  // What is not private of a library is passed to what is linked with it: headers could shadow those of the tests.
  const isKept = second === 'PRIVATE' && !words.includes('PUBLIC') && !words.includes('INTERFACE')
  return added.get(first) === 'add_executable' || (added.has(first) && isKept) ? 'added' : 'other'
}

/** Words that a command has beside the base's; `null`: it is another one. */
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

/** The variable that a command sets or makes longer. */
function variableOf({ name, words: [first = '', second = ''] }: Command): string | null {
  if (name === 'set') return first
  return name === 'list' && first === 'APPEND' ? second : null
}

/** Whether all that is done with a variable is to build what it lists, under another name too. */
function isOnlyBuilt(variable: string, all: readonly Command[], seen = new Set<string>()): boolean {
  if (seen.has(variable)) return true
  seen.add(variable)
  return all.every((command) => {
    const { name, words } = command
    // A name that is put together may be any.
    if (words.some((word) => /\$\{[^}]*\$/.test(word))) return false
    if (!words.some((word) => word === variable || word.includes(`{${variable}}`)) || BUILDS.has(name))
      return true
    const other = variableOf(command)
    return other !== null && isOnlyBuilt(other, all, seen)
  })
}
