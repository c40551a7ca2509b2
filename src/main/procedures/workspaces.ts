import { isAbsolute, join } from 'node:path'
import { RequestProblem } from '../../api/request-problem.ts'
import { writeSample } from '../config/sample.ts'
import { existsSync } from '../files/names.ts'
import { approveConfiguration } from '../host/approve-configuration.ts'
import { shownTrust, wholeWorkspace, workspaceDetail, workspaceView } from '../host/workspace-views.ts'
import { os } from './implementer.ts'
import { workspacePage } from './workspace-page.ts'

export const workspaces = {
  list: os.workspaces.list.handler(async ({ input, context }) => {
    const { workspaces: all } = context.host
    await (input?.all === true ? all.whenOpen() : all.whenFewAreOpen())
    return workspacePage(all.all(), input).map(workspaceView)
  }),
  get: os.workspaces.get.handler(({ input, context }) =>
    workspaceDetail(context.host.workspaces.get(input.id)),
  ),
  watch: os.workspaces.watch.handler(async ({ input: { stream, id }, context }) => {
    const { hub, workspaces: all } = context.host
    const runtime = id === null ? null : all.get(id)
    // Set before reading the workspace, so that every later change is sent.
    const watched = hub.watched.get(stream)
    if (watched !== undefined) watched.workspace = id
    return runtime === null ? null : wholeWorkspace(runtime)
  }),
  add: os.workspaces.add.handler(async ({ input, context }) => {
    // A relative path would start in the host's working directory, which the caller doesn't know.
    if (!isAbsolute(input.path))
      throw new RequestProblem('bad-request', `path: ${input.path} is not an absolute path.`)
    return workspaceView(await context.host.workspaces.add(input.path, input.trust))
  }),
  remove: os.workspaces.remove.handler(async ({ input, context }) => {
    await context.host.workspaces.remove(input.id)
    return { removed: input.id }
  }),
  restore: os.workspaces.restore.handler(async ({ input, context }) =>
    workspaceView(await context.host.workspaces.restore(input.id)),
  ),
  label: os.workspaces.label.handler(async ({ input: { id, name, tags }, context }) =>
    workspaceView(await context.host.workspaces.label(id, { name, tags: [...new Set(tags)] })),
  ),
  move: os.workspaces.move.handler(async ({ input: { id, path }, context }) => {
    if (!isAbsolute(path)) throw new RequestProblem('bad-request', `path: ${path} is not an absolute path.`)
    return workspaceView(await context.host.workspaces.move(id, path))
  }),
  acceptRecord: os.workspaces.acceptRecord.handler(async ({ input, context }) => {
    await context.host.workspaces.get(input.id).acceptRecord()
    return { accepted: input.id }
  }),
  trust: os.workspaces.trust.handler(({ input, context }) =>
    shownTrust(context.host.workspaces.get(input.id)),
  ),
  approve: os.workspaces.approve.handler(async ({ input, context }) => {
    const runtime = context.host.workspaces.get(input.id)
    await approveConfiguration(runtime, input.hash)
    return shownTrust(runtime)
  }),
  openSample: os.workspaces.openSample.handler(async ({ context }) => {
    const { sampleTarget, sampleDirectory, workspaces: all } = context.host
    if (!existsSync(join(sampleTarget, 'HEARTBEAT.md'))) await writeSample(sampleTarget, sampleDirectory)
    return workspaceView(await all.add(sampleTarget, true))
  }),
}
