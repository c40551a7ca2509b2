import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { InstallationForm } from '../../core/update/status.ts'
import { succeeds } from '../files/succeeds.ts'
import { findProgram } from '../process/find-program.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What runs here, and how another version of it is installed. */
export interface Installation {
  readonly form: InstallationForm
  readonly arch: string
  /** The folder that contains the unpacked archive's folder. */
  readonly beside: string
}

/** Finds out how the files in `root` were installed. Never rejects. */
export async function findInstallation(root: string, environment: Environment): Promise<Installation> {
  const form = await formOf(root, environment)
  // The command is in the archive's folder, `resources`, `command`.
  return { form, arch: process.arch, beside: resolve(root, '../../..') }
}

async function formOf(root: string, environment: Environment): Promise<InstallationForm> {
  if (/[\\/]node_modules[\\/]/.test(root)) return 'npm'
  if (await isThere(join(root, 'src/main'))) return 'checkout'
  if (process.platform === 'darwin') return 'mac'
  if (process.platform === 'win32') return 'windows'
  if (environment.APPIMAGE !== undefined) return 'appimage'
  const file = join(root, 'package.json')
  if (await says(['dpkg-query', '--search', file], environment)) return 'deb'
  if (await says(['rpm', '--query', '--file', file], environment)) return 'rpm'
  return 'archive'
}

/** Returns how to install a package over the current version, newer or older. `null`: this kind of installation is updated by hand. */
export async function installCommand(
  { form, beside }: Installation,
  file: string,
  environment: Environment,
): Promise<readonly string[] | null> {
  const has = async (name: string) => typeof (await findProgram(name, '/', environment)) === 'string'
  if (form === 'npm') return ['npm', 'install', '--global', file]
  if (form === 'deb') {
    return (await has('apt-get'))
      ? ['apt-get', 'install', '--yes', '--allow-downgrades', file]
      : ['dpkg', '--install', file]
  }
  if (form === 'rpm') {
    // Each of the others needs an option for older packages.
    return ['rpm', '--upgrade', '--oldpackage', file]
  }
  if (form === 'archive') return ['tar', '-xzf', file, '-C', beside]
  return null
}

/** Returns the command run as root: unchanged for root; through the system's own prompt on a desktop; `null` if only the operator can. */
export async function asRoot(
  command: readonly string[],
  environment: Environment,
  userId: number | undefined,
): Promise<readonly string[] | null> {
  if (userId === 0) return command
  const hasScreen = environment.DISPLAY !== undefined || environment.WAYLAND_DISPLAY !== undefined
  const pkexec = hasScreen ? await findProgram('pkexec', '/', environment) : null
  return typeof pkexec === 'string' ? [pkexec, ...command] : null
}

/** Runs an installer to its end; returns why it failed, or `null`. Never interrupts it: half a package is worse than a late one. */
export function runInstaller(command: readonly string[], environment: Environment): Promise<string | null> {
  const [program = '', ...args] = command
  const options = { env: { ...environment, DEBIAN_FRONTEND: 'noninteractive' }, maxBuffer: 16 * 1024 * 1024 }
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      if (error === null) return resolve(null)
      const lines = `${stdout}\n${stderr}`.trim().split('\n')
      resolve(lines.findLast((line) => line.trim() !== '')?.slice(0, 500) ?? error.message)
    })
  })
}

function says([program = '', ...args]: readonly string[], environment: Environment): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, args, { env: { ...environment }, timeout: 10_000 }, (error) => resolve(error === null))
  })
}

async function isThere(path: string): Promise<boolean> {
  return succeeds(access(path))
}
