import { CONTRACT_DIAGNOSTICS, type ContractDiagnosticCode } from '../vocabulary/contract-diagnostic.ts'
import type { Diagnostic, SourceRange } from './types.ts'

/** People don't read more than this, and a hostile text must not fill the memory with diagnostics. */
const MAX_PER_CODE = 1_000

/** Collects diagnostics, at most 1,000 of each code. */
export class DiagnosticList {
  readonly #diagnostics: Diagnostic[] = []
  readonly #counts = new Map<ContractDiagnosticCode, number>()

  add(code: ContractDiagnosticCode, message: string, range: SourceRange): void {
    const count = this.#counts.get(code) ?? 0
    if (count >= MAX_PER_CODE) return
    this.#counts.set(code, count + 1)
    this.#diagnostics.push({ severity: CONTRACT_DIAGNOSTICS[code], code, message, range })
  }

  /** Returns them by position; at the same position, in the order they were added. */
  sorted(): readonly Diagnostic[] {
    return this.#diagnostics.toSorted((one, other) => one.range.start.offset - other.range.start.offset)
  }
}
