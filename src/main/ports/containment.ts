import type { OwnFolders } from '../../core/agents/program.ts'

/** The sandboxes that a machine may support, the strongest first; `none`: no sandbox. */
export const CONTAINMENT_MEANS = ['bubblewrap', 'unshare', 'seatbelt', 'none'] as const

export type ContainmentMeans = (typeof CONTAINMENT_MEANS)[number]

/** `[agent] sandbox`. `auto`: sandboxed if this machine supports it; `required`: never run without a sandbox; `off`: never sandboxed. */
export const SANDBOX_SETTINGS = ['auto', 'required', 'off'] as const

export interface SandboxConfig {
  readonly sandbox: (typeof SANDBOX_SETTINGS)[number]
  /** Hosts, or `all` or `none`. */
  readonly network: 'all' | 'none' | readonly string[]
  /** What probes and gates can reach: no more than the agent whose work they run, or everything. */
  readonly checksNetwork: 'agent' | 'all'
  /** Paths that are hidden in addition to the defaults; `~/` is the home folder. */
  readonly hide: readonly string[]
  /** Paths that may be written in addition to the workspace. */
  readonly writable: readonly string[]
}

export const DEFAULT_SANDBOX: SandboxConfig = {
  sandbox: 'auto',
  network: 'all',
  checksNetwork: 'agent',
  hide: [],
  writable: [],
}

/** The roles that run in a sandbox; each gets the least it needs. */
export type ContainedRole =
  | { readonly kind: 'agent' }
  /** A probe or a gate; `program`: the one it starts with, `words`: its arguments. */
  | { readonly kind: 'check'; readonly program: string; readonly words?: readonly string[] }
  | { readonly kind: 'judge'; readonly program: string }
  /** Git, when Pulseward asks it about the workspace. */
  | { readonly kind: 'git' }

/** What one start needs in addition to its role's needs. */
export interface StartNeeds {
  /** Keeps what it writes in its home for its next process too, until `close`. */
  readonly keepsHome?: boolean
  readonly readable?: readonly string[]
  readonly writable?: readonly string[]
}

export type ContainmentAnswer =
  | {
      readonly kind: 'contained'
      readonly containment: Containment
      /** The paths kept apart, as for an `open` start, if it runs open. */
      readonly apart?: () => Promise<KeptApart>
    }
  /** Runs without a sandbox. `apart`: paths that we still protect when acting for it; omitted if none. */
  | { readonly kind: 'open'; readonly apart?: () => Promise<KeptApart> }
  /** It must not run. */
  | { readonly kind: 'refused'; readonly reason: string; readonly remedy: string }

/** Absolute paths that are never touched on an agent's behalf. */
export interface KeptApart {
  readonly unread: readonly string[]
  readonly unwritten: readonly string[]
}

/** Decides how a process of one workspace is started. Never rejects. */
export type Contain = (role: ContainedRole, needs?: StartNeeds) => Promise<ContainmentAnswer>

/** A process about to be started. */
export interface ProcessStart {
  /** Program and arguments; the program as an absolute path. */
  readonly command: readonly string[]
  /** Absolute path of the working directory. */
  readonly directory: string
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>
  /** True if it gets one more socket, used by a helper process that is started beside it. */
  readonly isAccompanied?: boolean
  readonly uncovered?: Uncovered
}

/** A folder in which something is mounted for the start. A layer can only be put over it without that mount. */
export interface Uncovered {
  readonly folder: string
  /** Where the folder is found without the mount, inside an otherwise empty folder. */
  readonly at: string
}

/**
 * A home folder that is readable as it is. What is written there is discarded with the process, except for what its program may keep.
 * Absolute paths.
 */
export interface OwnHome extends OwnFolders {
  readonly folder: string
  /** Where writes are stored as long as they are needed; `null`: in memory, and nothing is kept. */
  readonly layers: string | null
}

/**
 * What a sandboxed process can reach. Paths are absolute; missing ones are left out. The longest path that contains a file
 * decides.
 */
export interface ContainmentPolicy {
  /** Readable and writable. */
  readonly writable: readonly string[]
  /** Readable; writes are discarded with the process. Not even readable if the machine has no layered file system. */
  readonly layered: readonly string[]
  /** Readable, even inside something hidden or writable. */
  readonly readable: readonly string[]
  /** The operator's home folder, as the process sees it; omitted: read-only. */
  readonly home?: OwnHome
  /** Files that are read with their secrets removed. */
  readonly redacted: readonly string[]
  /** Folders that keep their name: writable inside, but never moved away or replaced. */
  readonly held: readonly string[]
  /** Names that are set aside if created, because no mount can prevent a name from being created. */
  readonly unwanted?: readonly string[]
  /** Paths in the repository that are read-only although the work may need them, each with the reason. */
  readonly problems?: readonly string[]
  /** Invisible. */
  readonly hidden: readonly string[]
  /** Invisible, whatever else is said about the same path. */
  readonly neverSeen: readonly string[]
  /** `none`: not even this machine's loopback. A list of hosts: through the proxy that listens on `socket`. */
  readonly network: 'all' | 'none' | { readonly socket: string; readonly hosts: readonly string[] }
}

/**
 * Turns a start into one of the same program in a sandbox. The started process belongs to the sandbox; the program is its
 * grandchild, and nothing of it outlives that process. Rejects if the sandbox can't be set up.
 */
export interface Containment {
  readonly means: Exclude<ContainmentMeans, 'none'>
  wrap(start: ProcessStart): Promise<ProcessStart>
  /** Whether it shows a program at this absolute path that may be missing outside; if omitted, it does not. */
  hasProgram?(path: string): boolean
  /** Whether what runs in there can change the file at this absolute path; if omitted, it can. */
  canWrite?(path: string): boolean
  /** Called after it has ended: sets aside dangerous files that it left, and keeps what its program may keep. Never throws. */
  sweep?(): void
  /** Discards what it wrote in its home. Never rejects. */
  close?(): Promise<void>
}
