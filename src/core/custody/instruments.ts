import { cachesNamedBy, configuredCaches } from './cache-places.ts'
import { builtByCMake } from './cmake-targets.ts'
import { archivesOnPath } from './code-archives.ts'
import { isComparedBy, loadedModules } from './comparing-modules.ts'
import { isCompiler, sourcesOf } from './compiled-sources.ts'
import { configuredOptions, variableFilesOf } from './configured-files.ts'
import { ASSERTIONS_OF } from './emptied.ts'
import { type CheckScript, type Language, languageOf } from './failing-end.ts'
import type { InstrumentWorld } from './instrument-world.ts'
import { loadedBy } from './loaded-files.ts'
import { expandMake } from './make-targets.ts'
import { foundBefore, moduleFiles } from './module-files.ts'
import { candidates, isOpen, join } from './open-words.ts'
import { packageScripts } from './package-scripts.ts'
import { belongsToCheck, besideScript, isAmongSources } from './places-of-checks.ts'
import {
  commandsOfFind,
  executesFound,
  isShellBuiltIn,
  readsOnly,
  scriptOf,
  scriptsOfReader,
} from './programs.ts'
import { protectedByDefault } from './protected.ts'
import type { ScriptArgument } from './script-argument.ts'
import { splitShell } from './shell-words.ts'
import { steersChecks } from './steering-variables.ts'
import { mentionedCode, missingTaskFiles, taskFilesIn } from './task-files.ts'
import { type UncommittedView, uncommittedView } from './uncommitted-view.ts'
import { packageFolders } from './workspace-packages.ts'

/**
 * Something that a check executes or is steered by. `part` is the part of the file that matters: `scripts.test`, a make target; `null` for
 * the whole file.
 */
export interface Instrument {
  readonly kind: 'program' | 'script' | 'package-script' | 'make-target'
  /** The check's own name for it: a program's name or path, or a file relative to the check's folder. */
  readonly path: string
  readonly part: string | null
  /**
   * Set for a file that a script of the check runs or sources although neither its name nor its folder suggests that it is
   * part of a check, so it may be the subject of the check. It matters only if it was emptied.
   */
  readonly perhapsSubject?: true
}

/** What a check does, judging by its command. */
export interface CheckReach {
  readonly executes: readonly Instrument[]
  /**
   * Globs of files that it executes or includes, if they can be determined: `checks/*.sh` of a loop, the files beside a script of checks.
   */
  readonly takesIn: readonly string[]
  /**
   * Files that don't exist, and whose existence would change what the check does: they have a target's name, or are included or sourced if
   * they exist.
   */
  readonly standIns: readonly string[]
  /** Programs that it runs, and builds of sources if they are missing. */
  readonly products: readonly string[]
  /** Files that it only reads: they are measured, not pinned. */
  readonly reads: readonly string[]
  /** Files and folders in which its programs are told to keep their caches. They may be missing. */
  readonly caches: readonly string[]
  /** The scripts that it passes to interpreters, in order. */
  readonly scripts: readonly CheckScript[]
  /** What it looks at if that depends on what is committed; otherwise `null`. */
  readonly sees: UncommittedView | null
  /** Descriptions of what could not be followed. */
  readonly unresolved: readonly string[]
}

/** Scripts that call each other are followed to this depth. */
const MAX_DEPTH = 8
const MAX_INSTRUMENTS = 500

/**
 * Returns what a command executes, and what it only reads, judging by its words: the program; the script given to an interpreter; the
 * text of `sh -c`; the scripts behind a package's script; targets of make and just, in turn. Files are looked up in `world`; missing ones
 * are reported as unresolved. Never throws, and follows at most a few hundred steps.
 */
export function findInstruments(command: readonly string[], world: InstrumentWorld): CheckReach {
  const trail: Trail = {
    executes: new Map(),
    takesIn: new Set(),
    standIns: new Set(),
    reads: new Set(),
    products: new Set(),
    caches: new Map(),
    compiled: new Set(),
    programsOfTests: new Set(),
    runsAllPrograms: false,
    readsOutput: READS_OUTPUT.test(command.join(' ')),
    piped: [],
    unresolved: new Set(),
    scripts: new Map(),
    sees: uncommittedView(command.join(' ')),
    variables: new Map(),
    written: new Set(),
    files: [],
    world,
  }
  follow(command, trail, 0, '')
  noteProgramsOfC(trail)
  return {
    executes: [...trail.executes.values()],
    takesIn: [...trail.takesIn],
    standIns: [...trail.standIns],
    products: builtPrograms(trail),
    reads: [...trail.reads],
    caches: [...new Set([...trail.caches.values()].flat())],
    scripts: [...trail.scripts.values()],
    sees: trail.sees,
    unresolved: [...trail.unresolved],
  }
}

