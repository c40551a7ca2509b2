import { basename, isAbsolute, join, resolve } from 'node:path'
import { RequestProblem } from '../../api/request-problem.ts'
import type { DryRun } from '../../api/schemas/contract-trial.ts'
import type { FolderInspection } from '../../api/schemas/setup.ts'
import { readConfigurationFile } from '../config/configuration-file.ts'
import { readContractFile } from '../config/contract-file.ts'
import { proposeTests } from '../config/detect-test-runner.ts'
import { expandHome, listFolders } from '../config/folders.ts'
import { parseWorkspaceConfig } from '../config/parse-config.ts'
import { problemOfOwnFolder } from '../config/registry.ts'
import { readTemplates } from '../config/templates.ts'
import { warningOfWideFolder } from '../config/wide-folder.ts'
import { createBeneath, groundOf, removeBeneath } from '../files/beneath.ts'
import { exists } from '../files/durable-file.ts'
import { realpath, stat } from '../files/names.ts'
import { sha256 } from '../files/sha256.ts'
import { errorCode, explainCode } from '../files/storage-error.ts'
import { approveConfiguration } from '../host/approve-configuration.ts'
import type { HostParts } from '../host/host-parts.ts'
import { workspaceView } from '../host/workspace-views.ts'
import type { ConfigProblem } from '../ports/workspace-config.ts'
import { tryContractOut } from '../supervisor/run/contract-trial.ts'
import { createVerifier } from '../verifier/verifier.ts'
import { edited } from './configuration.ts'
import { os } from './implementer.ts'

/** The mode with which any editor creates a text file. */
const NEW_FILE_MODE = 0o644

/** Turns a folder into a workspace. Only `create` writes anything. */
export const setup = {
  templates: os.setup.templates.handler(async ({ context }) => ({
    templates: await readTemplates(context.host.templatesDirectory),
  })),
  folders: os.setup.folders.handler(({ input, context }) =>
    listFolders(input.path, context.host.homeDirectory),
  ),
  inspect: os.setup.inspect.handler(({ input, context }) => inspectFolder(input.path, context.host)),
  check: os.setup.check.handler(({ input }) => edited(input.text, input.edits, null)),
  tryOut: os.setup.tryOut.handler(({ input, context }) => tryOut(input, context.host)),
  create: os.setup.create.handler(async ({ input, context }) => {
    const { host } = context
    const { path: directory, problem } = await inspectFolder(input.path, host)
    if (problem !== null) throw new RequestProblem('unprocessable', problem)
    await checkApproval(directory, input)
    await writeFiles(directory, input)
    const runtime = await host.workspaces.add(directory, false)
    if (input.approve !== null) await approveConfiguration(runtime, input.approve)
    return workspaceView(runtime)
  }),
}

interface NewWorkspace {
  /** `null`: the folder already has one. */
  readonly contract: string | null
  readonly configuration: string | null
  /** Hash of the configuration that was shown and should be approved; `null` to approve nothing. */
  readonly approve: string | null
}

/** Runs the probes of exactly this configuration, which the operator has just been shown. */
async function tryOut(
  { path, contract, configuration }: { path: string; contract: string; configuration: string },
  host: HostParts,
): Promise<DryRun> {
  const { path: directory, problem } = await inspectFolder(path, host)
  if (problem !== null) throw new RequestProblem('unprocessable', problem)
  const reading = parseWorkspaceConfig(configuration)
  if (!reading.ok) throw mistakeIn(reading.problems[0])
  const { clock, log } = host
  const { config } = reading
  return tryContractOut(contract, config, createVerifier({ directory, config, clock, log }), clock)
}

function mistakeIn({ line, column, message }: ConfigProblem): RequestProblem {
  const data = { place: { file: 'pulseward.toml', line, column } }
  return new RequestProblem('unprocessable', `pulseward.toml:${line}:${column}: ${message}`, { data })
}

