import { delimiter, dirname, join } from 'node:path'
import type { DependencyFacts, InstalledFile } from '../../core/custody/dependencies.ts'
import { placedFile } from '../../core/custody/package-places.ts'
import { existsSync } from '../files/names.ts'
import { installedModules } from './python-modules.ts'

/*
 * A file that an agent adds to a folder of dependencies may hide another of the same name: a package installed above the tree, a module
 * that the interpreter includes, a program on `PATH`, a module of the project.
 */

/** Returns a function that tells whether a file of the same name exists outside the folders of dependencies below `top`. Throws nothing. */
export function isFoundElsewhere(top: string): DependencyFacts['isElsewhere'] {
  let known: ReadonlySet<string> | null = null
  const modules = (): ReadonlySet<string> => {
    known ??= installedModules([], null)
    return known
  }
  const isFound: Record<InstalledFile['kind'], (path: string, file: InstalledFile) => boolean> = {
    node: (_path, { name }) => isInstalledAbove(top, name),
    python: (_path, { name }) => modules().has(name),
    bin: () => false,
    program: (_path, { name }) => pathFolders().some((folder) => existsSync(join(folder, name))),
    placed: (path) => isPerlModule(top, path),
  }
  return (path, file) => isFound[file.kind](path, file)
}

function isInstalledAbove(top: string, name: string): boolean {
  const above = dirname(top)
  return above !== top && (existsSync(join(above, 'node_modules', name)) || isInstalledAbove(above, name))
}

function pathFolders(): readonly string[] {
  return (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
}

/** Returns whether the project has the Perl module: Perl loads a module from the first folder that has it. */
function isPerlModule(top: string, path: string): boolean {
  const place = placedFile(path)?.place ?? ''
  if (!path.endsWith('.pm') || !place.endsWith('lib/perl5')) return false
  const module = path.slice(place.length + 1)
  const project = dirname(dirname(dirname(place)))
  return ['lib', 't/lib'].some((folder) => existsSync(join(top, project, folder, module)))
}