interface Trail {
  readonly executes: Map<string, Instrument>
  readonly takesIn: Set<string>
  readonly standIns: Set<string>
  /** Values that shell loops and plain assignments gave to variables. */
  readonly variables: Map<string, readonly string[]>
  /** Files that shells write. */
  readonly written: Set<string>
  /** The scripts being followed, outermost first. */
  readonly files: string[]
  readonly products: Set<string>
  readonly reads: Set<string>
  /** By the command and the folder in which it runs. */
  readonly caches: Map<string, readonly string[]>
  /** Sources that compilers are given. */
  readonly compiled: Set<string>
  /** Sources of programs that are registered as tests. */
  readonly programsOfTests: Set<string>
  /** Whether it runs what is built without naming it. */
  runsAllPrograms: boolean
  /** Whether something may read a program's output instead of its exit code. */
  readsOutput: boolean
  /** The words of commands whose output another one reads, and whose exit code is ignored. */
  readonly piped: (readonly string[])[]
  readonly scripts: Map<string, CheckScript>
  sees: UncommittedView | null
  readonly unresolved: Set<string>
  readonly world: InstrumentWorld
}

function note(trail: Trail, instrument: Instrument): boolean {
  const key = keyOf(instrument)
  const isOpenToDoubt =
    instrument.kind === 'script' && trail.files.length > 0 && !belongsToCheck(instrument.path, trail.files)
  const known = trail.executes.get(key)
  if (known !== undefined && !isOpenToDoubt) trail.executes.set(key, instrument)
  if (known !== undefined || trail.executes.size >= MAX_INSTRUMENTS) return false
  trail.executes.set(key, isOpenToDoubt ? { ...instrument, perhapsSubject: true } : instrument)
  if (instrument.kind === 'script' && !isOpenToDoubt) noteImports(instrument.path, trail)
  const beside = instrument.kind === 'script' ? besideScript(instrument.path) : null
  if (beside !== null) trail.takesIn.add(beside)
  return true
}

function keyOf({ kind, path, part }: Instrument): string {
  return `${kind} ${path} ${part ?? ''}`
}

/** Shells are followed word by word. */
function noteImports(path: string, trail: Trail): void {
  if (/\.(?:sh|bash|zsh|ksh)$/.test(path)) return
  for (const loaded of loadedBy(path, trail.world.readText(path) ?? ''))
    if (trail.world.isFile(loaded)) noteTakenIn(loaded, trail)
  noteComparing(path, trail)
  noteVariables(path, trail)
  const beside = path.slice(0, path.lastIndexOf('/') + 1)
  noteArchives(trail.world.readText(path) ?? '', ['', beside], trail)
}

/** Notes archives of modules, which may lie in any of these folders. */
function noteArchives(text: string, folders: readonly string[], trail: Trail): void {
  for (const name of archivesOnPath(text)) {
    const places = [...new Set(folders.map((folder) => join(folder, name)))].filter(isInside)
    const found = places.filter(trail.world.isFile)
    for (const place of found) noteWhole(place, trail)
    if (found.length === 0) for (const place of places) trail.standIns.add(place)
  }
}

/** Notes the modules of the repository that a check only uses to compare. */
function noteComparing(path: string, trail: Trail): void {
  const text = trail.world.readText(path) ?? ''
  const modules = loadedModules(path, text).map((one) => ({
    ...one,
    files: moduleFiles(path, one.module, '', trail.world),
  }))
  const own = modules.filter(({ files }) => files.length > 0)
  for (const one of own) {
    const others = own.flatMap(({ files, names }) => (files[0] === one.files[0] ? [] : names))
    if (!isComparedBy(text, one, others)) continue
    for (const file of one.files) noteWhole(file, trail)
    for (const file of foundBefore(path, one.module, one.files[0] ?? '', trail.world))
      trail.standIns.add(file)
  }
}

/** Notes the files of variables that a script loads from its working folder or from beside itself. */
function noteVariables(path: string, trail: Trail): void {
  const beside = path.slice(0, path.lastIndexOf('/') + 1)
  const { names, areOptional } = variableFilesOf(trail.world.readText(path) ?? '')
  for (const file of new Set(names.flatMap((name) => [join('', name), join(beside, name)]).filter(isInside)))
    if (trail.world.isFile(file)) note(trail, { kind: 'script', path: file, part: null })
    else if (areOptional) trail.standIns.add(file)
}

/**
 * Notes code that a check includes: either a helper of the check or the work, so it counts only if the part that made the check fail is
 * gone.
 */
