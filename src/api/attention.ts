import type { Workspace } from './schemas/workspace.ts'

/**
 * How many things of a workspace wait for the operator: what stands as a notice, held work, blocked tasks, lockdown, and a configuration
 * to approve. The badge, the tray and the sidebar count alike.
 */
export function attentionCount({ notices, counts, shield, trust, score }: Workspace): number {
  const unapproved = trust === 'unapproved' || trust === 'changed' ? 1 : 0
  // A change of the configuration is a notice too; it is one thing to do.
  const standing = notices.filter(({ code }) => code !== 'configuration-changed').length
  return standing + score.held + counts.blocked + (shield === 'lockdown' ? 1 : 0) + unapproved
}
