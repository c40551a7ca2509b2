import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { plainBox } from '../../core/change/claims.ts'
import { INTERVENTION_SETTINGS } from '../../core/configuration/interventions.ts'
import { TEST_SECONDS } from '../../core/configuration/limits.ts'
import { sectionSchema } from '../../core/configuration/setting.ts'
import { encodingProblem } from '../../core/contract/other-encoding.ts'
import { parseContract } from '../../core/contract/parse.ts'
import type { Contract } from '../../core/contract/types.ts'
import { type CheckReach, findInstruments } from '../../core/custody/instruments.ts'
import { protectionBy } from '../../core/custody/protected.ts'
import type { PolicySource } from '../../core/vocabulary/policy-source.ts'
import { MAXIMUM_CONTRACT_BYTES } from '../config/contract-file.ts'
import { proposeGates } from '../config/detect-test-runner.ts'
import { MAXIMUM_CONFIG_BYTES, parseWorkspaceConfig } from '../config/parse-config.ts'
import { type Check, checksOf } from '../custody/check-reach.ts'
import { sha256 } from '../files/sha256.ts'
import { DEFAULT_SANDBOX, type SandboxConfig } from '../ports/containment.ts'
import type { CheckConfiguration } from '../ports/custody.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'
import type { TreeFiles } from './base-files.ts'
import { ChangeProblem } from './repository.ts'

/** How changes in one folder are judged, according to the base. */
export interface Scope {
  /** Path from the repository's top, with `/`; empty: the top. */
  readonly folder: string
  readonly contractPath: string | null
  readonly configPath: string | null
  readonly contract: Contract | null
  readonly configuration: CheckConfiguration &
    Pick<WorkspaceConfig, 'parallelChecks'> & { readonly containment: SandboxConfig }
  readonly boxes: ReadonlyMap<string, string>
  readonly source: PolicySource
  readonly sha256: string | null
  /** Hash of the configuration's bytes alone; `null` if there is none. */
  readonly configSha256: string | null
}

const CONTRACT = 'HEARTBEAT.md'
const CONFIGURATION = 'pulseward.toml'

/** A configuration from outside the tree. */
export interface GivenConfiguration {
  readonly path: string
  readonly bytes: Buffer
}

/** Returns the scopes of the changed paths, decided by the base alone: each path belongs to the nearest one above it. Sorted by folder. */
export async function findScopes(
  base: TreeFiles,
  changed: readonly string[],
  given: GivenConfiguration | null,
  hasOnDisk: (path: string) => boolean,
): Promise<readonly Scope[]> {
  const folders = policyFolders(base)
  const found = new Set(changed.map((path) => nearestFolder(path, folders)))
  const scopes: Scope[] = []
  for (const folder of [...found].sort((one, other) => ((one ?? '') < (other ?? '') ? -1 : 1)))
    scopes.push(
      ...(folder === null
        ? await withoutPolicy(
            base,
            changed.filter((path) => nearestFolder(path, folders) === null),
            given,
            hasOnDisk,
          )
        : [await readScope(base, folder, given, hasOnDisk)]),
    )
  return scopes
}