function noteTakenIn(path: string, trail: Trail): void {
  const whole: Instrument = { kind: 'script', path, part: null }
  if (trail.executes.size >= MAX_INSTRUMENTS || trail.executes.has(keyOf(whole))) return
  const taken: Instrument = { ...whole, part: ASSERTIONS_OF, perhapsSubject: true }
  trail.executes.set(keyOf(taken), taken)
}

/** `folder`: where the command runs, relative to the check's folder, with a trailing `/`; empty if it is that folder. */
function follow(command: readonly string[], trail: Trail, depth: number, folder: string): void {
  const words = withoutPrefixes(command)
  const [program, ...rest] = words
  if (program === undefined || depth > MAX_DEPTH) return
  followVariables(command, trail, depth, folder)
  noteArchives(command.join(' '), [folder], trail)
  noteCaches(command, trail, folder)
  if (isOpen(program)) {
    const found = candidates(program, trail, folder)
    if (found.length === 0) trail.unresolved.add(`which program \`${program}\` is`)
    for (const path of found) followOpen(path, trail, depth, folder, false)
    return
  }
  if (isShellBuiltIn(program)) {
    noteReads(rest, trail, folder)
    return
  }
  const isPath = program.includes('/')
  const isNew = note(
    trail,
    isPath && trail.world.isFile(join(folder, program))
      ? { kind: 'script', path: join(folder, program), part: null }
      : { kind: 'program', path: program, part: null },
  )
  if (isPath && isNew) followFile(join(folder, program), trail, depth, folder)
  followArguments(nameOf(program), rest, trail, depth, folder)
}

/** It isn't known which file an open word names, and an installed file is not the check's own. */
function noteScript(path: string, language: Language | null, trail: Trail): void {
  const { scripts, piped, world } = trail
  if (piped.some((words) => words.some((word) => path === word || path.endsWith(`/${word}`)))) return
  const isOwn = isInside(path) && !isOpen(path) && !/(?:^|\/)node_modules\//.test(path) && world.isFile(path)
  if (isOwn) trail.sees ??= uncommittedView(world.readText(path) ?? '')
  if (language !== null && isOwn) scripts.set(path, { path, language })
}

