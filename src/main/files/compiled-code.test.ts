import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { afterEach, beforeEach, expect, it } from 'vitest'

/** Named with a content hash, like the bundler's chunks. */
const MAIN = 'main-B1x_y-9z.js'
const PART = 'part-A0Bcd3fG.js'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pulseward-compiled-'))
  mkdirSync(join(root, 'program'))
  write(MAIN, `module.exports = require('./${PART}').answer() + ' ' + __filename.length + typeof module.id`)
  write(PART, "exports.answer = () => 'one'")
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(name: string, text: string): void {
  writeFileSync(join(root, 'program', name), text)
}

/** Starts the program in a separate process, like the app; returns its output and what is cached then. */
function start(kept = join(root, 'kept')): string {
  const [module, program] = [join(import.meta.dirname, 'compiled-code.ts'), join(root, 'program')]
  const script = `import { createRequire } from 'node:module'
    import { keepByScripts } from ${JSON.stringify(module)}
    const keep = keepByScripts(${JSON.stringify(kept)}, ${JSON.stringify(program)})
    console.log(createRequire(import.meta.url)(${JSON.stringify(join(program, MAIN))}))
    keep(); keep()`
  const words = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script]
  return execFileSync(process.execPath, words, { encoding: 'utf8' }).split(/\s/u)[0] ?? ''
}

function keptFile(): string {
  const [file, ...others] = readdirSync(join(root, 'kept'))
  expect(others).toEqual([])
  return join(root, 'kept', file ?? '')
}

it('runs what was compiled before, and compiles nothing again', () => {
  expect(start()).toBe('one')
  const { ino } = statSync(keptFile())
  expect(start()).toBe('one')
  expect(statSync(keptFile()).ino, 'nothing new is to be kept').toBe(ino)
  // A name identifies the content, so the cached code for the name runs.
  write(PART, "exports.answer = () => 'two'")
  expect(start(), 'the program is compiled though it was kept').toBe('one')
})

it('recompiles a file with another length than the cached one', () => {
  expect(start()).toBe('one')
  write(PART, "exports.answer = () => 'three'")
  expect(start()).toBe('three')
  expect(start()).toBe('three')
})

it('does not cache a file whose name has no content hash', () => {
  write(MAIN, "module.exports = require('./part.js').answer()")
  write('part.js', "exports.answer = () => 'one'")
  expect(start()).toBe('one')
  write('part.js', "exports.answer = () => 'two'")
  expect(start()).toBe('two')
})

it.each([
  ['is corrupted', () => Buffer.from('nonsense')],
  ['is empty', () => Buffer.alloc(0)],
  ['contains another object', () => serialize({ answer: 'three' })],
  ['contains code that V8 does not accept', (whole: Map<string, Buffer>) => spoilt(whole, Buffer.alloc(64))],
  ['contains no code', (whole: Map<string, Buffer>) => spoilt(whole, 'none')],
])('starts anyway, and writes the cache again, if the file %s', (_, spoil) => {
  start()
  const whole = deserialize(readFileSync(keptFile()))
  writeFileSync(keptFile(), spoil(whole))
  expect(start()).toBe('one')
  expect([...deserialize(readFileSync(keptFile())).keys()]).toEqual([...whole.keys()])
})

function spoilt(whole: Map<string, Buffer>, code: unknown): Buffer {
  return serialize(new Map([...whole].map(([file]) => [file, code])))
}

it('starts without a writable cache', () => {
  writeFileSync(join(root, 'file'), '')
  expect(start(join(root, 'file/kept'))).toBe('one')
})
