import type { InstrumentWorld } from './instrument-world.ts'
import { loadedBy } from './loaded-files.ts'
import { join } from './open-words.ts'
import { packageFolders } from './workspace-packages.ts'

/* Finds modules that a source loads from the repository itself: beside it, in a package of the workspace, or vendored. */

const VENDORED = ['vendor', '_vendor', 'third_party', 'third-party', 'external', 'lib']
const MAX_FILES = 50

/**
 * Returns the files of the module that a source in `folder` loads by this name: its entry, and what that loads of the same package. Empty
 * if it is not in the repository, or is installed. Never throws.
 */
export function moduleFiles(
  path: string,
  module: string,
  folder: string,
  world: InstrumentWorld,
): readonly string[] {
  const found = path.endsWith('.py')
    ? pythonModule(path, module, world)
    : nodeModule(path, module, folder, world)
  return found === null ? [] : withLoaded(found.entry, found.within, world)
}

/**
 * Returns the paths at which a new file would be loaded as this module instead of the existing one: in Python a package takes precedence
 * over a module, in JavaScript `same.js` over `same/index.js`. Pure.
 */
export function foundBefore(
  path: string,
  module: string,
  entry: string,
  { isFile }: InstrumentWorld,
): readonly string[] {
  const stem = entry.replace(/(?:\/__init__)?\.py$/, '')
  const places = entry.endsWith('.py')
    ? [`${stem}/__init__.py`, `${stem}.py`]
    : module.startsWith('.')
      ? loadedBy(path, `import '${module}'`)
      : []
  const last = places.findLast((place) => isFile(place)) ?? ''
  return places
    .slice(0, Math.max(0, places.indexOf(last)))
    .filter((place) => place.includes('.') && !last.startsWith(`${place}/`))
}

interface FoundModule {
  readonly entry: string
  /** The folder of all its files, with `/` at the end; `null` if it is this one file. */
  readonly within: string | null
}

function pythonModule(path: string, module: string, { isFile }: InstrumentWorld): FoundModule | null {
  const name = module.replace(/^\.+/, '').replaceAll('.', '/')
  const vendored = VENDORED.flatMap((place) => [`${place}/${name}.py`, `${place}/${name}/__init__.py`])
  const entry = [...loadedBy(path, `import ${module.replace(/^\.+/, '')}\n`), ...vendored].find(isFile)
  if (entry === undefined) return null
  return { entry, within: entry.endsWith('/__init__.py') ? entry.slice(0, -'__init__.py'.length) : null }
}

/** A module without a manifest, as `NODE_PATH=lib` finds it. */
function plainModule(module: string, folder: string, { isFile }: InstrumentWorld): FoundModule | null {
  const entry = VENDORED.flatMap((one) => [`${one}/${module}.js`, `${one}/${module}/index.js`])
    .map((one) => join(folder, one))
    .find(isFile)
  return entry === undefined ? null : { entry, within: null }
}

function nodeModule(
  path: string,
  module: string,
  folder: string,
  world: InstrumentWorld,
): FoundModule | null {
  if (module.startsWith('.')) {
    const entry = loadedBy(path, `import '${module}'`).find(world.isFile)
    return entry === undefined ? null : { entry, within: null }
  }
  const [first = '', second = ''] = module.split('/')
  const name = first.startsWith('@') ? `${first}/${second}` : first
  const place = packageCalled(name, folder, world)
  if (place === null) return plainModule(module, folder, world)
  const manifest = objectOf(world.readText(join(place, 'package.json')))
  const rest = module.slice(name.length)
  const listed = targetsOf(
    rest === '' ? (at(manifest.exports, '.') ?? manifest.exports) : at(manifest.exports, `.${rest}`),
  )
  const plain =
    rest === ''
      ? [manifest.module, manifest.main, 'index.js', 'index.mjs', 'index.ts']
      : [`.${rest}`, `.${rest}.js`]
  const entry = [...listed, ...plain.flatMap((one) => (typeof one === 'string' ? [one] : []))]
    .map((one) => join(place, one))
    .find(world.isFile)
  return entry === undefined ? null : { entry, within: `${place}/` }
}

/** Returns the folder of a package: one of the workspace, one that `package.json` refers to by its path, or a vendored one. */
function packageCalled(name: string, folder: string, world: InstrumentWorld): string | null {
  const isCalledSo = (place: string): boolean =>
    objectOf(world.readText(join(place, 'package.json'))).name === name
  const { dependencies, devDependencies } = objectOf(world.readText(join(folder, 'package.json')))
  const said = at(devDependencies, name) ?? at(dependencies, name)
  const [, linked] = /^(?:file|link|portal):(.+)$/.exec(typeof said === 'string' ? said : '') ?? []
  if (linked !== undefined) return join(folder, linked)
  const vendored = VENDORED.map((place) => join(folder, `${place}/${name}`))
  return [...packageFolders(folder, [name], world), ...vendored].find(isCalledSo) ?? null
}

function withLoaded(
  entry: string,
  within: string | null,
  { isFile, readText }: InstrumentWorld,
): readonly string[] {
  const files = [entry]
  for (const path of files) {
    if (within === null || files.length >= MAX_FILES) break
    const loaded = loadedBy(path, readText(path) ?? '').filter((one) => one.startsWith(within) && isFile(one))
    files.push(...loaded.filter((one) => !files.includes(one)))
  }
  return files
}

function objectOf(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

function at(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

function targetsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return isObject(value)
    ? Object.entries(value).flatMap(([key, one]) => (key === 'types' ? [] : targetsOf(one)))
    : []
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
