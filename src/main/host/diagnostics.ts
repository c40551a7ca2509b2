import { execFile } from 'node:child_process'
import { release } from 'node:os'
import { join } from 'node:path'
import { withoutSecrets } from '../../core/text/secrets.ts'
import { ownNode } from '../process/own-node.ts'
import { crashReports } from './crash-reports.ts'
import { latestMistakes } from './latest-mistakes.ts'

const PATIENCE_MS = 60_000
const MAX_BYTES = 256 * 1024

interface DiagnosticsRequest {
  readonly version: string
  /** The installed command's folder, which has its `bin`. */
  readonly command: string
  readonly dataDirectory: string
  readonly home: string
}

/**
 * Returns what one would attach to a bug report: versions, platform, doctor's answer, bugs in the log, and the list of crash reports;
 * without secrets and the home folder's name. Nothing is sent. Never rejects.
 */
export async function diagnostics({
  version,
  command,
  dataDirectory,
  home,
}: DiagnosticsRequest): Promise<string> {
  const { electron = 'none', chrome = 'none', node } = process.versions
  const [doctor, mistakes, crashes] = await Promise.all([
    doctorSays(command, dataDirectory),
    latestMistakes(dataDirectory),
    crashReports(dataDirectory),
  ])
  const text = [
    `Pulseward ${version}`,
    `Electron ${electron}, Chromium ${chrome}, Node.js ${node}`,
    `${process.platform} ${release()}, ${process.arch}`,
    '',
    doctor.trim(),
    '',
    ...section('Mistakes in the log, newest first', mistakes),
    ...section(
      'Crash reports, which stay on this machine: a memory dump may contain secrets, so none is included here',
      crashes.map(({ path, at, bytes }) => `${at} ${path}, ${Math.ceil(bytes / 1024)} KiB`),
    ),
  ].join('\n')
  return withoutSecrets(text).replaceAll(home, '~')
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines, '']
}

/** Runs `doctor` as a user would: it looks at data and machine without the host. */
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
      // If something is wrong, doctor exits with its own code; its output is what we want.
      resolve(stdout !== '' ? stdout : `doctor gave no answer: ${stderr.trim() || String(error?.message)}`)
    })
  })
}
