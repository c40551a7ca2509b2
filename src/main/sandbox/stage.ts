import { existsSync, readFileSync } from 'node:fs'
import { delimiter, sep } from 'node:path'
import type { ProcessStart } from '../ports/containment.ts'
import { type MountedPlace, parseMounts } from './root-steps.ts'

/** What is mounted for this process. */
export function placesHere(): readonly MountedPlace[] {
  return parseMounts(readFileSync('/proc/self/mountinfo', 'utf8'))
}

const STAGES = ['/mnt', '/media', '/srv', '/boot']

/** Returns a folder to build the new root in, away from everything that matters. */
export function stageBeside(start: ProcessStart, mounts: readonly { readonly path: string }[]): string {
  const paths = [
    ...mounts.map(({ path }) => path),
    ...start.command,
    start.directory,
    ...(start.env.PATH ?? '').split(delimiter),
  ]
  const stage = STAGES.find(
    (folder) => existsSync(folder) && !paths.some((path) => path === folder || path.startsWith(folder + sep)),
  )
  if (stage === undefined) throw new Error(`none of ${STAGES.join(', ')} is free to build a root folder in`)
  return stage
}
