import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An npm package that the build contains parts of. */
export interface BundledPackage {
  readonly folder: string
  readonly name: string
  readonly version: string
}

/** Returns what the build of this checkout contains, by name and version. */
export function bundledPackages(root: string): readonly BundledPackage[] {
  const all = ['main', 'preload', 'renderer'].flatMap(
    (part) => JSON.parse(readFileSync(join(root, 'out', part, 'packages.json'), 'utf8')) as BundledPackage[],
  )
  const byId = new Map(all.map((each) => [`${each.name}@${each.version}`, each]))
  return [...byId.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each)
}

const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i

/** Returns the licenses of everything bundled, as one text. */
export function licencesText(root: string): string {
  const parts = bundledPackages(root).map(({ folder, name, version }) => {
    const path = join(root, folder)
    const { license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
    const files = existsSync(path) ? readdirSync(path).filter((file) => LICENCE_FILE.test(file)) : []
    const texts = files.sort().map((file) => readFileSync(join(path, file), 'utf8').trim())
    return [`${name} ${version} (${license ?? 'see below'})`, ...texts].join('\n\n')
  })
  return `${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}
