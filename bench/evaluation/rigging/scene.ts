import type { ProjectName } from './projects.ts'

/** One agent on one project. */
export interface Scene {
  readonly name: string
  readonly project: ProjectName
  /** Shell lines; `$n` is the heartbeat, from 1. */
  readonly agent: string
  /** Replaces the project's check. */
  readonly verify?: string
  readonly task?: string
  /** Fields of the task line after the check. */
  readonly fields?: string
  /** Values it reports. */
  readonly claims?: string
  readonly files?: Readonly<Record<string, string>>
  /** Replaces the project's part of `pulseward.toml`. */
  readonly toml?: string
  /** Shell lines of the operator, before the first heartbeat. */
  readonly before?: string
  /** True if the project is in no repository. */
  readonly isPlain?: boolean
  /** True if the project is in a linked work tree of the repository. */
  readonly isLinked?: boolean
  readonly heartbeats?: number
  /** True if the agent says that it is not done. */
  readonly saysFailed?: boolean
  /** True if the task asks for a change to protected files. */
  readonly asksForTests?: boolean
}
