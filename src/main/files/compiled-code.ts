import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import nodeModule, { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { Script } from 'node:vm'

/*
 * Compiling takes half of the time to load the program. Node.js has a compile cache since 22.1; the oldest Electron that the app runs in
 * has Node.js 20, where this does the same with V8's API.
 */

/** V8's compiled code of each file. V8 only compares the file's length with it, hence `NAMED_BY_CONTENT`. */
type Kept = ReadonlyMap<string, Buffer>

type Compile = (this: NodeModule, content: string, filename: string, ...rest: unknown[]) => unknown

/** Matches the bundler's names for chunks, which change with the content. Hashing each file instead would take a tenth of its load time. */
const NAMED_BY_CONTENT = /-[\w-]{8}\.js$/u
/** Limit for a file name, which can have at most 255 bytes. */
const LONGEST_NAME = 200

/**
 * Uses compiled code from `directory`, and compiles only what is new. Returns a function that saves code compiled since then,
 * including functions that have run by the time of the call. Call it after startup and before exit. Never throws. The content
 * of `directory` is executed, so no other user may write there.
 *
 * @param program The folder whose CommonJS files are cached, if they are named by content. They do not use `import()`.
 */
export function keepCompiledCode(directory: string, program: string): () => void {
  if (nodeModule.enableCompileCache === undefined) return keepByScripts(directory, program)
  nodeModule.enableCompileCache(directory)
  return () => nodeModule.flushCompileCache?.()
}

/** Does the same with V8's scripts, whatever Node.js offers. What is loaded after the returned function was called is not cached. */
export function keepByScripts(directory: string, program: string): () => void {
  const place = join(directory, `${encodeURIComponent(program).slice(-LONGEST_NAME)}.v8`)
  const kept = read(place)
  const compiled = new Map<string, Script>()
  let isNew = false
  const prototype = nodeModule.prototype as unknown as { _compile: Compile }
  const compile = prototype._compile
  prototype._compile = function (content, filename, ...rest) {
    const isMeant = filename.startsWith(program + sep) && NAMED_BY_CONTENT.test(filename)
    if (!isMeant) return compile.call(this, content, filename, ...rest)
    const before = kept.get(filename)
    const cachedData = before instanceof Uint8Array ? before : undefined
    const script = new Script(nodeModule.wrap(content), { filename, ...(cachedData && { cachedData }) })
    if (cachedData === undefined || script.cachedDataRejected === true) isNew = true
    compiled.set(filename, script)
    const run = script.runInThisContext() as (...words: unknown[]) => unknown
    return run.call(this.exports, this.exports, createRequire(filename), this, filename, dirname(filename))
  }
  return () => {
    prototype._compile = compile
    if (isNew) write(place, compiled)
    isNew = false
  }
}

function read(place: string): Kept {
  try {
    const kept: unknown = deserialize(readFileSync(place))
    return kept instanceof Map ? kept : new Map()
  } catch {
    return new Map()
  }
}

function write(place: string, compiled: ReadonlyMap<string, Script>): void {
  try {
    const code: Kept = new Map([...compiled].map(([file, script]) => [file, script.createCachedData()]))
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
    const draft = `${place}.${process.pid}`
    writeFileSync(draft, serialize(code), { mode: 0o600 })
    renameSync(draft, place)
  } catch {
    // It is compiled again next time.
  }
}
