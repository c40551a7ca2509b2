import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { readdirSync } from '../files/names.ts'

/*
 * Python prefers a module in the folder of the run to an installed one: with a new `yaml.py` next to the sources, tests that import yaml
 * get that file.
 */

const PYTHON = /^(?:python|pypy|pytest|py\.test|tox|nox|coverage|uv|poetry|pipenv|hatch|pdm)[\d.]*$/
/** Folders that packages put into site-packages by mistake, and that projects often have too. */
const COMMON = new Set(
  'app api cli common conf config core docs doc example examples helpers lib main models scripts setup src test tests tools utils'.split(
    ' ',
  ),
)

/** Returns whether one of these programs, by name or path, runs Python. */
export function runsPython(programs: Iterable<string>): boolean {
  return [...programs].some((program) => PYTHON.test(basename(program)))
}

/**
 * Returns the names of the modules in Python's own library and in installed packages, from their usual places: next to the interpreters
 * given by path, in the user's folder, and in the workspace's environment, if there is one. Throws nothing.
 */
export function installedModules(
  interpreters: readonly string[],
  directory: string | null,
): ReadonlySet<string> {
  const home = homedir()
  const versions = join(process.env.PYENV_ROOT ?? join(home, '.pyenv'), 'versions')
  const prefixes = [
    ...interpreters.map((path) => dirname(dirname(path))),
    ...['/usr', '/usr/local', join(home, '.local')],
    ...(directory === null ? [] : [join(directory, '.venv'), join(directory, 'venv')]),
    ...namesIn(versions).map((name) => join(versions, name)),
  ]
  const libraries = [...new Set(prefixes)].flatMap((prefix) =>
    namesIn(join(prefix, 'lib'))
      .filter((name) => /^(?:python|pypy)\d/.test(name))
      .map((name) => join(prefix, 'lib', name)),
  )
  const folders = libraries.flatMap((library) => [
    library,
    join(library, 'site-packages'),
    join(library, 'dist-packages'),
  ])
  return new Set(
    folders.flatMap(namesIn).flatMap((name) => {
      const module = /^([A-Za-z_]\w*)(?:\.py|\.[\w-]+\.(?:so|pyd))?$/.exec(name)?.[1]
      return module === undefined || COMMON.has(module) ? [] : [module]
    }),
  )
}

/** Returns the module that a path from the workspace is imported as, in preference to an installed one; `null` if it is not
 * imported that way. */
export function importedBefore(path: string): string | null {
  return /^(?:src\/)?([A-Za-z_]\w*)(?:\.pyc?|\.[\w-]+\.(?:so|pyd)|\/__init__\.py)$/.exec(path)?.[1] ?? null
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