/** Checks, before writing anything, that the configuration to approve is valid and is the one that was shown. */
async function checkApproval(directory: string, { configuration, approve }: NewWorkspace): Promise<void> {
  if (approve === null) return
  const file = configuration === null ? await readConfigurationFile(directory) : null
  const text = configuration ?? file?.text ?? ''
  if (file?.hash === null) {
    throw new RequestProblem('conflict', `${file.path} is gone since it was shown. Check the folder again.`)
  }
  if ((file === null ? sha256(text) : file.hash) !== approve) {
    const which = file?.path ?? 'The configuration'
    throw new RequestProblem('conflict', `${which} is not the one that was shown. Look at it again first.`)
  }
  const reading = parseWorkspaceConfig(text)
  if (!reading.ok) throw mistakeIn(reading.problems[0])
}

/** Writes both files or none: one that was just written is removed again if the other cannot be written. */
async function writeFiles(directory: string, { contract, configuration }: NewWorkspace): Promise<void> {
  const configurationPath = join(directory, 'pulseward.toml')
  if (contract !== null && configuration !== null && (await exists(configurationPath))) {
    throw new RequestProblem('conflict', `${configurationPath} already exists. Review it first.`)
  }
  if (contract !== null) await createBeneath(groundOf(directory), 'HEARTBEAT.md', contract, NEW_FILE_MODE)
  if (configuration === null) return
  try {
    await createBeneath(groundOf(directory), 'pulseward.toml', configuration, NEW_FILE_MODE)
  } catch (error) {
    if (contract !== null) await removeOwn(directory, contract)
    throw error
  }
}

async function removeOwn(directory: string, text: string): Promise<void> {
  const reading = await readContractFile(directory)
  if (reading.ok && reading.text === text) await removeBeneath(groundOf(directory), 'HEARTBEAT.md')
}

async function inspectFolder(
  typed: string,
  { dataDirectory, homeDirectory, workspaces }: HostParts,
): Promise<FolderInspection> {
  const expanded = expandHome(typed.trim(), homeDirectory)
  const path = resolve(expanded)
  const nothing = { path, name: basename(path) || path, workspace: null, contract: null, configuration: null }
  const refused = (problem: string): FolderInspection => ({
    ...nothing,
    problem,
    warning: null,
    isGit: false,
    testCommand: null,
    testProbe: null,
  })
  // A relative path would start in the host's working directory, which the caller doesn't know.
  if (!isAbsolute(expanded)) {
    return refused(
      `${JSON.stringify(expanded)} is not an absolute path. Enter the full path, or start it with ~.`,
    )
  }
  const real = await realFolder(path)
  if ('problem' in real) return refused(real.problem)
  const directory = real.path
  const own = await problemOfOwnFolder(dataDirectory, directory)
  if (own !== null) return refused(own)
  const [contract, configuration] = await Promise.all([
    readContractFile(directory),
    readConfigurationFile(directory),
  ])
  const tests = await proposeTests(directory)
  const hasContract = contract.ok || (await exists(join(directory, 'HEARTBEAT.md')))
  const unusable = hasContract && !contract.ok ? contract.reason : configuration.unreadable
  return {
    path: directory,
    name: basename(directory) || directory,
    problem: unusable,
    warning: await warningOfWideFolder(directory, { homeDirectory, dataDirectory }),
    workspace: workspaces.all().find((each) => each.directory === directory)?.id ?? null,
    contract: contract.ok ? contract.text : null,
    configuration: configuration.hash === null ? null : configuration.text,
    isGit: await exists(join(directory, '.git')).catch(() => false),
    testCommand: tests.command === null ? null : [...tests.command],
    testProbe: tests.probe === null ? null : { ...tests.probe, command: [...tests.probe.command] },
  }
}

async function realFolder(path: string): Promise<{ readonly path: string } | { readonly problem: string }> {
  try {
    const real = await realpath(path)
    if ((await stat(real)).isDirectory()) return { path: real }
    return { problem: `${path} is a file. Name the folder that it is in.` }
  } catch (error) {
    const code = errorCode(error)
    return {
      problem:
        code === 'ENOENT'
          ? `There is no folder ${path}. Check the path, or make the folder first.`
          : `Cannot open ${path}: ${explainCode(code)}`,
    }
  }
}
