import { expect, it } from 'vitest'
import type { Notification } from '../ports/notifier.ts'
import { SEEDED } from '../testing/seeded-workspaces.ts'
import { temporaryHost } from '../testing/temporary-host.ts'

it('notifies once of a lockdown caused by feedback', async () => {
  const told: Notification[] = []
  const host = await temporaryHost(
    { two: SEEDED.two },
    { notifier: { notify: (one) => void told.push(one) } },
  )
  try {
    const workspace = host.id('two')
    for (let thumbs = 0; thumbs < 20; thumbs += 1)
      await host.client.score.feedback({ workspace, feedback: 'down' })
    expect((await host.client.score.get({ workspace })).penalty).toBe('lockdown')
    expect(told.filter(({ about }) => about === 'lockdown')).toMatchObject([{ workspaceId: workspace }])
  } finally {
    await host.remove()
  }
})
