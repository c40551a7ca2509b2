import type { BaseDifference, CheckName, ReachingSource } from '../../core/custody/baseline-difference.ts'
import type { CheckScript } from '../../core/custody/failing-end.ts'
import type { UncommittedView } from '../../core/custody/uncommitted-view.ts'
import type { JudgedTests } from '../../core/judgement/judgement.ts'
import type { Moment } from '../../core/judgement/questions.ts'
import type { KnownByCheck } from '../../core/reports/known-tests.ts'
import type { TestReport } from '../../core/reports/test-report.ts'
import type { HeldDecision } from '../../core/vocabulary/held.ts'
import type { Uncovered } from './containment.ts'
import type { WorkspaceConfig } from './workspace-config.ts'

export type { BaseDifference, CheckName, ReachingSource }

/** The parts of a configuration that determine which checks run, and what is protected. */
export interface CheckConfiguration
  extends Pick<WorkspaceConfig, 'probes' | 'gates' | 'judge' | 'approvedCommands'> {
  readonly interventions: Pick<WorkspaceConfig['interventions'], 'protected'>
}

/** How the baseline changed, and what the operator must still approve. */
export interface BaseMove {
  /** Paths relative to the workspace. */
  readonly moved: readonly string[]
  /** Check files edited while no agent ran. The baseline's versions stay in effect until these are approved. */
  readonly unapproved: readonly string[]
  /**
   * Files that were changed while another workspace's agent that could write here ran. The baseline's versions stay in effect until these
   * are approved.
   */
  readonly elsewhere: readonly string[]
  /** True if there was nothing before, so this is the first baseline. */
  readonly isFirst: boolean
}

/** What the runners reported in the baseline, by check; `null`: the check ran, but has no report. */
export type BaseReports = ReadonlyMap<string, TestReport | null>

/** How one check runs in the clean room. */
export interface CheckRoom {
  readonly enter: (command: readonly string[]) => {
    readonly command: readonly string[]
    /** Absolute path of the working directory. */
    readonly directory: string
  }
  /**
   * Returns a check's command with what has to run before it in the room. It runs inside the check's sandbox, because it may do what files of
   * the work say. Omitted: nothing has to.
   */
  readonly prepared?: (command: readonly string[]) => readonly string[]
  /** Absolute path of the copy, which a check's sandbox must show; `null`: it is at the tree's own path. */
  readonly copy: string | null
  /** The home folder, if the room has something mounted in it. */
  readonly uncovered?: Uncovered
  /** Returns whether a program was written at this absolute path, where the tree may have none. Omitted: none was. */
  readonly hasProgram?: (path: string) => boolean
  /** Never rejects. */
  readonly close: () => Promise<void>
}

/**
 * Files as they were at another moment, for a room that contains them in addition to the baseline's. Paths are relative to the
 * workspace, with `/`.
 */
export interface EarlierFiles {
  readonly write: readonly { readonly path: string; readonly bytes: Buffer; readonly isExecutable: boolean }[]
  readonly remove: readonly string[]
  /** What git considers uncommitted in the room. If omitted, what really is. */
  readonly uncommitted?: Omit<Extract<Moment, { readonly kind: 'uncommitted' }>, 'kind'>
}

export type OpenedRoom =
  | { readonly kind: 'room'; readonly room: CheckRoom }
  | { readonly kind: 'none'; readonly reason: string }

/** One check, and what it executes and reads, described for the trust screen. */
export interface DescribedCheck {
  readonly check: CheckName
  readonly command: readonly string[]
  readonly executes: readonly string[]
  readonly reads: readonly string[]
  readonly unresolved: readonly string[]
}

/** What an answer to held work did to files, so that it can be undone. */
export interface AnswerEffect {
  /** Paths restored to the baseline, and those that could not be. */
  readonly restored: readonly string[]
  readonly failed: readonly { readonly path: string; readonly reason: string }[]
}

/** A path that differs from the baseline, and the attempt that left it so. Paths are relative to the workspace. */
export interface LeftPath {
  readonly path: string
  readonly attemptId: string
}

/** Work that the operator accepts. */
export interface AcceptedWork {
  /** Identifies the answer, so that it can be undone. */
  readonly answerId: string
  readonly attemptIds: readonly string[]
  /** Paths that were shown with it, including those that an earlier attempt left. */
  readonly shown: readonly string[]
  /** Later attempts, whose changes were not shown. */
  readonly laterIds: readonly string[]
}

/**
 * Check files, protected files and their baseline, for one workspace. Nothing here rejects because of odd files. If a
 * configuration executes no checks, all of it costs nothing.
 */
