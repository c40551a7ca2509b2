import type { OwnFolders } from '../../core/agents/program.ts'

/** How processes can be contained on a machine, the strongest first; `none`: not at all. */
export const CONTAINMENT_MEANS = ['bubblewrap', 'unshare', 'seatbelt', 'none'] as const

export type ContainmentMeans = (typeof CONTAINMENT_MEANS)[number]

/** `[agent] sandbox`: contained where this machine can; not run without; never. */
export const SANDBOX_SETTINGS = ['auto', 'required', 'off'] as const

export interface SandboxConfig {
  readonly sandbox: (typeof SANDBOX_SETTINGS)[number]
  /** Hosts, or `all` or `none`. */
  readonly network: 'all' | 'none' | readonly string[]
  /** What probes and gates reach: no more than the agent whose work they run, or all. */
  readonly checksNetwork: 'agent' | 'all'
  /** Paths that are hidden beside the usual; `~/` is the home folder. */
  readonly hide: readonly string[]
  /** Paths that may be written beside the workspace. */
  readonly writable: readonly string[]
}

export const DEFAULT_SANDBOX: SandboxConfig = {
  sandbox: 'auto',
  network: 'all',
  checksNetwork: 'agent',
  hide: [],
  writable: [],
}

/** Who is to be contained: each gets the least it needs. */
export type ContainedRole =
  | { readonly kind: 'agent' }
  /** A probe or a gate; `program`: the one it starts with. */
  | { readonly kind: 'check'; readonly program: string }
  | { readonly kind: 'judge'; readonly program: string }
  /** Git as Pulseward asks it about the workspace. */
  | { readonly kind: 'git' }

/** What one start needs beside what its role does. */
export interface StartNeeds {
  /** What it writes in its home is there for its next process too, until `close`. */
  readonly keepsHome?: boolean
  readonly readable?: readonly string[]
  readonly writable?: readonly string[]
}

export type ContainmentAnswer =
  | {
      readonly kind: 'contained'
      readonly containment: Containment
      /** As where it runs open, should it. */
      readonly apart?: () => Promise<KeptApart>
    }
  /** It runs as any program does. `apart`: what we keep from all the same where we act for it; left out: nothing. */
  | { readonly kind: 'open'; readonly apart?: () => Promise<KeptApart> }
  /** It must not run. */
  | { readonly kind: 'refused'; readonly reason: string; readonly remedy: string }

/** Absolute paths that nothing is done to on an agent's behalf. */
export interface KeptApart {
  readonly unread: readonly string[]
  readonly unwritten: readonly string[]
}

/** How a process of one workspace is to be started. Never rejects. */
export type Contain = (role: ContainedRole, needs?: StartNeeds) => Promise<ContainmentAnswer>

/** What a process is about to be started as. */
export interface ProcessStart {
  /** Program and arguments; the program as an absolute path. */
  readonly command: readonly string[]
  /** Absolute path of the working directory. */
  readonly directory: string
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>
  /** It is handed one more socket, for what is started beside it. */
  readonly isAccompanied?: boolean
}

/** A home folder that is read as it is; what is written there goes with the process, but for what its program may keep. Absolute paths. */
export interface OwnHome extends OwnFolders {
  readonly folder: string
  /** Where what is written is put for as long as it is needed; `null`: in memory, and nothing is kept. */
  readonly layers: string | null
}

/** What a contained process may reach. Paths are absolute; what is not there is left out. The longest path that holds a file decides. */
export interface ContainmentPolicy {
  /** Read and written. */
  readonly writable: readonly string[]
  /** Read as it is; what is written goes with the process. Nothing to read where the machine knows no layered file system. */
  readonly layered: readonly string[]
  /** Read, though they lie in what is hidden or writable. */
  readonly readable: readonly string[]
  /** The operator's home folder, as it is seen; left out: read-only. */
  readonly home?: OwnHome
  /** Files that are read without the secrets in them. */
  readonly redacted: readonly string[]
  /** Folders that keep their name: written within, never moved away or replaced. */
  readonly held: readonly string[]
  /** Set aside where somebody makes them: no mount can keep a name from being made. */
  readonly unwanted?: readonly string[]
  /** What of the repository is read-only though the work may need it, each with why. */
  readonly problems?: readonly string[]
  /** Not seen. */
  readonly hidden: readonly string[]
  /** Not seen, whatever else is said of the same path. */
  readonly neverSeen: readonly string[]
  /** `none`: not even this machine's loopback. A list: through the proxy that listens on `socket`. */
  readonly network: 'all' | 'none' | { readonly socket: string }
}

/**
 * Makes of a start the start of the same program in its containment. The process so started is the containment's; the program
 * is its grandchild, and nothing of it outlives that process. Rejects where the containment cannot be made ready.
 */
export interface Containment {
  readonly means: Exclude<ContainmentMeans, 'none'>
  wrap(start: ProcessStart): Promise<ProcessStart>
  /** Once it has ended: sets aside what it left that nobody should obey, and keeps what its program may. Never throws. */
  sweep?(): void
  /** What it wrote in its home goes. Never rejects. */
  close?(): Promise<void>
}