/** Returns the folders of the base that have their own contract or configuration. */
function policyFolders(base: TreeFiles): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const path of base.files.keys()) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (name === CONTRACT || name === CONFIGURATION) folders.add(folderOf(path))
  }
  return folders
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function within(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`
}

function nearestFolder(path: string, folders: ReadonlySet<string>): string | null {
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    if (folders.has(folder)) return folder
    if (folder === '') return null
  }
}

/** Returns whether a path is a contract or configuration, in any folder. */
export function isPolicyFile(path: string): boolean {
  return /(?:^|\/)(?:HEARTBEAT\.md|pulseward\.toml)$/.test(path)
}

async function readScope(
  base: TreeFiles,
  folder: string,
  given: GivenConfiguration | null,
  hasOnDisk: (path: string) => boolean,
): Promise<Scope> {
  const [contractPath, configPath] = [within(folder, CONTRACT), within(folder, CONFIGURATION)]
  const contractBytes = await policyBytes(base, contractPath, MAXIMUM_CONTRACT_BYTES)
  const ownBytes = await policyBytes(base, configPath, MAXIMUM_CONFIG_BYTES)
  const configBytes = given?.bytes ?? ownBytes
  const read =
    configBytes === null ? null : readConfiguration(given?.path ?? `${configPath} at the base`, configBytes)
  const configuration = read?.configuration ?? {
    ...emptyConfiguration(),
    ...(await detectedGates(base, folder, hasOnDisk)),
  }
  const contract =
    contractBytes === null
      ? null
      : readContract(contractPath, contractBytes, Object.keys(configuration.probes))
  return {
    folder,
    contractPath: contractBytes === null ? null : contractPath,
    configPath: given === null ? (ownBytes === null ? null : configPath) : given.path,
    contract,
    configuration,
    boxes: read?.boxes ?? new Map(),
    source: given === null ? 'base' : 'file',
    sha256: digest(contractBytes, configBytes),
    configSha256: configBytes === null ? null : sha256(configBytes),
  }
}

/** Returns the content of a contract or configuration of the base; `null`: there is none. Rejects if there is one that cannot be read. */
async function policyBytes(base: TreeFiles, path: string, maxBytes: number): Promise<Buffer | null> {
  const bytes = await base.bytes(path, maxBytes)
  if (bytes === null && base.files.has(path))
    throw new ChangeProblem(
      2,
      `${path} at the base is no regular file of moderate size, so it cannot be read as policy.`,
    )
  return bytes
}

function readContract(path: string, bytes: Buffer, probeNames: readonly string[]): Contract {
  const text = bytes.toString('utf8')
  const contract = parseContract(text, { probeNames })
  const problem = encodingProblem(contract, text)
  if (problem !== null) throw new ChangeProblem(2, `${path} at the base: ${problem}`)
  return contract
}

function digest(contract: Buffer | null, configuration: Buffer | null): string {
  return createHash('sha256')
    .update(contract ?? '')
    .update('\0')
    .update(configuration ?? '')
    .digest('hex')
}

function readConfiguration(
  where: string,
  bytes: Buffer,
): { readonly configuration: Scope['configuration']; readonly boxes: ReadonlyMap<string, string> } {
  const reading = parseWorkspaceConfig(bytes.toString('utf8'))
  if (!reading.ok) {
    const [first] = reading.problems
    throw new ChangeProblem(2, `${where}:${first.line}:${first.column}: ${first.message}`)
  }
  const { probes, gates, judge, approvedCommands, parallelChecks = 1 } = reading.config
  const { interventions, agent, boxes = {} } = reading.config
  return {
    configuration: {
      ...{ probes, gates, judge, approvedCommands, parallelChecks, interventions },
      containment: agent.containment,
    },
    boxes: new Map(Object.entries(boxes).map(([text, check]) => [plainBox(text), check])),
  }
}

function emptyConfiguration(): Scope['configuration'] {
  return {
    probes: {},
    gates: { commands: [], timeoutMs: TEST_SECONDS * 1000 },
    judge: null,
    approvedCommands: [],
    interventions: { protected: sectionSchema(INTERVENTION_SETTINGS).parse({}).protected },
    containment: DEFAULT_SANDBOX,
  }
}

/** Uses the top folder if it has tests, otherwise the nearest folder above each path that does. */
async function withoutPolicy(
  base: TreeFiles,
  changed: readonly string[],
  given: GivenConfiguration | null,
  hasOnDisk: (path: string) => boolean,
): Promise<readonly Scope[]> {
  if (given !== null) {
    const { configuration, boxes } = readConfiguration(given.path, given.bytes)
    const digested = digest(null, given.bytes)
    return [
      {
        folder: '',
        contractPath: null,
        configPath: given.path,
        contract: null,
        configuration,
        boxes,
        source: 'file',
        sha256: digested,
        configSha256: sha256(given.bytes),
      },
    ]
  }
  const top = await detectedGates(base, '', hasOnDisk)
  if (top.gates.commands.length > 0) return [detected('', top)]
  const folders = new Set<string>()
  const known = new Map<string, Awaited<ReturnType<typeof detectedGates>>>()
  for (const path of changed)
    for (let folder = folderOf(path); folder !== '' && known.size < 1000; folder = folderOf(folder)) {
      const gates = known.get(folder) ?? (await detectedGates(base, folder, hasOnDisk))
      known.set(folder, gates)
      if (gates.gates.commands.length === 0) continue
      folders.add(folder)
      break
    }
  const scopes = [...folders].sort().flatMap((folder) => {
    const gates = known.get(folder)
    return gates === undefined ? [] : [detected(folder, gates)]
  })
  return scopes.length > 0 ? scopes : [detected('', top)]
}

function detected(folder: string, gates: Pick<Scope['configuration'], 'gates'>): Scope {
  const configuration = { ...emptyConfiguration(), ...gates }
  return {
    folder,
    contractPath: null,
    configPath: null,
    contract: null,
    configuration,
    boxes: new Map(),
    source: 'detected',
    sha256: null,
    configSha256: null,
  }
}

/** Returns the test runners that the base's own files name; runs nothing. */
async function detectedGates(
  base: TreeFiles,
  folder: string,
  hasOnDisk: (path: string) => boolean,
): Promise<Pick<Scope['configuration'], 'gates'>> {
  const commands = await proposeGates({
    readText: (path) => base.text(within(folder, path)),
    // A virtual environment is installed, so it is not a file of the tree.
    has: async (path) =>
      base.isFile(within(folder, path)) || (/^\.?venv\//.test(path) && hasOnDisk(within(folder, path))),
    list: async (below) => {
      const start = within(folder, below === '' ? '' : `${below}/`)
      return [...base.files.keys()].flatMap((path) =>
        path.startsWith(start) && !path.slice(start.length).includes('/') ? [path.slice(start.length)] : [],
      )
    },
  })
  return { gates: { commands, timeoutMs: TEST_SECONDS * 1000 } }
}

/** Which of the base's files affect the results of a scope's checks. Paths are from the top. */
export interface ScopeGuard {
  /** Whether it is a contract or configuration, or a file that the scope's links to. */
  readonly isPolicy: (path: string) => boolean
  readonly isProtected: (path: string) => boolean
  readonly executed: ReadonlyMap<
    string,
    readonly { readonly part: string | null; readonly perhapsSubject: boolean }[]
  >
}

/** Determines, from the base's texts alone, what the checks of a scope execute and load. */
export async function guardOf(base: TreeFiles, { folder, configuration }: Scope): Promise<ScopeGuard> {
  const executed = new Map<string, { part: string | null; perhapsSubject: boolean }[]>()
  const taken: string[] = []
  for (const check of checksOf(configuration)) {
    const reach = await reachAtBase(base, folder, check)
    taken.push(...reach.takesIn, ...reach.standIns)
    for (const { kind, path, part, perhapsSubject = false } of reach.executes) {
      if (kind === 'program' && !path.includes('/')) continue
      const fromTop = posix.normalize(within(folder, path))
      if (fromTop.startsWith('..') || fromTop.startsWith('/')) continue
      executed.set(fromTop, [...(executed.get(fromTop) ?? []), { part, perhapsSubject }])
    }
  }
  const isOwn = protectionBy([...configuration.interventions.protected, ...taken])
  const start = folder === '' ? '' : `${folder}/`
  const led = await Promise.all([CONTRACT, CONFIGURATION].map((name) => base.resolve(within(folder, name))))
  return {
    executed,
    isPolicy: (path) => isPolicyFile(path) || led.includes(path),
    isProtected: (path) => isOwn(path) || (path.startsWith(start) && isOwn(path.slice(start.length))),
  }
}

/** Returns where the checks of a scope keep their caches, from the top, by the base's texts alone. */
export async function cachesAtBase(
  base: TreeFiles,
  { folder, configuration }: Scope,
): Promise<readonly string[]> {
  const places: string[] = []
  for (const check of checksOf(configuration))
    for (const path of (await reachAtBase(base, folder, check)).caches)
      places.push(posix.normalize(within(folder, path)))
  return places.filter((path) => !path.startsWith('..'))
}

/** Scripts can name other scripts: each round reads those that the previous one found. */
const MAX_ROUNDS = 12

/** Returns what a check of a scope reaches, by the base's texts alone. */
export async function reachAtBase(base: TreeFiles, folder: string, { command }: Check): Promise<CheckReach> {
  for (let round = 0; ; round += 1) {
    const missing = new Set<string>()
    const place = (path: string): string => posix.normalize(within(folder, path))
    const reach = findInstruments(command, {
      isFile: (path) => base.isFile(place(path)),
      foldersIn: (path) => base.foldersIn(place(path).replace(/\/$|^\.$/, '')),
      readText: (path) => {
        const text = base.loaded(place(path))
        if (text === undefined) missing.add(place(path))
        return text ?? null
      },
    })
    if (missing.size === 0 || round === MAX_ROUNDS) return reach
    await base.load([...missing])
  }
}
