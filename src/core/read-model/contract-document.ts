import { z } from 'zod'
import { PROBE_PARSES } from '../configuration/checks.ts'
import type { Contract, TaskDefinition } from '../contract/types.ts'

export const diagnosticSchema = z.object({
  severity: z.enum(['error', 'warning']),
  code: z.string(),
  message: z.string(),
  line: z.int(),
  column: z.int(),
})

export const contractTaskSchema = z.object({
  id: z.string(),
  description: z.string(),
  required: z.boolean(),
  verify: z.string(),
  maxAttempts: z.int(),
  mayChange: z.array(z.string()).default([]),
  writesNoFiles: z.boolean().default(false),
  when: z.string().nullable().optional(),
  model: z.string().nullable().optional(),
  checked: z.boolean(),
  criteria: z.array(z.string()),
  line: z.int(),
})

export const contractReportSchema = z.object({
  tasks: z.array(contractTaskSchema),
  context: z.string(),
  diagnostics: z.array(diagnosticSchema),
})

export const contractDocumentSchema = contractReportSchema.extend({
  path: z.string(),
  text: z.string(),
  /** SHA-256 of the file's bytes in hex; sent back with a PUT. */
  hash: z.string(),
  /** The file is not UTF-8: `text` has U+FFFD in places, and a PUT is refused because it would lose bytes. */
  lossy: z.boolean(),
  /** Names that checks may use in the approved configuration: for completion, and to find unknown names. */
  probes: z.array(
    z.object({
      name: z.string(),
      /** What it reads, in words: a command line, a file, an address. */
      source: z.string(),
      parse: z.enum(PROBE_PARSES),
    }),
  ),
  /** What `succeeds("…")` may run. */
  approvedCommands: z.array(z.string()),
  /** Probes and approved commands that report only an exit code: for the linter. */
  exitCodes: z.object({ probes: z.array(z.string()), commands: z.array(z.string()) }).optional(),
})

export type ContractReport = z.infer<typeof contractReportSchema>

export type ContractDocument = z.infer<typeof contractDocumentSchema>

/** Returns a task as written in the contract. */
export function contractTaskView(task: TaskDefinition): ContractReport['tasks'][number] {
  return {
    id: task.id,
    description: task.description,
    required: task.required,
    verify: task.verify,
    maxAttempts: task.maxAttempts,
    mayChange: [...task.mayChange],
    writesNoFiles: task.writesNoFiles,
    when: task.when,
    model: task.model,
    checked: task.checked,
    criteria: task.criteria.map((criterion) => criterion.text),
    line: task.line,
  }
}

/** Returns what a contract parses to. */
export function contractView(contract: Contract): ContractReport {
  return {
    tasks: contract.tasks.map(contractTaskView),
    context: contract.context,
    diagnostics: contract.diagnostics.map(({ severity, code, message, range }) => ({
      severity,
      code,
      message,
      line: range.start.line,
      column: range.start.column,
    })),
  }
}