/** A pipe, a command substitution, or an output file. */
const READS_OUTPUT = /(?<!\|)\|(?!\|)|\$\([ \t]{0,9}\.{0,2}\/|`|(?<![-=&\d])>(?!&|[ \t]{0,9}\/dev\/)/
const PIPED = /[^\n;|&]+(?=\|(?!\|))/g
const OF_C = /\.(?:c|cc|cpp|cxx)$/

/**
 * Returns the programs that a check builds from sources and runs. Excludes other files that it creates, such as the mark of
 * an installation, which it could not recreate without the network.
 */
function builtPrograms({ products, compiled, executes }: Trail): readonly string[] {
  const run = new Set([...executes.values()].map(({ path }) => join('', path)))
  const isOwn = (path: string): boolean =>
    run.has(path) && !/(?:^|\/)(?:\.|node_modules\/|vendor\/)/.test(path)
  return compiled.size === 0 ? [] : [...products].filter(isOwn)
}

/**
 * Notes the test programs that a check builds from sources and runs for their exit code. A program that is only built need not fail.
 */
function noteProgramsOfC(trail: Trail): void {
  const { compiled, readsOutput, runsAllPrograms, programsOfTests, scripts, executes, world } = trail
  const mains = [...compiled].filter((path) => /\bmain\s{0,9}\(/.test(world.readText(path) ?? ''))
  // A program that was built earlier is recognized as a file without an extension.
  const isBuilt = ({ kind, path }: Instrument): boolean =>
    (kind === 'program' ? /^[^/]+\// : /^(?:.*\/)?[^./]+$/).test(path) &&
    !world.readText(join('', path))?.startsWith('#!')
  const run = [...executes.values()].filter((each) => each.kind !== 'make-target' && isBuilt(each))
  if (readsOutput || (!runsAllPrograms && run.length < mains.length)) return
  for (const path of mains)
    if (
      protectedByDefault(path) ||
      belongsToCheck(path, []) ||
      (runsAllPrograms && programsOfTests.has(path))
    )
      scripts.set(path, { path, language: 'c', beside: [...compiled].filter((other) => other !== path) })
}

const COMPARES = /^(?:diff|cmp|comm)$/

/** `node cart.mjs | diff - want.txt`: a file compared with output says what the check expects. Two compared files don't. */
function noteExpectation(words: readonly string[], trail: Trail, folder: string): void {
  const operands = words.filter((word) => word === '-' || !word.startsWith('-'))
  const files = operands.map((word) => join(folder, word))
  const kept = files.filter(
    (path, at) => !isOpen(operands[at] ?? '') && !trail.written.has(path) && trail.world.isFile(path),
  )
  const [path] = kept
  if (operands.length === 2 && kept.length === 1 && path !== undefined) noteWhole(path, trail)
}

/** Notes a file of the check that is never the work, wherever it is. */
function noteWhole(path: string, { executes, world }: Trail): void {
  const whole: Instrument = { kind: 'script', path, part: null }
  if (isInside(path) && world.isFile(path) && executes.size < MAX_INSTRUMENTS)
    executes.set(keyOf(whole), whole)
}

/** `cmake -S FOLDER`, `cmake --build build`: the sources are in the folder that it names, or where it runs. */
function sourceFolder(words: readonly string[]): string {
  const named = words.flatMap((word, at) =>
    word === '-S' ? (words[at + 1] ?? '') : (/^-S(.+)/.exec(word)?.[1] ?? []),
  )
  return named[0] ?? ''
}

function noteCMake(folder: string, trail: Trail, depth: number): void {
  const text =
    depth > MAX_DEPTH || !isInside(folder) ? null : trail.world.readText(join(folder, 'CMakeLists.txt'))
  const { sources, ofTests, folders } = builtByCMake(text ?? '')
  for (const source of ofTests) trail.programsOfTests.add(join(folder, source))
  for (const path of sources.map((source) => join(folder, source)))
    if (trail.world.isFile(path)) noteCompiled(path, trail)
  for (const inner of folders) noteCMake(join(folder, inner), trail, depth + 1)
}

function noteCompiled(path: string, trail: Trail): void {
  if (isInside(path) && OF_C.test(path)) trail.compiled.add(path)
  noteTakenIn(path, trail)
}

function followArguments(
  name: string,
  rest: readonly string[],
  trail: Trail,
  depth: number,
  folder: string,
): void {
  if (name === 'find' || name === 'run-parts') takeInFound(name, rest, trail, folder)
  if (readsOnly(name)) {
    if (name === 'find')
      for (const command of commandsOfFind(rest))
        if (command[0] !== '{}') follow(withoutFound(command), trail, depth + 1, folder)
    const scripts = scriptsOfReader(name, rest)
    for (const path of scripts)
      followScript(isOpen(path) ? path : join(folder, path), trail, depth, folder, false)
    if (COMPARES.test(name)) noteExpectation(rest, trail, folder)
    const read = rest.filter((word) => !scripts.includes(word))
    noteReads(read, trail, folder)
    return
  }
  if (name === 'ctest') trail.runsAllPrograms = true
  if (name === 'cmake') noteCMake(join(folder, sourceFolder(rest)), trail, depth)
  if (isCompiler(name))
    for (const source of rest.flatMap(sourcesOf)) {
      const path = join(folder, source)
      if (trail.world.isFile(path)) noteCompiled(path, trail)
    }
  followOptions(name, rest, trail, depth, folder)
  noteLists([name, ...rest].join(' '), trail, folder)
  followConfiguration(name, trail, folder)
  followTaskFiles(name, rest, trail, folder)
  const script = scriptOf(name, rest)
  switch (script.kind) {
    case 'file': {
      const path = isOpen(script.path) ? script.path : join(folder, script.path)
      noteScript(path, languageOf(name), trail)
      followScript(path, trail, depth, folder, script.isShell)
      break
    }
    case 'module':
      followModule(script.name, trail, folder)
      followConfiguration(script.name, trail, folder)
      break
    case 'shell':
      followShell(script.text, trail, depth, folder)
      break
    case 'command':
      for (const place of placesOf(script, trail, folder)) follow(script.words, trail, depth + 1, place)
      break
    case 'package-script':
      followPackageScript(script, trail, depth, folder)
      break
    case 'sources':
      for (const glob of script.globs) takeIn(join(folder, glob), trail)
      break
    case 'make':
      followMake(script, trail, depth, join(folder, script.folder))
      break
    case 'code':
      break
    case 'none':
      for (const path of rest.map((word) => join(folder, word)))
        if (isInside(path) && protectedByDefault(path) && trail.world.isFile(path)) noteComparing(path, trail)
      // Arguments of a local program that are files: read rather than executed, judging by the command alone.
      noteReads(rest, trail, folder)
      break
  }
}

/** Options whose value is code or configuration that a runner loads. */
const FILE_OPTIONS =
  /^--?(?:c|conf|config|config-file|configuration|options|bootstrap|autoload-file|import-map|init-script|build-file|buildfile|settings-file|global-settings|toolchains|propertyfile|p|project|tsconfig|r|require|import|preload|loader|experimental-loader|reporter|plugin|setupFiles(?:AfterEnv)?|globalSetup|global-setup|rcfile|init-file|env-file(?:-if-exists)?|ignore-path|settings|overlay)$/

/**
 * Follows `--import ./setup.mjs`, `--config=ci.json`, `-p plugin`, and the options in `@java.opts`: such a file steers the check as much as
 * its program does.
 */
function followOptions(
  name: string,
  words: readonly string[],
  trail: Trail,
  depth: number,
  folder: string,
): void {
  for (const value of [...optionValues(words), ...valuesOf(name, words)]) {
    const paths = [value, `${value.replaceAll('.', '/')}.py`].map((one) => join(folder, one))
    const path = paths.find(trail.world.isFile)
    if (path !== undefined && note(trail, { kind: 'script', path, part: null }))
      followFile(path, trail, depth + 1, folder)
  }
  for (const value of optionValues(words, IF_EXISTS)) trail.standIns.add(join(folder, value))
  for (const word of words) if (word.startsWith('@')) noteWhole(join(folder, word.slice(1)), trail)
}

/** Options whose short names mean other things elsewhere. */
const OPTIONS_OF: readonly (readonly [programs: RegExp, options: RegExp])[] = [
  [/^mvnw?d?$/, /^(?:-s|-gs|-f|--file|-t)$/],
  [/^gradlew?$/, /^-[Ib]$/],
  [/^rspec$/, /^-O$/],
  [/^phpstan(?:\.phar)?$/, /^-a$/],
]
/** `php -d auto_prepend_file=before.php` */
const OF_PHP = /^(?:-d)?auto_(?:prepend|append)_file=(.+)$/

function valuesOf(name: string, words: readonly string[]): readonly string[] {
  const options = OPTIONS_OF.find(([programs]) => programs.test(name))?.[1]
  const files = name.startsWith('php') ? words.map((word) => OF_PHP.exec(word)?.[1] ?? '') : []
  return [...(options === undefined ? [] : optionValues(words, options)), ...files.filter(Boolean)]
}

/** Its file may be missing, and decides what the check does once it is there. */
const IF_EXISTS = /^--env-file-if-exists$/

function optionValues(words: readonly string[], options: RegExp = FILE_OPTIONS): readonly string[] {
  return words.flatMap((word, at) => {
    const equals = word.indexOf('=')
    const option = equals < 0 ? word : word.slice(0, equals)
    const value = equals < 0 ? words[at + 1] : word.slice(equals + 1)
    return options.test(option) && value !== undefined && value !== '' && !isOpen(value) ? [value] : []
  })
}

/**
 * Follows `BASH_ENV=defaults.conf`, `NODE_OPTIONS=--import=./setup.mjs`, `RUBYOPT=-r./setup` before a program or behind `env`: interpreters
 * and runners load the files that such variables name.
 */
function followVariables(command: readonly string[], trail: Trail, depth: number, folder: string): void {
  for (const word of command) {
    const [, name = '', value = ''] = ASSIGNMENT.exec(word) ?? []
    if (!steersChecks(name)) continue
    for (const one of value.split(/[\s=:,"']+|(?<=^-[rIMm])/)) noteLoaded(one, trail, depth, folder)
  }
}

const ASSIGNMENT = /^([A-Za-z_]\w*)=([\s\S]*)$/

function noteLoaded(name: string, trail: Trail, depth: number, folder: string): void {
  if (name === '' || isOpen(name)) return
  const path = LOADED_WITHOUT.map((end) => join(folder, name + end)).find(trail.world.isFile)
  if (path !== undefined && isInside(path) && note(trail, { kind: 'script', path, part: null }))
    followFile(path, trail, depth + 1, folder)
}

/** Extensions that a configuration may omit from the names of files. */
const LOADED_WITHOUT = ['', '.js', '.mjs', '.cjs', '.ts', '.rb', '/index.js', '/index.ts']

/**
 * Follows the options that a runner reads from its configuration: `setupFiles: ['./setup.ts']`, `addopts = "-p plugin"`. A
 * file among the product's sources (`src/polyfills.js`) may be the work, and counts only if it was emptied.
 */
function followConfiguration(program: string, trail: Trail, folder: string): void {
  const options = configuredOptions(program, (path) => trail.world.readText(join(folder, path)))
  for (const value of optionValues(options)) {
    const module = value.replaceAll('.', '/')
    const path = [...LOADED_WITHOUT.map((end) => value + end), `${module}.py`, `${module}/__init__.py`]
      .map((one) => join(folder, one))
      .find(trail.world.isFile)
    if (path === undefined || !isInside(path)) continue
    const isWork = isAmongSources(path) && !belongsToCheck(path, [])
    const whole: Instrument = { kind: 'script', path, part: null }
    if (!trail.executes.has(keyOf(whole))) note(trail, isWork ? { ...whole, perhapsSubject: true } : whole)
  }
}

function followScript(path: string, trail: Trail, depth: number, folder: string, isShell: boolean): void {
  if (isOpen(path)) {
    const found = candidates(path, trail, folder)
    if (found.length === 0) trail.unresolved.add(`which file \`${path}\` is`)
    for (const one of found) followOpen(one, trail, depth, folder, isShell)
    return
  }
  if (!trail.world.isFile(path)) {
    trail.unresolved.add(`\`${path}\`, which is not there`)
    note(trail, { kind: 'script', path, part: null })
    return
  }
  if (!note(trail, { kind: 'script', path, part: null })) return
  if (isShell) followShellFile(path, trail, depth, folder)
}

