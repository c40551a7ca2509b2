import type { BaseDifference, CheckName, ReachingSource } from '../../core/custody/baseline-difference.ts'
import type { JudgedTests } from '../../core/judgement/judgement.ts'
import type { KnownByCheck } from '../../core/reports/known-tests.ts'
import type { TestReport } from '../../core/reports/test-report.ts'
import type { WorkspaceConfig } from './workspace-config.ts'

export type { BaseDifference, CheckName, ReachingSource }

/** What of a configuration decides what checks run, and what is protected. */
export interface CheckConfiguration
  extends Pick<WorkspaceConfig, 'probes' | 'gates' | 'judge' | 'approvedCommands'> {
  readonly interventions: Pick<WorkspaceConfig['interventions'], 'protected'>
}

/** What the base became, and what the operator has still to approve. */
export interface BaseMove {
  /** Paths from the workspace. */
  readonly moved: readonly string[]
  /** Instruments that were edited while no agent ran: the base's stay in force until they are approved. */
  readonly unapproved: readonly string[]
  /** What was changed while an agent of another workspace ran that could write here: the base's count until they are approved. */
  readonly elsewhere: readonly string[]
  /** Nothing was there before: this is the first base. */
  readonly isFirst: boolean
}

/** What the runners reported in the base, by check; `null`: the check was run, and reports nothing. */
export type BaseReports = ReadonlyMap<string, TestReport | null>

/** How one check runs in the clean room. */
export interface CheckRoom {
  readonly enter: (command: readonly string[]) => {
    readonly command: readonly string[]
    /** Absolute path of the working directory. */
    readonly directory: string
  }
  /** Absolute path of the copy that it is, which what contains a check has to show it; `null`: it stands where the tree stands. */
  readonly copy: string | null
  /** Never rejects. */
  readonly close: () => Promise<void>
}

/** Files as they stood at another moment, for a room that is made with them beside the base's. Paths are from the workspace, with `/`. */
export interface EarlierFiles {
  readonly write: readonly { readonly path: string; readonly bytes: Buffer; readonly isExecutable: boolean }[]
  readonly remove: readonly string[]
}

export type OpenedRoom =
  | { readonly kind: 'room'; readonly room: CheckRoom }
  | { readonly kind: 'none'; readonly reason: string }

/** One check, and what it executes and reads: in words for the trust screen. */
export interface DescribedCheck {
  readonly check: CheckName
  readonly command: readonly string[]
  readonly executes: readonly string[]
  readonly reads: readonly string[]
  readonly unresolved: readonly string[]
}

/** What an answer to held work did to files, so that it can be undone. */
export interface AnswerEffect {
  /** Paths put back to the base, and those that could not be. */
  readonly restored: readonly string[]
  readonly failed: readonly { readonly path: string; readonly reason: string }[]
}

/** A path that is not as in the base, and the attempt that left it so. Paths are from the workspace. */
export interface LeftPath {
  readonly path: string
  readonly attemptId: string
}

/** What the operator accepts. */
export interface AcceptedWork {
  /** By which the answer can be taken back. */
  readonly answerId: string
  readonly attemptIds: readonly string[]
  /** Paths that were shown with it, also where an earlier attempt left them. */
  readonly shown: readonly string[]
  /** Attempts after these: what they left was not shown. */
  readonly laterIds: readonly string[]
}

/**
 * Instruments, protected files and their base, of one workspace. Nothing here rejects for what files are like. Where a configuration
 * executes no check, all of it costs nothing.
 */
export interface Custody {
  /** No agent runs, and none has since the last `settle`: what changed is the operator's, and the base. */
  begin(configuration: CheckConfiguration): Promise<BaseMove>
  /** From here on changes are the agent's, until `settle`, also over a crash. */
  agentStarts(attemptId: string): Promise<void>
  /** What is not as in the base now. With a configuration: outside of a heartbeat, where none may have begun yet. */
  look(configuration?: CheckConfiguration): Promise<readonly BaseDifference[]>
  /** The attempt let these sources, none of them guarded, reach for what runs their tests. */
  noteReaching(attemptId: string, found: readonly Omit<ReachingSource, 'attemptId'>[]): Promise<void>
  /** All sources that still do, and that nobody has accepted. */
  reaching(): Promise<readonly ReachingSource[]>
  /** The attempt has been judged: what differs now was left by it. `accepted`: paths that are the base from now on. */
  settle(attemptId: string, accepted: readonly string[]): Promise<void>
  /** Where the program that a check calls by this name was found when the cycle began, as it was approved; `null`: unknown. */
  programPath(name: string): string | null
  /** Files of installed dependencies that agents changed by hand since the operator last left or accepted them. */
  dependencies(): Promise<readonly string[]>
  /** Files outside of the tree that steer what checks run, which agents changed since the operator last left or accepted them. */
  outside(): Promise<readonly string[]>
  /** A room in which these paths stand as in the base, and those of `earlier` as it says. */
  openRoom(paths: readonly string[], signal: AbortSignal, earlier?: EarlierFiles): Promise<OpenedRoom>
  /**
   * A room for the judge, in which the rules, settings, hooks and servers of agents' programs stand as in the base; `null`: they do so
   * where the work lies.
   */
  openJudgeRoom(signal: AbortSignal): Promise<OpenedRoom | null>
  /** Of the base as it is now; empty once it has moved, or an answer has accepted what was lost. */
  reports(): Promise<BaseReports>
  /** In the place of what is known of these checks; the others stay. */
  keepReports(reports: BaseReports): Promise<void>
  /** Names of tests that verified work since the baseline executed, by check. */
  knownTests(): Promise<KnownByCheck>
  /** Whether guarded files have changed since the last attempt, while no agent ran. */
  isTouched(): Promise<boolean>
  /** What checks reported in the tree before an attempt: known tests that the operator took out since the last one are known no longer. */
  sawTests(reports: ReadonlyMap<string, TestReport>): Promise<void>
  judgedTests(attemptId: string, tests: JudgedTests): Promise<void>
  /** The operator approves everything as it stands: instruments edited by hand are the base. */
  approve(configuration: CheckConfiguration): Promise<readonly string[]>
  /** What these attempts left, and what was shown with it, is the base from now on, as it was left; answers with the paths. `undoAnswer` takes it back. */
  accept(work: AcceptedWork): Promise<readonly string[]>
  /** Puts back to the base what these attempts left; `undoAnswer` takes it back. */
  putBack(answerId: string, attemptIds: readonly string[]): Promise<AnswerEffect>
  undoAnswer(answerId: string, attemptIds: readonly string[]): Promise<AnswerEffect>
  /** What attempts have left otherwise than it is in the base, as of the last `settle`. */
  leftNow(): readonly LeftPath[]
  /** These paths stand again as an attempt had left them: they are not the base, whoever put them back. */
  leftAgain(files: readonly (LeftPath & { readonly content: string | null })[]): Promise<void>
  describe(configuration: CheckConfiguration): Promise<readonly DescribedCheck[]>
}
