import type { Claim } from '../claims/types.ts'
import type { Hint } from '../contract/hint.ts'
import type { BaseDifference, ReachingSource } from '../custody/baseline-difference.ts'
import type { CheckScript } from '../custody/failing-end.ts'
import type { UncommittedView } from '../custody/uncommitted-view.ts'
import type { EvidenceFile } from '../intervention/evidence.ts'
import type { KnownByCheck } from '../reports/known-tests.ts'
import type { RenamedTest } from '../reports/renamed-tests.ts'
import type { TestReport } from '../reports/test-report.ts'
import type {
  ExpressionResult,
  FileDifference,
  GateResult,
  JudgeResult,
  Measurement,
  ProbeReading,
} from '../verification/types.ts'

/** A moment in the past to which files can be restored. */
export type Moment =
  /** Before the judged work; `only`: just these paths, the others as they are now. */
  | { readonly kind: 'before-work'; readonly only?: readonly string[] }
  /** As now, except for the tests inside these sources: those are as before the judged work and these earlier attempts. */
  | {
      readonly kind: 'former-tests'
      readonly only: readonly string[]
      readonly attemptIds: readonly string[]
    }
  /** As now, except that this script of a check is the baseline's with a failing end; `atOnce`: it fails immediately. */
  | ({ readonly kind: 'failing-end'; readonly atOnce: boolean } & CheckScript)
  /**
   * As now, except that git considers these paths uncommitted, or staged if that is what the checks look at. `since`: the
   * commit that has them as they were before the work; `null` for the last one. `by`: paths of the work differ in content,
   * unchanged ones in their mode.
   */
  | {
      readonly kind: 'uncommitted'
      readonly since: string | null
      readonly sees: UncommittedView
      readonly paths: readonly string[]
      readonly by: 'content' | 'mode'
    }
  /** Before these earlier attempts, newest first; `withWork`: also before the judged work. */
  | {
      readonly kind: 'before-attempts'
      readonly attemptIds: readonly string[]
      readonly withWork: boolean
    }

/** The state of the files while a check runs. */
export interface Setting {
  /** Paths that are as in the baseline, which requires a clean room; `null`: the check runs in the tree itself. */
  readonly room: readonly string[] | null
  /** The moment whose files are used; `null`: the files as they are now. */
  readonly earlier: Moment | null
}

export const IN_PLACE: Setting = { room: null, earlier: null }

/** Where checks run, and whether for the first or the second time. */
interface OfChecks {
  readonly setting: Setting
  readonly turn: 1 | 2
}

/** Something to measure or look up before a judgement is possible. Plain data; equal questions are one question. */
export type Question =
  /**
   * Reads these probes, then evaluates the check if it is an expression. `sees`: the paths from which `changed(…)` is answered.
   */
  | ({
      readonly kind: 'measurement'
      readonly hint: Hint
      readonly probes: readonly string[]
      readonly sees: 'the-difference' | 'no-difference'
    } & OfChecks)
  /** Evaluate an expression over readings that exist already. */
  | {
      readonly kind: 'evaluation'
      readonly hint: Extract<Hint, { kind: 'expression' }>
      readonly readings: readonly ProbeReading[]
      readonly setting: Setting
    }
  /** Read probes after a pause of this many ms (monotonic). */
  | ({ readonly kind: 'probes'; readonly names: readonly string[]; readonly pauseMs: number } & OfChecks)
  /** Evaluate `succeeds("…")` for each of these approved commands. */
  | ({ readonly kind: 'commands'; readonly commands: readonly string[] } & OfChecks)
  /** Run all gates; `until`: up to the first that is not green; `only`: the one at this place. */
  | ({ readonly kind: 'gates'; readonly until?: 'red'; readonly only?: number } & OfChecks)
  /** Which scripts does a check with this command give to interpreters, as in the baseline? */
  | { readonly kind: 'scripts'; readonly command: readonly string[] }
  /** Make a clean room; later questions about the same setting are answered in it. */
  | { readonly kind: 'room'; readonly setting: Setting }
  /** Ask the configured judge. */
  | {
      readonly kind: 'judge'
      readonly taskId: string
      readonly description: string
      readonly criteria: readonly string[]
      readonly claim: Claim
      readonly difference: FileDifference
    }
  /** Has the operator stopped this by now? `after`: what was finished at that point. */
  | { readonly kind: 'stopped'; readonly after: 'measuring' | 'checks' }
  /** Can the difference show these paths: inside the tree, not ignored by git? */
  | { readonly kind: 'measurable'; readonly paths: readonly string[] }
  /** What is at these paths now? */
  | { readonly kind: 'file-states'; readonly paths: readonly string[] }
  /** Read the files that the agent offers as evidence, if they are inside the tree and small enough. */
  | { readonly kind: 'offered-files'; readonly paths: readonly string[] }
  /** Which of these modified or new files differ from before the work only in meaningless white space? */
  | { readonly kind: 'blank-edits'; readonly paths: readonly string[] }
  /** Which tests in these files have the same body as before the work, but another name? */
  | { readonly kind: 'renamed-tests'; readonly paths: readonly string[] }
  /** In which sources did the work and these earlier attempts do more to tests than add, move or rename them? */
  | { readonly kind: 'own-tests'; readonly attemptIds: readonly string[] }
  /** Digests of these files as they are now. */
  | { readonly kind: 'stamps'; readonly files: readonly StampedPath[] }
  /** Which files are known as of that moment? */
  | { readonly kind: 'files-before'; readonly moment: Moment }
  /** Which checks have answered, as they are configured now, according to the record from this event on? */
  | { readonly kind: 'recorded-answers'; readonly sinceSeq: number }
  /** What did these earlier attempts claim? `seqs`: their places in the record. */
  | { readonly kind: 'earlier-claims'; readonly seqs: readonly number[] }
  /** What did these attempts change? */
  | { readonly kind: 'changed-in'; readonly attemptIds: readonly string[] }
  /** Which paths did attempts at other tasks finish without being refuted? */
  | { readonly kind: 'finished-elsewhere' }
  /** What did the runners report in the baseline, by check? */
  | { readonly kind: 'baseline-reports' }
  /** Which tests did verified work since the baseline execute? */
  | { readonly kind: 'known-tests' }
  /** Which files that affect checks differ from the baseline now? */
  | { readonly kind: 'check-files' }
  /** Which files have a path that ends like this, in whole components? */
  | { readonly kind: 'ending-in'; readonly ends: readonly string[] }
  /** Which files does git track that are as they were committed? */
  | { readonly kind: 'unchanged' }
  /** Which sources access what runs their tests and are waiting for the operator? */
  | { readonly kind: 'reaching' }
  /** Which files of installed dependencies were changed by hand? */
  | { readonly kind: 'dependencies' }
  /** Which settings outside the tree that affect checks were changed while an agent ran? */
  | { readonly kind: 'outside-settings' }

