import type { WorkspaceRuntime } from '../src/main/host/workspace-runtime.ts'
import type { AttemptUndo, KeptFiles } from '../src/main/ports/attempt-undo.ts'
import type { Custody } from '../src/main/ports/custody.ts'

/**
 * The parts of the supervisor that run, in turn and in the same run: all of them; all except what is kept for undo; neither
 * that nor file custody. The last is the cost of an attempt before either existed.
 */
export const ARMS = ['all', 'no undo', 'neither'] as const
export type Arm = (typeof ARMS)[number]

const NO_CUSTODY: Partial<Custody> = {
  begin: async () => ({ moved: [], unapproved: [], elsewhere: [], isFirst: false }),
  agentStarts: async () => {},
  look: async () => [],
  settle: async () => {},
  dependencies: async () => [],
  noteReaching: async () => {},
  reaching: async () => [],
  reports: async () => new Map(),
  keepReports: async () => {},
}
const NO_UNDO: Partial<AttemptUndo> = {
  keepBefore: async (): Promise<KeptFiles> => ({ keptAtMs: 0 }),
  record: async () => {},
}

/** Does the work with only the parts of an arm, then removes the overrides. */
export async function withArm<Result>(
  { custody, undo }: Pick<WorkspaceRuntime, 'custody' | 'undo'>,
  arm: Arm,
  work: () => Promise<Result>,
): Promise<Result> {
  const restore = [
    ...(arm === 'all' ? [] : [put(undo, NO_UNDO)]),
    ...(arm === 'neither' ? [put(custody, NO_CUSTODY)] : []),
  ]
  try {
    return await work()
  } finally {
    for (const takeAway of restore) takeAway()
  }
}

function put<Part extends object>(part: Part, over: Partial<Part>): () => void {
  const own = Object.getOwnPropertyDescriptors(part)
  Object.assign(part, over)
  return () => {
    for (const name of Object.keys(over)) {
      const before = own[name as keyof typeof own]
      if (before === undefined) Reflect.deleteProperty(part, name)
      else Object.defineProperty(part, name, before)
    }
  }
}
