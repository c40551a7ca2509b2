import { parseContract } from '../../core/contract/parse.ts'
import { contractView } from '../../core/read-model/contract-document.ts'
import { isReportFormat } from '../../core/reports/test-report.ts'
import { writeContractFile } from '../config/contract-file.ts'
import { findExitCodeChecks } from '../config/exit-code-checks.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'
import { contractDocument } from '../host/workspace-views.ts'
import { named, os, workspaceOf } from './implementer.ts'

export const contract = {
  get: os.contract.get.handler(({ input, context }) => contractDocument(workspaceOf(input, context))),
  last: os.contract.last.handler(async ({ input, context }) => ({
    text: await workspaceOf(input, context).contractCustody.lastText(),
  })),
  put: os.contract.put.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    await writeContract(runtime, input.text, input.hash)
    return contractDocument(runtime)
  }),
  check: os.contract.check.handler(async ({ input, context }) => {
    const { workspaces } = context.host
    const id = named(input, context)
    // A text can be checked before any workspace exists: then no probe is known.
    const runtime = id === undefined && workspaces.all().length !== 1 ? null : workspaces.get(id)
    const config = runtime?.loop.config ?? null
    if (runtime === null || config === null)
      return contractView(parseContract(input.text, { probeNames: [] }))
    const exitCodes = await findExitCodeChecks(config, runtime.directory)
    const probeNames = Object.keys(config.probes)
    const reportProbes = probeNames.filter((name) => isReportFormat(config.probes[name]?.parse ?? ''))
    return contractView(await runtime.contracts.parse(input.text, { probeNames, reportProbes, exitCodes }))
  }),
  preview: os.contract.preview.handler(({ input, context }) =>
    workspaceOf(input, context).contractTrial.preview(input.taskId, input.text),
  ),
  tryHint: os.contract.tryHint.handler(({ input, context }) =>
    workspaceOf(input, context).contractTrial.tryHint(input.taskId, input.text),
  ),
  dryRun: os.contract.dryRun.handler(({ input, context }) =>
    workspaceOf(input, context).contractTrial.dryRun(input.text),
  ),
}

/** Where a workspace's contract is, and the parts that record changes to it. */
export interface ContractPlace {
  readonly directory: string
  readonly contractCustody: Pick<WorkspaceRuntime['contractCustody'], 'edit'>
  readonly loop: Pick<WorkspaceRuntime['loop'], 'refresh'>
}

/** Writes the operator's text over the one with this hash, and records the old and the new text. */
export async function writeContract(runtime: ContractPlace, text: string, hash: string): Promise<void> {
  await runtime.contractCustody.edit(() => writeContractFile(runtime.directory, text, hash))
  await runtime.loop.refresh()
}
