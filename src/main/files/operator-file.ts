import { extname } from 'node:path'
import { groundOf, readBeneath, readBeneathSync, replaceBeneath } from './beneath.ts'
import type { FileReading } from './bounded-file.ts'

/*
 * The operator's two files in a folder where agents write: contract and configuration. Their content is prompted, recorded and
 * shown, so a link at their path may not lead out of the repository. Inside it, it may only lead to a file of the same kind
 * (`.md`, `.toml`), because the repository also has files that the sandbox hides from the agent, such as `.env`.
 */

/** Reads such a file. The code is `LED_OUT` if a link that is not followed has replaced it. Never rejects. */
export function readOperatorFile(directory: string, name: string, maxBytes: number): Promise<FileReading> {
  return readBeneath(groundOf(directory), name, maxBytes, { ending: extname(name) })
}

/** Like `readOperatorFile`, synchronous. */
export function readOperatorFileSync(directory: string, name: string, maxBytes: number): FileReading {
  return readBeneathSync(groundOf(directory), name, maxBytes, { ending: extname(name) })
}

/**
 * Replaces such a file. Rejects with a `RequestProblem` (`unprocessable`), including if the file was replaced by a link that is
 * not followed.
 *
 * @param replacesLinks Replaces such a link with the file instead.
 */
export function replaceOperatorFile(
  directory: string,
  name: string,
  content: string | Buffer,
  mode: number,
  { replacesLinks = false }: { readonly replacesLinks?: boolean } = {},
): Promise<void> {
  const last = replacesLinks ? 'keep' : 'follow'
  return replaceBeneath(groundOf(directory), name, content, { mode, last, ending: extname(name) })
}
