import { dirname, join, sep } from 'node:path'
import { realpath } from '../files/names.ts'

interface Places {
  readonly homeDirectory: string
  readonly dataDirectory: string
}

/**
 * Returns a warning for a folder, by its real path, that can be a workspace but contains far more than one agent's work. Says
 * which folder to choose instead. `null` if there is none. Never rejects.
 */
export async function warningOfWideFolder(real: string, places: Places): Promise<string | null> {
  const home = await realpath(places.homeDirectory).catch(() => places.homeDirectory)
  const data = await realpath(places.dataDirectory).catch(() => places.dataDirectory)
  const what = whatItHolds(real, home, data)
  if (what === null) return null
  const foreign = isWithin(data, real)
    ? 'other programs, and Pulseward in its own records,'
    : 'other programs'
  return [
    `${real} ${what}.`,
    'The agent would work on all of it, each heartbeat would scan all of it,',
    `and what ${foreign} change in it would count as the agent's work.`,
    `Choose the folder of one project instead, such as ${join(isWithin(home, real) ? home : real, 'src', 'backend')}.`,
  ].join(' ')
}

function whatItHolds(real: string, home: string, data: string): string | null {
  if (dirname(real) === real) return 'is the top of the file system'
  if (real === home) return 'is your home folder'
  if (isWithin(home, real)) return 'contains your home folder'
  return isWithin(data, real) ? "contains Pulseward's data folder" : null
}

function isWithin(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep) || path === folder
}
