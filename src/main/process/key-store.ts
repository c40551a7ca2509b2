import { execFile } from 'node:child_process'
import { findProgram } from './find-program.ts'

/*
 * The system's key store, through the program that comes with it: secret-tool (libsecret) on Linux desktops, security on macOS.
 * It keeps the end of each ledger, which is not secret but which a forger has to change here too, and the keys that sign
 * verdicts. A value is never part of a command line, where other processes could read it.
 */

/** What is stored: each kind has separate entries. */
export type KeptKind = 'ledger' | 'attestation-key'

const LABELS: Readonly<Record<KeptKind, string>> = {
  ledger: 'Pulseward: end of a record',
  'attestation-key': 'Pulseward: key that signs verdicts',
}

export interface KeyStore {
  /** Returns `null` if there is no such entry, or the store doesn't answer. */
  read(name: string): Promise<string | null>
  /** Resolves with whether it was stored. */
  write(name: string, value: string): Promise<boolean>
  forget(name: string): Promise<void>
}

/** A locked store asks its owner, who may not be there. */
const PATIENCE_MS = 3000

/** Returns the store of this session; `null` if there is none. Checked once: a process started without one stays without. */
export function systemKeyStore(
  platform: NodeJS.Platform = process.platform,
  environment: NodeJS.ProcessEnv = process.env,
  kind: KeptKind = 'ledger',
): KeyStore | null {
  if (platform === 'darwin') return byProgram(environment, OF_MACOS)
  const hasSession = environment.DBUS_SESSION_BUS_ADDRESS !== undefined
  return platform === 'linux' && hasSession ? byProgram(environment, ofLibsecret(kind)) : null
}

interface Commands {
  readonly read: (name: string) => readonly string[]
  readonly write: (
    name: string,
    value: string,
  ) => { readonly command: readonly string[]; readonly input: string }
  readonly forget: (name: string) => readonly string[]
}

function ofLibsecret(kind: KeptKind): Commands {
  const entry = (name: string): readonly string[] => ['service', 'pulseward', kind, name]
  return {
    read: (name) => ['secret-tool', 'lookup', ...entry(name)],
    write: (name, value) => ({
      command: ['secret-tool', 'store', `--label=${LABELS[kind]}`, ...entry(name)],
      input: value,
    }),
    forget: (name) => ['secret-tool', 'clear', ...entry(name)],
  }
}

const OF_MACOS: Commands = {
  read: (name) => ['/usr/bin/security', 'find-generic-password', '-s', 'Pulseward', '-a', name, '-w'],
  // With -i it reads its command from the input. Names and values are ours: letters, digits and no quotes.
  write: (name, value) => ({
    command: ['/usr/bin/security', '-i'],
    input: `add-generic-password -U -s Pulseward -a "${name}" -w "${value}"\n`,
  }),
  forget: (name) => ['/usr/bin/security', 'delete-generic-password', '-s', 'Pulseward', '-a', name],
}

function byProgram(environment: NodeJS.ProcessEnv, commands: Commands): KeyStore {
  let isMissing: boolean | null = null
  const run = async (command: readonly string[], input = ''): Promise<string | null> => {
    // Checked first: a failing start of a missing program costs the process time.
    isMissing ??= typeof (await findProgram(command[0] ?? '', '/', environment)) !== 'string'
    if (isMissing) return null
    const answer = await execute(command, environment, input)
    // A missing program, or one that waits for a person, is not asked again.
    if (answer === 'unusable') isMissing = true
    return typeof answer === 'string' ? null : answer.output
  }
  return {
    read: async (name) => (await run(commands.read(name)))?.trim() || null,
    write: async (name, value) => {
      const { command, input } = commands.write(name, value)
      return (await run(command, input)) !== null
    },
    forget: async (name) => {
      await run(commands.forget(name))
    },
  }
}

function execute(
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  input: string,
): Promise<{ readonly output: string } | 'refused' | 'unusable'> {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      args,
      { env, timeout: PATIENCE_MS, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 },
      (error, stdout) => {
        if (error === null) resolve({ output: stdout })
        else resolve(error.code === 'ENOENT' || error.killed === true ? 'unusable' : 'refused')
      },
    )
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}