export type QuestionKind = Question['kind']
export type QuestionOf<Kind extends QuestionKind> = Extract<Question, { kind: Kind }>

/** A path to hash; `byTime`: size and time are enough. */
export interface StampedPath {
  readonly path: string
  readonly byTime: boolean
}

/** What is at a path. Times are epoch ms of the file system's clock. */
export type FileState =
  /** Nothing; `isBeside`: its repository has such a file, but outside the workspace. */
  | { readonly kind: 'absent'; readonly isBeside: boolean }
  | { readonly kind: 'file'; readonly modifiedMs: number; readonly changedMs: number }
  /** A folder, a link, or anything else that is not a regular file. */
  | { readonly kind: 'other' }

/** The answer type of each kind of question. Answers given as a list are in the order of the question. */
export interface AnswerTypes {
  readonly measurement: Measurement
  readonly evaluation: ExpressionResult
  readonly probes: readonly ProbeReading[]
  readonly commands: readonly ExpressionResult[]
  readonly gates: readonly GateResult[]
  readonly scripts: readonly CheckScript[]
  readonly room: { readonly kind: 'ready' } | { readonly kind: 'none'; readonly reason: string }
  /** `null` if there is no judge. */
  readonly judge: JudgeResult | null
  readonly stopped: boolean
  /** True, or the reason why not, in words. */
  readonly measurable: readonly (true | string)[]
  readonly 'file-states': readonly FileState[]
  /** `null`: the file was not examined. */
  readonly 'offered-files': readonly (EvidenceFile | null)[]
  readonly 'blank-edits': readonly boolean[]
  readonly 'renamed-tests': readonly RenamedTest[]
  /** Includes sources for which this is unknown. */
  readonly 'own-tests': readonly string[]
  /** `null`: not a file or link, or not readable. */
  readonly stamps: readonly (string | null)[]
  /** The paths that can be restored to that moment; `null`: it isn't known for everything that changed since. */
  readonly 'files-before': readonly string[] | null
  readonly 'recorded-answers': readonly string[]
  /** `null`: the claim is not recorded. */
  readonly 'earlier-claims': readonly (Pick<Claim, 'status' | 'exitSignal'> | null)[]
  readonly 'changed-in': readonly string[]
  readonly 'finished-elsewhere': readonly string[]
  /** `null`: the check was run, but writes no report. */
  readonly 'baseline-reports': ReadonlyMap<string, TestReport | null>
  readonly 'known-tests': KnownByCheck
  readonly 'check-files': readonly BaseDifference[]
  /** In a tree that is too large to search, finds only files at its top level. */
  readonly 'ending-in': readonly (readonly string[])[]
  readonly unchanged: readonly string[]
  readonly reaching: readonly ReachingSource[]
  readonly dependencies: readonly string[]
  readonly 'outside-settings': readonly string[]
}

export type Answer = AnswerTypes[QuestionKind]
export type AnswerTo<Asked extends Question> = AnswerTypes[Asked['kind']]

/** Answers by `questionKey`. Only grows: what is known is not asked again. */
export type Answers = ReadonlyMap<string, Answer>

export const NO_ANSWERS: Answers = new Map()

/** Returns the key under which the answer to a question is kept. Equal questions have equal keys. */
export function questionKey(question: Question): string {
  switch (question.kind) {
    // The rest follows from the case and the other answers, and can be long.
    case 'evaluation':
      return JSON.stringify([question.kind, question.hint.source, question.setting])
    case 'judge':
      return question.kind
    default:
      return JSON.stringify(question)
  }
}

/** Returns `known` with these answers added. */
export function withAnswers(known: Answers, answered: Iterable<readonly [Question, Answer]>): Answers {
  const all = new Map(known)
  for (const [question, answer] of answered) all.set(questionKey(question), answer)
  return all
}
