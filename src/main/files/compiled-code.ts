import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import nodeModule, { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { constants, Script } from 'node:vm'
import { crc32 } from 'node:zlib'

/*
 * Half of what loading the program takes is compiling it. Node.js keeps what it compiled from version 22.1 on; the oldest Electron
 * that the app runs in has Node.js 20, for which the same is done here with what V8 offers for it.
 */

/** What V8 made of each file, and the checksum of what the file held. V8 itself compares no more than its length. */
type Kept = ReadonlyMap<string, { readonly source: number; readonly code: Buffer }>

/** A file as it was loaded. */
interface Loaded {
  readonly source: number
  readonly script: Script
}

type Compile = (this: NodeModule, content: string, filename: string, ...rest: unknown[]) => unknown

/**
 * From here on takes what was compiled before from `directory`, and compiles only what is new. The answer writes down what was
 * compiled since, with the functions that have run meanwhile: to be called when a start is over, and before an end. It never throws.
 * What lies in `directory` is run: nobody else may write there.
 *
 * @param program The folder whose CommonJS files are meant.
 */
export function keepCompiledCode(directory: string, program: string): () => void {
  if (nodeModule.enableCompileCache === undefined) return keepByScripts(directory, program)
  nodeModule.enableCompileCache(directory)
  return () => nodeModule.flushCompileCache?.()
}

/** The same by V8's scripts, whatever Node.js can do itself; what is loaded after the answer was called is not kept. */
export function keepByScripts(directory: string, program: string): () => void {
  const name = crc32(`${process.version} ${process.arch} ${program}`).toString(16)
  const place = join(directory, `${name}.v8`)
  const kept = read(place)
  const compiled = new Map<string, Loaded>()
  let isNew = false
  const prototype = nodeModule.prototype as unknown as { _compile: Compile }
  const compile = prototype._compile
  prototype._compile = function (content, filename, ...rest) {
    if (!filename.startsWith(program + sep)) return compile.call(this, content, filename, ...rest)
    const source = crc32(content)
    const before = kept.get(filename)
    const cachedData =
      before?.source === source && before.code instanceof Uint8Array ? before.code : undefined
    const script = new Script(nodeModule.wrap(content), {
      filename,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      ...(cachedData && { cachedData }),
    })
    if (cachedData === undefined || script.cachedDataRejected === true) isNew = true
    compiled.set(filename, { source, script })
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

function write(place: string, compiled: ReadonlyMap<string, Loaded>): void {
  try {
    const code: Kept = new Map(
      [...compiled].map(([file, { source, script }]) => [file, { source, code: script.createCachedData() }]),
    )
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
    const draft = `${place}.${process.pid}`
    writeFileSync(draft, serialize(code), { mode: 0o600 })
    renameSync(draft, place)
  } catch {
    // It is compiled again then.
  }
}
