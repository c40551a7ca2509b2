import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { readdirSync, realpathSync } from '../files/names.ts'
import { exactStatAt } from '../files/stats-at.ts'

/** The programs that checks commonly start. */
const TOOLS =
  'sh bash env node npm npx pnpm yarn bun deno python python3 pytest uv go cargo rustc java mvn gradle dotnet ruby bundle rake php composer perl prove swift elixir mix make just git'.split(
    ' ',
  )

/**
 * Returns a digest that changes when a program on this PATH is installed, upgraded or removed: the folders of PATH, the programs that
 * checks run, and where interpreters install modules for all projects.
 */
export function printTools(searchPath: string, program: string): string {
  const folders = [...new Set(searchPath.split(delimiter).filter(isAbsolute))]
  const names = [...new Set([program, ...TOOLS])]
  const programs = folders.flatMap((folder) => names.map((name) => join(folder, name)))
  const prefixes = [...folders.map((folder) => dirname(folder)), join(homedir(), '.local')]
  const modules = prefixes.flatMap((prefix) => [
    join(prefix, 'lib', 'node_modules'),
    ...pythonsIn(join(prefix, 'lib')).flatMap((lib) => [
      join(lib, 'site-packages'),
      join(lib, 'dist-packages'),
    ]),
  ])
  const hash = createHash('sha256')
  for (const path of [...folders, program, ...programs, ...modules])
    hash.update(`${path}\0${stateOf(path)}\0`)
  return hash.digest('base64')
}

function pythonsIn(lib: string): readonly string[] {
  try {
    return readdirSync(lib)
      .filter((name) => /^(?:python|pypy)\d/.test(name))
      .map((name) => join(lib, name))
  } catch {
    return []
  }
}

function stateOf(path: string): string {
  const stats = isAbsolute(path) ? exactStatAt(path) : undefined
  if (stats === undefined) return ''
  const { size, mtimeNs, ctimeNs, ino } = stats
  return `${realpathSync(path)}:${size}:${mtimeNs}:${ctimeNs}:${ino}`
}
