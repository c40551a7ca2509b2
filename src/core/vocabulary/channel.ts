import { z } from 'zod'

/** The channels by which the operator can be notified outside the app. */
export const CHANNEL_TYPES = ['webhook', 'ntfy', 'slack', 'email', 'apprise', 'ping'] as const

export type ChannelType = (typeof CHANNEL_TYPES)[number]

export const channelTypeSchema = z.enum(CHANNEL_TYPES)

interface ChannelRow {
  readonly title: string
  /** What an address of this type looks like. */
  readonly address: string
  /** The schemes an address may begin with, each with its colon. */
  readonly schemes: readonly string[]
  /** The form's label for the secret; `null`: this type has none. */
  readonly secret: string | null
  /** True if a message can have buttons that answer. */
  readonly hasButtons: boolean
}

const WEB = { schemes: ['http:', 'https:'], secret: null, hasButtons: false } as const

export const CHANNEL_ROWS: Readonly<Record<ChannelType, ChannelRow>> = {
  webhook: {
    ...WEB,
    title: 'Webhook (JSON)',
    address: 'https://example.org/hook',
    secret: 'Signing secret',
  },
  ntfy: {
    ...WEB,
    title: 'ntfy',
    address: 'https://ntfy.example.org/topic',
    secret: 'Access token',
    hasButtons: true,
  },
  slack: { ...WEB, title: 'Slack incoming webhook', address: 'https://hooks.example.org/services/…' },
  email: {
    title: 'E-mail by SMTP',
    address: 'smtps://user:password@mail.example.org',
    schemes: ['smtp:', 'smtps:'],
    secret: null,
    hasButtons: false,
  },
  apprise: { ...WEB, title: 'Apprise API', address: 'https://apprise.example.org/notify/key' },
  ping: {
    ...WEB,
    title: 'Ping at each heartbeat (healthchecks)',
    address: 'https://checks.example.org/ping/id',
  },
}
