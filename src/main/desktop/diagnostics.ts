import { execFile } from 'node:child_process'
import { release } from 'node:os'
import { join } from 'node:path'
import { withoutSecrets } from '../../core/text/secrets.ts'
import { ownNode } from '../process/own-node.ts'

const PATIENCE_MS = 60_000
const MAX_BYTES = 256 * 1024

interface DiagnosticsRequest {
  readonly version: string
  /** Of the command, in which its `bin` lies. */
  readonly command: string
  readonly dataDirectory: string
  readonly home: string
}

/** What a report of a mistake is attached to: versions, platform and doctor's answer, without secrets and the home folder's name. Never rejects. */
export async function diagnostics({
  version,
  command,
  dataDirectory,
  home,
}: DiagnosticsRequest): Promise<string> {
  const { electron = 'none', chrome = 'none', node } = process.versions
  const doctor = await doctorSays(command, dataDirectory)
  const text = [
    `Pulseward ${version}`,
    `Electron ${electron}, Chromium ${chrome}, Node.js ${node}`,
    `${process.platform} ${release()}, ${process.arch}`,
    '',
    doctor.trim(),
    '',
  ].join('\n')
  return withoutSecrets(text).replaceAll(home, '~')
}

/** Of the command, as anyone would ask it: it looks at data and machine without the host. */
function doctorSays(command: string, dataDirectory: string): Promise<string> {
  const { program, env } = ownNode()
  const args = [join(command, 'bin/pulseward'), 'doctor', '--data-dir', dataDirectory]
  const options = {
    timeout: PATIENCE_MS,
    maxBuffer: MAX_BYTES,
    env: { ...process.env, ...env, NO_COLOR: '1' },
  }
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      // What is wrong ends it with an exit code of its own, and is what is wanted.
      resolve(stdout !== '' ? stdout : `doctor gave no answer: ${stderr.trim() || String(error?.message)}`)
    })
  })
}
