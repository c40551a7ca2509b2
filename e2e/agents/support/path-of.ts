import { mkdirSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { RealAgent } from './programs.ts'

/** PATH with the agent's programs, under their own names in a new folder `bin` of `folder`, before everything else. */
export function pathOf(folder: string, { programs }: Pick<RealAgent, 'programs'>): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  for (const [name, file] of Object.entries(programs)) symlinkSync(file, join(bin, name))
  return [bin, process.env.PATH].join(delimiter)
}
