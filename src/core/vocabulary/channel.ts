import { z } from 'zod'

/** Ways in which the operator is notified where he is. */
export const CHANNEL_TYPES = ['webhook', 'ntfy', 'slack', 'email', 'apprise', 'ping'] as const

export type ChannelType = (typeof CHANNEL_TYPES)[number]

export const channelTypeSchema = z.enum(CHANNEL_TYPES)

/** What each is, and what its address looks like. */
export const CHANNEL_WORDS: Readonly<
  Record<ChannelType, { readonly title: string; readonly address: string }>
> = {
  webhook: { title: 'Webhook, signed JSON', address: 'https://example.org/hook' },
  ntfy: { title: 'ntfy', address: 'https://ntfy.example.org/topic' },
  slack: { title: 'Slack incoming webhook', address: 'https://hooks.example.org/services/…' },
  email: { title: 'E-mail by SMTP', address: 'smtps://user:password@mail.example.org' },
  apprise: { title: 'Apprise API', address: 'https://apprise.example.org/notify/key' },
  ping: { title: 'Ping at each heartbeat (healthchecks)', address: 'https://checks.example.org/ping/id' },
}
