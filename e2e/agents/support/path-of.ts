import { mkdirSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { RealAgent } from './programs.ts'

/** Returns a PATH that starts with a new folder `bin` in `folder`, which has the agent's programs under their own names. */
export function pathOf(folder: string, { programs }: Pick<RealAgent, 'programs'>): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  for (const [name, file] of Object.entries(programs)) symlinkSync(file, join(bin, name))
  return [bin, process.env.PATH].join(delimiter)
}
