import { attestRecorded } from '../host/attest-recorded.ts'
import { os, workspaceOf } from './implementer.ts'
import { noAttempt } from './no-attempt.ts'

export const attestations = {
  create: os.attestations.create.handler(
    async ({ input: { of, ...input }, context: { host, ...context } }) => {
      const runtime = workspaceOf(input, { host, ...context })
      const attested = await attestRecorded(runtime, host, of)
      if (attested === null) throw noAttempt(runtime, of)
      return attested
    },
  ),
}
