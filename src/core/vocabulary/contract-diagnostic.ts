/** Possible problems of a contract, and their severity. With an error `pulseward check` exits with 1; a heartbeat runs anyway. */
export const CONTRACT_DIAGNOSTICS = {
  'duplicate-id': 'error',
  'empty-id': 'error',
  'empty-description': 'error',
  'bad-max-attempts': 'error',
  'two-hints': 'error',
  'too-large': 'error',
  'vague-hint': 'warning',
  'unknown-probe': 'warning',
  'unknown-key': 'warning',
  'unknown-field': 'warning',
  'required-and-optional': 'warning',
  'broken-hint': 'warning',
  'exit-code-only': 'warning',
  // Found by measuring, not by parsing.
  'hollow-hint': 'warning',
  'too-many-tasks': 'warning',
  'no-tasks': 'warning',
  'checkbox-outside-tasks': 'warning',
  'malformed-task': 'warning',
} as const

export type ContractDiagnosticCode = keyof typeof CONTRACT_DIAGNOSTICS
export type ContractSeverity = (typeof CONTRACT_DIAGNOSTICS)[ContractDiagnosticCode]