export interface Custody {
  /** Call when no agent runs, and none has since the last `settle`: what changed is the operator's, and becomes the baseline. */
  begin(configuration: CheckConfiguration): Promise<BaseMove>
  /** From now until `settle`, changes are the agent's, even after a crash. */
  agentStarts(attemptId: string): Promise<void>
  /** Returns what currently differs from the baseline. With a configuration: outside a heartbeat, possibly before the first one. */
  look(configuration?: CheckConfiguration): Promise<readonly BaseDifference[]>
  /**
   * Does the same as `look`, but first removes tool caches that changed since the agent started, because checks would trust them; also the
   * user's, if the agent was not contained.
   */
  lookAfterAgent(isContained: boolean): Promise<readonly BaseDifference[]>
  /** Records that the attempt let these sources, none of them guarded, access what runs their tests. */
  noteReaching(attemptId: string, found: readonly Omit<ReachingSource, 'attemptId'>[]): Promise<void>
  /** Returns all sources that still do and have not been accepted. */
  reaching(): Promise<readonly ReachingSource[]>
  /** Call when the attempt has been judged: what differs now was left by it. `accepted`: paths that become the baseline. */
  settle(attemptId: string, accepted: readonly string[]): Promise<void>
  /** Returns where the program that a check calls by this name was found when the heartbeat began, as approved; `null` if unknown. */
  programPath(name: string): string | null
  /** Returns files of installed dependencies that agents edited since the operator last left or accepted them. */
  dependencies(): Promise<readonly string[]>
  /**
   * Returns files outside the tree that affect what checks run, which agents changed since the operator last left or accepted
   * them.
   */
  outside(): Promise<readonly string[]>
  /** Returns a text that differs when a setting outside of the tree that affects what checks run does. */
  outsideNow(): Promise<string>
  /** Returns what a check with this command gives to interpreters, as in the baseline. Paths are from the workspace. */
  scriptsOf(command: readonly string[]): readonly CheckScript[]
  /** Returns what some check looks at if that depends on what is committed; `null`: none does. */
  sees(): UncommittedView | null
  /** Returns a guarded file's content as in the baseline; `null`: nothing guards it, or it is not kept. */
  baselineContent(path: string): Promise<Buffer | null>
  /** Opens a room in which these paths are as in the baseline, and those of `earlier` as given there. */
  openRoom(paths: readonly string[], signal: AbortSignal, earlier?: EarlierFiles): Promise<OpenedRoom>
  /**
   * Opens a room for the judge, in which the rules, settings, hooks and servers of agent programs are as in the baseline;
   * `null`: they already are in the workspace.
   */
  openJudgeRoom(signal: AbortSignal): Promise<OpenedRoom | null>
  /** Returns the reports of the current baseline; empty after it has moved, or after an answer has accepted lost tests. */
  reports(): Promise<BaseReports>
  /** Replaces the reports of these checks; the others stay. */
  keepReports(reports: BaseReports): Promise<void>
  /** Returns the names of the tests that verified work has executed since the baseline, by check. */
  knownTests(): Promise<KnownByCheck>
  /** Returns whether guarded files have changed since the last attempt, while no agent ran. */
  isTouched(): Promise<boolean>
  /** Records what checks reported in the tree before an attempt: tests that the operator removed since the last one are forgotten. */
  sawTests(reports: ReadonlyMap<string, TestReport>): Promise<void>
  judgedTests(attemptId: string, tests: JudgedTests): Promise<void>
  /** Approves everything as it is, for the operator: check files edited by hand become the baseline. */
  approve(configuration: CheckConfiguration): Promise<readonly string[]>
  /** Makes what these attempts left, and what was shown with it, the baseline, and returns the paths. `undoAnswer` undoes it. */
  accept(work: AcceptedWork): Promise<readonly string[]>
  /** Restores to the baseline what these attempts left. `undoAnswer` undoes it. */
  putBack(answerId: string, attemptIds: readonly string[]): Promise<AnswerEffect>
  /** `answer`: the answer as recorded. */
  undoAnswer(answerId: string, attemptIds: readonly string[], answer: HeldDecision): Promise<AnswerEffect>
  /** Returns what attempts have left different from the baseline, as of the last `settle`. */
  leftNow(): readonly LeftPath[]
  /** Records that these paths are again as an attempt had left them, so they don't become the baseline, no matter who restored them. */
  leftAgain(files: readonly (LeftPath & { readonly content: string | null })[]): Promise<void>
  describe(configuration: CheckConfiguration): Promise<readonly DescribedCheck[]>
}