/** Follows a program of the workspace: reads a shell script further, and pins any other file as it is. */
function followFile(path: string, trail: Trail, depth: number, folder: string): void {
  const first = (trail.world.readText(path) ?? '').slice(0, 200).split('\n')[0] ?? ''
  const interpreter = /^#!\s*(?:\S*\/env\s+(?:-S\s+)?)?(\S+)/.exec(first)?.[1]
  if (interpreter === undefined) return
  note(trail, { kind: 'program', path: interpreter, part: null })
  noteScript(path, languageOf(nameOf(interpreter)), trail)
  if (/(?:^|\/)(?:ba|da|z|k)?sh$/.test(interpreter)) followShellFile(path, trail, depth, folder)
}

function followShellFile(path: string, trail: Trail, depth: number, folder: string): void {
  const text = trail.world.readText(path)
  if (text === null) {
    trail.unresolved.add(`what \`${path}\` holds`)
    return
  }
  trail.files.push(path)
  followShell(text, trail, depth, folder)
  trail.files.pop()
}

function followShell(text: string, trail: Trail, depth: number, folder: string): void {
  let current = folder
  if (READS_OUTPUT.test(text)) trail.readsOutput = true
  trail.sees ??= uncommittedView(text)
  if (!/\bpipefail\b/.test(text))
    for (const piped of text.match(PIPED) ?? []) trail.piped.push(piped.match(/[\w@+-][\w@./+-]*/g) ?? [])
  for (const [, target = ''] of text.matchAll(OUTPUT)) trail.written.add(join(folder, target))
  noteLists(text, trail, folder)
  for (const [, ...paths] of text.matchAll(FED)) {
    const path = join(folder, paths.find((each) => each !== undefined) ?? '')
    if (trail.world.isFile(path)) followScript(path, trail, depth + 1, folder, path.endsWith('.sh'))
  }
  const commands = splitShell(text).map(withoutPrefixes)
  for (const words of commands) {
    if (words[0] === 'cd' && words[1] !== undefined) {
      if (/[$`~*?]|^\//.test(words[1])) return void trail.unresolved.add(`where \`cd ${words[1]}\` leads`)
      current = join(current, words[1])
    } else if ((words[0] === '.' || words[0] === 'source') && words[1] !== undefined) {
      const path = isOpen(words[1]) ? words[1] : join(current, words[1])
      if (!isOpen(path) && !trail.world.isFile(path) && isAskedFor(words[1], commands))
        trail.standIns.add(path)
      followScript(path, trail, depth + 1, current, true)
    } else if (words[0] === 'for' && words[2] === 'in') trail.variables.set(words[1] ?? '', words.slice(3))
    else follow(words, trail, depth + 1, current)
  }
}

const INTERPRETER = '(?:(?:ba|da|z|k)?sh|python[\\d.]*|node|ruby|perl|php|lua|octave|tclsh)'
const DATABASE = '(?:psql|mysql|mariadb|sqlite3|duckdb|bc|dc)'
const FILE = '["\']?([\\w./-]*\\w)'
/** `sh < check.sh`, `psql shop < check.sql`, `cat check.sh | sh`: programs that read their script from stdin. */
const FED = new RegExp(
  [
    `(?<![\\w.-])${INTERPRETER}(?:[ \\t]+-[\\w-]*)*(?:[ \\t]+--[^|;&<>\\n]{0,200})?[ \\t]*<[ \\t]*${FILE}`,
    `(?<![\\w.-])${DATABASE}\\b[^|;&<>\\n]{0,200}<[ \\t]*${FILE}`,
    `\\bcat[ \\t]+${FILE}["']?[ \\t]*\\|[ \\t]*${INTERPRETER}(?:[ \\t]+-[\\w-]*)*(?:[ \\t]+--|[ \\t]*(?:$|[|;&\\n]))`,
  ].join('|'),
  'gm',
)

/**
 * Lists that decide what a shell runs or looks at: `for f in $(cat checks.txt)`, `while read f; do …; done < checks.txt`, `xargs -a
 * checks.txt`, `cat checks.txt | while read f`.
 */
const LISTED = new RegExp(
  [
    `\\bfor[ \\t]+\\w+[ \\t]+in[^\\n;]{0,200}(?:\\$\\(|\`)[ \\t]*(?:cat[ \\t]+|<[ \\t]*)${FILE}`,
    `\\bdone[ \\t]*<[ \\t]*${FILE}`,
    `\\b(?:xargs|parallel)\\b[^|;&\\n]{0,200}?(?:[ \\t]-a[ \\t]*|[ \\t]--arg-file[= ]|<[ \\t]*|::::[ \\t]+)${FILE}`,
    `\\bcat[ \\t]+${FILE}["']?[ \\t]*\\|[ \\t]*(?:xargs|parallel|while)\\b`,
  ].join('|'),
  'g',
)

function noteLists(text: string, trail: Trail, folder: string): void {
  for (const [, ...paths] of text.matchAll(LISTED))
    noteWhole(join(folder, paths.find((each) => each !== undefined) ?? ''), trail)
}

/** Text that an agent may have written must not lead anywhere else. */
function isInside(path: string): boolean {
  return !path.startsWith('..') && !path.startsWith('/')
}

/** Where a shell text writes what a program prints. */
const OUTPUT = /(?:>|\btee(?: -a)?|\s-o|\s--output)[ =]?[ \t]*["']?([\w./-]*\w)/g

/** `[ -f .env ] && . ./.env`: the script tests whether the file exists, so the check is complete without it. */
function isAskedFor(path: string, commands: readonly (readonly string[])[]): boolean {
  const name = (word: string): string => word.replace(/^\.\//, '')
  return commands.some(
    ([program = '', ...words]) =>
      /^(?:\[\[?|test)$/.test(program) && words.some((word) => name(word) === name(path)),
  )
}

function followOpen(path: string, trail: Trail, depth: number, folder: string, isShell: boolean): void {
  if (isOpen(path)) trail.takesIn.add(path)
  else if (
    depth <= MAX_DEPTH &&
    trail.world.isFile(path) &&
    note(trail, { kind: 'script', path, part: null })
  ) {
    if (isShell) followShellFile(path, trail, depth + 1, folder)
    else followFile(path, trail, depth + 1, folder)
  }
}

/** Removes `{}`, because the files that `find` has found are data for the command it runs. */
function withoutFound(command: readonly string[]): readonly string[] {
  return command.filter((word) => word !== '{}')
}

/** `find checks -exec sh {} ;`, `run-parts checks`: every file in the folder is executed. */
function takeInFound(name: string, words: readonly string[], trail: Trail, folder: string): void {
  if (name === 'find' && !commandsOfFind(words).some(executesFound)) return
  for (const word of words) {
    if (word.startsWith('-') || word === '(') {
      if (name === 'find') return
      continue
    }
    const path = join(folder, word)
    if (!isOpen(word) && path !== '') takeIn(`${path}/**`, trail)
  }
}

function takeIn(glob: string, trail: Trail): void {
  if (!glob.startsWith('..') && !glob.startsWith('/')) trail.takesIn.add(glob)
}

function followModule(name: string, trail: Trail, folder: string): void {
  const path = join(folder, name.replaceAll('.', '/'))
  for (const file of [`${path}.py`, `${path}/__main__.py`, `${path}/__init__.py`])
    if (trail.world.isFile(file)) note(trail, { kind: 'script', path: file, part: null })
}

/** The folders in which a command is run: those of the packages that it selects, else the one that it names. */
function placesOf(
  { folder, packages }: { readonly folder: string; readonly packages?: readonly string[] },
  { world }: Trail,
  from: string,
): readonly string[] {
  const root = join(from, folder)
  const selected = packages === undefined ? [] : packageFolders(root, packages, world)
  return selected.length > 0 ? selected : [root]
}

function followPackageScript(
  script: Extract<ScriptArgument, { readonly kind: 'package-script' }>,
  trail: Trail,
  depth: number,
  from: string,
): void {
  const root = join(from, script.folder)
  const places = placesOf(script, trail, from)
  const found = [...new Set([root, ...places])].filter((folder) =>
    followScriptsAt(script.scripts, trail, depth, folder),
  )
  if (found.length > 0) return
  if (script.otherwise !== null)
    for (const folder of places) follow(script.otherwise, trail, depth + 1, folder)
  const path = join(root, 'package.json')
  for (const name of script.scripts) {
    trail.unresolved.add(`the script \`${name}\` of ${path}`)
    note(trail, { kind: 'package-script', path, part: `scripts.${name}` })
  }
}

/** Returns whether the package has one of the scripts. */
function followScriptsAt(scripts: readonly string[], trail: Trail, depth: number, folder: string): boolean {
  const path = join(folder, 'package.json')
  const text = trail.world.readText(path)
  const chain = text === null ? null : packageScripts(text, scripts)
  for (const { name, command } of chain ?? [])
    if (note(trail, { kind: 'package-script', path, part: `scripts.${name}` }))
      followShell(command, trail, depth + 1, folder)
  return chain !== null && chain.length > 0
}

/**
 * Follows the files of a task runner. It isn't known which of the mentioned scripts it executes: those whose name or folder
 * suggests that they are part of a check count, others only if they were emptied.
 */
function followTaskFiles(name: string, words: readonly string[], trail: Trail, folder: string): void {
  const { isFile, readText } = trail.world
  const places = name === 'nx' || name === 'moon' ? packageFolders(folder, [], trail.world) : []
  for (const file of missingTaskFiles(name, words, (path) => isFile(join(folder, path))))
    trail.standIns.add(join(folder, file))
  for (const place of [folder, ...places])
    for (const file of taskFilesIn(name, words, (path) => isFile(join(place, path)))) {
      const path = join(place, file)
      // Only the steering parts of a protected manifest count.
      if (!protectedByDefault(path)) note(trail, { kind: 'script', path, part: null })
      const beside = path.slice(0, Math.max(0, path.lastIndexOf('/')))
      trail.files.push(path)
      // Some run their tasks beside the file, others where they were called.
      for (const from of new Set([beside, folder]))
        for (const mentioned of mentionedCode(
          readText(path) ?? '',
          (one) => isInside(join(from, one)) && isFile(join(from, one)),
        ))
          note(trail, { kind: 'script', path: join(from, mentioned), part: null })
      trail.files.pop()
    }
}

function followMake(
  { tool, file, targets }: { tool: 'make' | 'just'; file: string | null; targets: readonly string[] },
  trail: Trail,
  depth: number,
  folder: string,
): void {
  const names =
    tool === 'make' ? ['GNUmakefile', 'makefile', 'Makefile'] : ['justfile', 'Justfile', '.justfile']
  const path = (file === null ? names : [file]).map((name) => join(folder, name)).find(trail.world.isFile)
  const text = path === undefined ? null : trail.world.readText(path)
  if (path === undefined || text === null) {
    trail.unresolved.add(`the ${tool}file of \`${[tool, ...targets].join(' ')}\``)
    return
  }
  const { recipes, includes, needs, files } = expandMake(text, targets, tool)
  // Variables, includes and conditions affect all of such a file, so it counts as a whole.
  if (!note(trail, { kind: 'make-target', path, part: null })) return
  for (const include of includes)
    if (/[$*?]/.test(include)) trail.unresolved.add(`what ${path} includes as \`${include}\``)
    else if (trail.world.isFile(join(folder, include)))
      note(trail, { kind: 'make-target', path: join(folder, include), part: null })
    else trail.standIns.add(join(folder, include))
  for (const target of files.map((each) => join(folder, each)))
    if (trail.world.isFile(target)) trail.products.add(target)
    else trail.standIns.add(target)
  for (const source of needs.flatMap(sourcesOf).map((each) => join(folder, each)))
    if (trail.world.isFile(source)) noteCompiled(source, trail)
  for (const recipe of recipes) followShell(recipe, trail, depth + 1, folder)
}

function noteCaches(command: readonly string[], { caches, world }: Trail, folder: string): void {
  const text = command.join(' ')
  const key = `${folder}\n${text}`
  if (caches.has(key) || caches.size >= MAX_INSTRUMENTS) return
  const readText = (path: string): string | null =>
    world.isFile(join(folder, path)) ? world.readText(join(folder, path)) : null
  const configured = configuredCaches(text, readText)
  const places = [...cachesNamedBy(text), ...configured].map((place) => join(folder, place))
  caches.set(key, places.filter(isInside))
}

function noteReads(words: readonly string[], trail: Trail, folder: string): void {
  for (const word of words) {
    const path = join(folder, word)
    if (!word.startsWith('-') && !/[$`*?]/.test(word) && trail.world.isFile(path)) trail.reads.add(path)
  }
}

/** `NAME=value`, `exec`, `!`, `time`, `if` … may precede the program. */
function withoutPrefixes(words: readonly string[]): readonly string[] {
  let at = 0
  const isPrefix = (word: string): boolean =>
    /^[A-Za-z_]\w*=/.test(word) ||
    /^(?:exec|command|builtin|!|if|then|else|elif|while|until|do|\{|\()$/.test(word)
  while (at < words.length && isPrefix(words[at] ?? '')) at += 1
  return words.slice(at)
}

function nameOf(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1).replace(/\.(?:exe|cmd|bat)$/i, '')
}
